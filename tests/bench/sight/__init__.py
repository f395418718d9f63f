"""Sight, measured: composed photographs with exact truth, real ones with theirs, and the counts."""

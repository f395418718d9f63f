"""Reads the corner indices of standard cards of any deck: a small network, trained on drawn cards alone."""

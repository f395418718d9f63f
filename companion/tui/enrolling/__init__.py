"""Enrolment without the screen: photos and their cards on a desk, corners, names, what is kept for later."""

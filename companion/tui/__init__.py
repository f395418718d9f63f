"""The terminal program that a household keeps open beside the box."""

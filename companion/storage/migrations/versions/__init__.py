"""One module a schema, in order."""

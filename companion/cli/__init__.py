"""The command line, one module a command; heavy modules are imported when a command runs."""

"""Migrations of the store, run by `companion.storage.migrate`; one file a schema in `versions`."""

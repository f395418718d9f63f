"""The store of matches: one small port, SQL behind it. SQLAlchemy is imported when a store is opened."""

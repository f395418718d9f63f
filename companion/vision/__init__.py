"""Photo to sightings: which cards lie where. Knows cards, not games; opened only where it is needed."""

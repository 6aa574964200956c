"""The ingest jobs of a store, of one machine or of a cluster."""

"""What slides there are, in which versions, and the ingest jobs: the only module that speaks SQL."""

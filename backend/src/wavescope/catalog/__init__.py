"""What slides there are, in which versions, and the ingest jobs: the only room that speaks SQL."""

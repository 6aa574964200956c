"""Uploads, ingest jobs with their child processes, previews and the watched folder."""

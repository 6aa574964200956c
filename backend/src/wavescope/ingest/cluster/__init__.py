"""Ingest on the workers of a Dask cluster (CL50 to CL56)."""

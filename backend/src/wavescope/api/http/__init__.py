"""HTTP helpers that several routes use: bodies, numbers, ranges, revisions, streams."""

"""Where a scan has tissue, and what spoils it: maps from coarse bands (spec/quality-maps.md). Pure."""

"""Several origins as one BlockSource."""

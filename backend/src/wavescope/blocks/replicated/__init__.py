"""Several origins as one BlockSource: what is measured, what is assigned (both pure), and what does it."""

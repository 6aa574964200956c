"""OME-Zarr, of Zarr 2 and 3."""

"""Routes of the protocols of other software: IIIF, Deep Zoom, tiles by z/x/y, OME-Zarr, DICOMweb."""

"""Slides in the terms of other software: IIIF, Deep Zoom, tiles by z/x/y, OME-Zarr, DICOM. No pixels of their own."""

"""TIFF and OME-TIFF."""

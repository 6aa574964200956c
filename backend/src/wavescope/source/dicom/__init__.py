"""DICOM whole slides."""

"""A slide in the terms of DICOM: names, metadata, frames, search. No pixels of their own."""

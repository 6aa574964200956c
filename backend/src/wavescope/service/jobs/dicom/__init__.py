"""DICOM instances that arrive one by one and become jobs."""

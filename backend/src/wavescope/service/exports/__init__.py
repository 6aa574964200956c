"""Regions written to files."""

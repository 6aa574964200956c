"""Overlays on the command line."""

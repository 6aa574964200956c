"""Overlays of slides: imported, served, exported (shared/spec/overlays.md)."""

"""Overlays: sets of up to tens of millions of shapes over a slide, stored as a pyramid (shared/spec/overlays.md)."""

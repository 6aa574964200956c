"""Nikon ND2."""

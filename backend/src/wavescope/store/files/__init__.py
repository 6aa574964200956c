"""Whole files by their SHA-256, apart from the slide versions: original files (ST90 to ST99), overlays (OV22)."""

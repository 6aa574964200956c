"""Slide versions in an object store: the same files under the same names (ST80 to ST89)."""

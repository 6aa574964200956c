"""Slide files and the synthetic specimen as level-0 pixels; tiles and stores are unknown here."""

"""Slides as other software looks for them."""

"""Proof of display (shared/spec/proof.md): a real browser shows views of a slide, and its screen is compared with the
slide's pixels.
"""

"""Tests of the protocols of other software."""

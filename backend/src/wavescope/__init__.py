"""Wavescope: a wavelet tile service for whole slides."""

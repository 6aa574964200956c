"""Slides of another service over HTTP."""

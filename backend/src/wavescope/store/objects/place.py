"""The names of a version's objects."""

from __future__ import annotations

SLIDES = "slides"


def folder_of(digest: str) -> str:
    """The folder of a version's objects: that of a store on disk (ST1)."""
    return f"{SLIDES}/{digest}"

"""A part of a slide."""

from __future__ import annotations

from typing import NamedTuple


class Region(NamedTuple):
    """In pixels of level 0."""

    x: float
    y: float
    width: float
    height: float

"""Bytes of a slide's own compressed tiles: what passing them through, as other servers do, would move."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from tifffile import TiffFile, TiffPage


def tiff_tile_bytes(path: Path, levels: Collection[tuple[int, int]]) -> int | None:
    """The tiles of the pages that are the levels of these sizes; None if a level has no page of its own in the file."""
    found: dict[tuple[int, int], int] = {}
    try:
        with TiffFile(path, _multifile=False, _useframes=False) as tiff:
            for page in tiff.pages:
                assert isinstance(page, TiffPage)
                size = (page.imagewidth, page.imagelength)
                if size in levels and size not in found:
                    found[size] = sum(page.databytecounts)
    except Exception:  # the figure is for comparison only; openslide has the word on whether the file is readable
        return None
    return sum(found.values()) if len(found) == len(set(levels)) else None

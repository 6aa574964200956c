"""Saved mixes of channels: all of a slide with one revision, stored apart from its versions (CM9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.slide_rows import existing
from wavescope.catalog.tables import SlideRow
from wavescope.errors import Conflict


class SavedMixes(NamedTuple):
    """The mixes of a slide in their order, as JSON; revision 1: none was ever saved."""

    revision: int
    mixes: Sequence[Mapping[str, Any]]


def read_mixes(catalog: Catalog, slide_id: str) -> SavedMixes:
    """Raises UnknownSlide."""
    with catalog.reading() as session:
        return _saved(existing(session, slide_id))


def save_mixes(catalog: Catalog, slide_id: str, mixes: Sequence[Mapping[str, Any]], revision: int) -> SavedMixes:
    """Replaces all mixes if ``revision`` is still the newest. Raises UnknownSlide, Conflict."""
    with catalog.writing(rights=False) as session:
        row = existing(session, slide_id)
        newest = _saved(row).revision
        if newest != revision:
            raise Conflict(f"the mixes of {slide_id}", revision, newest)
        row.mixes = {"revision": newest + 1, "mixes": list(mixes)}
        session.flush()
        return _saved(row)


def _saved(row: SlideRow) -> SavedMixes:
    return SavedMixes(**row.mixes) if row.mixes else SavedMixes(1, ())

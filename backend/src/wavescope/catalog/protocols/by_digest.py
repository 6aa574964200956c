"""Slides by the first digits of a version's digest, by which other software names them (DW2)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, false, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute

from wavescope.caches import BoundedCache
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import SlideRecord
from wavescope.catalog.slide_rows import record_of
from wavescope.catalog.tables import SlideRow, VersionRow
from wavescope.catalog.visible import SLIDES, Visible

CACHED = 4096
AFTER_DIGITS = "g"  # sorts after every hexadecimal digit
ESCAPE = "!"


class NamedVersion(NamedTuple):
    """A version of a slide."""

    slide_id: str
    digest: str


class Filter(NamedTuple):
    """Which slides are searched. ``prefixes``: of their digests, None: any; ``titles``: all match, with * and ?."""

    prefixes: Sequence[str] | None = None
    titles: Sequence[str] = ()


class SlidesByDigest:
    """Thread-safe."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._lock = threading.Lock()
        self._known: BoundedCache[str, tuple[NamedVersion, ...]] = BoundedCache(CACHED)
        self._generation = -1

    def versions(self, prefix: str) -> tuple[NamedVersion, ...]:
        """The served versions whose digest begins so, of whichever slides, current ones first, then by id.

        From memory, unless rights or versions have changed since.
        """
        generation = self._catalog.generation()
        with self._lock:
            if generation != self._generation:
                self._known.clear()
                self._generation = generation
            known = self._known.find(prefix)
        if known is not None:
            return known
        query = (
            select(VersionRow.slide_id, VersionRow.digest)
            .join(SlideRow, SlideRow.id == VersionRow.slide_id)
            .where(SlideRow.trashed.is_(None), _begins(VersionRow.digest, prefix))
            .order_by(VersionRow.retired.is_not(None), VersionRow.slide_id)
        )
        with self._catalog.reading() as session:
            found = tuple(NamedVersion(*row) for row in session.execute(query))
        with self._lock:
            if generation == self._generation:
                self._known.put(prefix, found)
        return found

    def window(self, visible: Visible, wanted: Filter, offset: int, limit: int) -> tuple[SlideRecord, ...]:
        """Slides by their current version, the newest first; of several with one version, the first by id."""
        conditions: list[ColumnElement[bool]] = [SlideRow.trashed.is_(None), visible.slides(SLIDES)]
        if wanted.prefixes is not None:
            conditions.append(or_(false(), *(_begins(SlideRow.digest, prefix) for prefix in wanted.prefixes)))
        conditions += [
            func.lower(SlideRow.title).like(_pattern(title.lower()), escape=ESCAPE) for title in wanted.titles
        ]
        first = select(func.min(SlideRow.id)).where(*conditions).group_by(SlideRow.digest)
        query = select(SlideRow).where(SlideRow.id.in_(first)).order_by(SlideRow.created.desc(), SlideRow.id)
        with self._catalog.reading() as session:
            return tuple(record_of(row) for row in session.scalars(query.offset(offset).limit(limit)))


def _begins(column: InstrumentedAttribute[str], prefix: str) -> ColumnElement[bool]:
    """In a form that uses the index."""
    return and_(column >= prefix, column < prefix + AFTER_DIGITS)


def _pattern(text: str) -> str:
    """As SQL's LIKE."""
    for char in (ESCAPE, "%", "_"):
        text = text.replace(char, ESCAPE + char)
    return text.replace("*", "%").replace("?", "_")

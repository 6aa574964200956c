"""The overlays of slides: rows that name immutable files (OV23)."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, update
from sqlalchemy.orm import Session

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.slide_rows import existing, source_of
from wavescope.catalog.tables import OverlayRow, SlideRow
from wavescope.errors import UnknownOverlay
from wavescope.store.files.stored import StoredFile

NOBODY = ""
"""The slide of an overlay that is about to be stored, or whose slide is gone: no slide has this id."""
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)

Published = Callable[[Session, str], None]


def nothing_noted(_session: Session, _slide_id: str) -> None:
    """Publishes without more."""


@dataclass(frozen=True)
class OverlayRecord:
    """An overlay of a slide. ``manifest``: the document of OV19; ``transform``: what its import applied to the
    coordinates of the source, ``x' = a x + b y + c, y' = d x + e y + f``; ``removed``: when it was deleted; ``hidden``:
    viewers show it only when a person asks for it.
    """

    id: str
    slide_id: str
    file: StoredFile
    position: int
    author: str
    manifest: Mapping[str, Any]
    transform: Sequence[float]
    created: float
    removed: float | None = None
    hidden: bool = False


class NewOverlay(NamedTuple):
    """What an import adds to a slide."""

    id: str
    slide_id: str
    author: str
    manifest: Mapping[str, Any]
    transform: Sequence[float]
    hidden: bool = False


class OverlayTable:
    """The overlays that slides have. Thread-safe."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def of(self, slide_id: str) -> tuple[OverlayRecord, ...]:
        """Those of a slide in their order, made for the source of its current version. Raises UnknownSlide."""
        with self._catalog.reading() as session:
            slide = existing(session, slide_id)
            return tuple(_record(row) for row in session.scalars(_of(slide)))

    def get(self, slide_id: str, overlay_id: str) -> OverlayRecord:
        """Raises UnknownSlide, UnknownOverlay."""
        with self._catalog.reading() as session:
            return _record(_existing(session, existing(session, slide_id), overlay_id))

    def published(self, overlay_id: str) -> bool:
        """Whether an import of this id has ended: it is not repeated, also if its overlay was deleted since."""
        with self._catalog.reading() as session:
            row = session.get(OverlayRow, overlay_id)
            return row is not None and row.slide_id != NOBODY

    def expect(self, overlay_id: str, file: StoredFile) -> None:
        """A file is about to be stored: it is collected unless a slide gets it."""
        with self._catalog.writing(rights=False) as session:
            now = time.time()
            made = {"slide_id": NOBODY, "position": 0, "author": "", "manifest": {}, "transform": list(IDENTITY)}
            session.merge(OverlayRow(id=overlay_id, created=now, removed=now, **made, **_columns(file)))

    def publish(self, overlay: NewOverlay, file: StoredFile, published: Published = nothing_noted) -> OverlayRecord:
        """A slide gets a stored overlay, the last in its order. ``published`` is called in the transaction, with the
        id of the slide. Raises UnknownSlide.
        """
        with self._catalog.writing(rights=False) as session:
            existing(session, overlay.slide_id)
            mine = OverlayRow.slide_id == overlay.slide_id
            last = session.scalar(select(func.max(OverlayRow.position)).where(mine))
            made: dict[str, Any] = {**overlay._asdict(), "position": 0 if last is None else last + 1}
            made |= {"manifest": dict(overlay.manifest), "transform": list(overlay.transform), "removed": None}
            row = session.merge(OverlayRow(created=time.time(), **made, **_columns(file)))
            published(session, overlay.slide_id)
            session.flush()
            return _record(row)

    def change(self, slide_id: str, overlay_id: str, name: str | None, place: int | None) -> OverlayRecord:
        """Another name, another place among the overlays of the slide. Raises UnknownSlide, UnknownOverlay."""
        with self._catalog.writing(rights=False) as session:
            slide = existing(session, slide_id)
            row = _existing(session, slide, overlay_id)
            row.name = row.name if name is None else name
            if place is not None:
                others = [one for one in session.scalars(_of(slide)) if one.id != overlay_id]
                for position, one in enumerate([*others[:place], row, *others[place:]]):
                    one.position = position
            session.flush()
            return _record(row)

    def remove(self, slide_id: str, overlay_id: str) -> OverlayRecord:
        """Deletes an overlay; it can be restored until it is collected. Raises UnknownSlide, UnknownOverlay."""
        with self._catalog.writing(rights=False) as session:
            row = _existing(session, existing(session, slide_id), overlay_id)
            row.removed = time.time()
            session.flush()
            return _record(row)

    def restore(self, slide_id: str, overlay_id: str) -> OverlayRecord:
        """Takes back ``remove``; one that is not deleted stays. Raises UnknownSlide, UnknownOverlay."""
        with self._catalog.writing(rights=False) as session:
            row = _existing(session, existing(session, slide_id), overlay_id, removed=True)
            row.removed = None
            session.flush()
            return _record(row)

    def attach(self, slide_ids: Iterable[str], found: Iterable[tuple[StoredFile, Mapping[str, Any]]]) -> None:
        """Gives slides the stored overlays of their sources, each with its manifest (ST71)."""
        by_source: dict[str, list[tuple[StoredFile, Mapping[str, Any]]]] = {}
        for file, manifest in found:
            by_source.setdefault(file.fingerprint, []).append((file, manifest))
        for slide_id in slide_ids:
            with self._catalog.reading() as session:
                source = source_of(existing(session, slide_id).manifest)
            for file, manifest in by_source.get(source, ()) if source else ():
                self.publish(NewOverlay(uuid.uuid4().hex, slide_id, "", manifest, IDENTITY), file)

    def due(self, removed_before: float, left_before: float) -> tuple[str, ...]:
        """SHA-256 of files that a slide had until that time, or that since ``left_before`` no slide has got."""
        with self._catalog.reading() as session:
            rows = session.scalars(select(OverlayRow.sha256).where(_due(removed_before, left_before)))
            return tuple(sorted(set(rows)))

    def forget(self, sha256: str, removed_before: float, left_before: float, remove: Callable[[str], None]) -> bool:
        """Forgets the rows of this file that are due, and calls ``remove`` if no other one has it."""
        with self._catalog.writing(rights=False) as session:
            session.execute(delete(OverlayRow).where(OverlayRow.sha256 == sha256, _due(removed_before, left_before)))
            left = session.scalar(select(func.count()).select_from(OverlayRow).where(OverlayRow.sha256 == sha256))
            if not left:
                remove(sha256)
            return not left


def leave(session: Session, slide_id: str) -> None:
    """The slide is gone: its overlays are collected."""
    session.execute(update(OverlayRow).where(OverlayRow.slide_id == slide_id).values(slide_id=NOBODY, removed=0.0))


def _of(slide: SlideRow) -> Any:
    there = OverlayRow.slide_id == slide.id, OverlayRow.removed.is_(None)
    made_for = OverlayRow.fingerprint == source_of(slide.manifest)
    return select(OverlayRow).where(*there, made_for).order_by(OverlayRow.position, OverlayRow.created, OverlayRow.id)


def _due(removed_before: float, left_before: float) -> ColumnElement[bool]:
    left = and_(OverlayRow.slide_id == NOBODY, OverlayRow.removed < left_before)
    return or_(OverlayRow.removed < removed_before, left)


def _existing(session: Session, slide: SlideRow, overlay_id: str, *, removed: bool = False) -> OverlayRow:
    row = session.get(OverlayRow, overlay_id)
    made_for = row is not None and (row.slide_id, row.fingerprint) == (slide.id, source_of(slide.manifest))
    if row is None or not made_for or not (removed or row.removed is None):
        raise UnknownOverlay(slide.id, overlay_id)
    return row


def _columns(file: StoredFile) -> dict[str, Any]:
    return {"sha256": file.sha256, "name": file.name, "size": file.size, "fingerprint": file.fingerprint}


def _record(row: OverlayRow) -> OverlayRecord:
    file = StoredFile(row.sha256, row.name, row.size, 1, row.fingerprint)
    place, life = (row.position, row.author), (row.created, row.removed)
    return OverlayRecord(row.id, row.slide_id, file, *place, row.manifest, row.transform, *life, hidden=row.hidden)

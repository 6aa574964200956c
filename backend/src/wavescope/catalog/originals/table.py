"""The original files of a catalog's slides: found, deleted, collected (ST92, ST93)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from sqlalchemy import delete, func, select

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.originals.rows import OriginalRow, marks_of, original_of, retire, settle
from wavescope.catalog.slide_rows import existing
from wavescope.store.files.stored import StoredFile


class OriginalTotals(NamedTuple):
    """Of all slides, also of those in the trash: different files, and their bytes."""

    files: int
    bytes: int


class OriginalTable:
    """The original files that slides have. Thread-safe."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def of(self, slide_id: str) -> StoredFile | None:
        """That of a slide. Raises UnknownSlide, also for one in the trash."""
        with self._catalog.reading() as session:
            return original_of(session, existing(session, slide_id))

    def drop(self, slide_id: str) -> bool:
        """The slide has none any more; whether it had one. Raises UnknownSlide."""
        with self._catalog.writing(rights=False) as session:
            had = original_of(session, existing(session, slide_id)) is not None
            retire(session, slide_id)
            return had

    def all(self) -> tuple[StoredFile, ...]:
        """Those of all slides, also of slides in the trash; each file once, by its SHA-256."""
        with self._catalog.reading() as session:
            rows = session.scalars(select(OriginalRow).where(OriginalRow.retired.is_(None)))
            found = {row.sha256: StoredFile(row.sha256, row.name, row.size, row.files, row.fingerprint) for row in rows}
        return tuple(found[sha256] for sha256 in sorted(found))

    def totals(self) -> OriginalTotals:
        """How much there is."""
        files = self.all()
        return OriginalTotals(len(files), sum(file.size for file in files))

    def attach(self, slide_ids: Iterable[str], files: Iterable[StoredFile], hidden: str) -> tuple[str, ...]:
        """Gives slides the stored files of their sources; the ids of those that have one now (ST71). Not to those whose
        source has the name ``hidden``: they were imported without identifying data.
        """
        by_source = {mark: file for file in files for mark in marks_of(file)}
        found = []
        with self._catalog.writing(rights=False) as session:
            for slide_id in slide_ids:
                manifest = existing(session, slide_id).manifest
                source = manifest["source"]
                file = by_source.get(source.get("fingerprint", "")) if source["name"] != hidden else None
                if file is not None:
                    settle(session, slide_id, manifest, file)
                    found.append(slide_id)
        return tuple(found)

    def retired(self, before: float) -> tuple[str, ...]:
        """SHA-256 of the files that a slide had until that time, or that were stored for none."""
        with self._catalog.reading() as session:
            old = select(OriginalRow.sha256).where(OriginalRow.retired.is_not(None), OriginalRow.retired < before)
            return tuple(sorted(set(session.scalars(old))))

    def forget(self, sha256: str, before: float, remove: Callable[[str], None]) -> bool:
        """Forgets the slides that had this file until that time, and calls ``remove`` if no other one has it."""
        old = (OriginalRow.sha256 == sha256, OriginalRow.retired.is_not(None), OriginalRow.retired < before)
        with self._catalog.writing(rights=False) as session:
            session.execute(delete(OriginalRow).where(*old))
            left = session.scalar(select(func.count()).select_from(OriginalRow).where(OriginalRow.sha256 == sha256))
            if not left:
                remove(sha256)
            return not left

"""The annotations' rows: per-object revisions, one order of changes per slide (AN4 to AN8)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from wavescope.annotations.content import Color
from wavescope.annotations.geometry import Box
from wavescope.catalog.changes import AnnotationPage, AnnotationRecord, Change, Outcome, Query
from wavescope.catalog.database import translated
from wavescope.catalog.slide_rows import existing
from wavescope.catalog.tables import AnnotationClassRow, AnnotationRow, AnnotationSlideRow
from wavescope.catalog.words import count_notes, note_words
from wavescope.errors import TooLarge

IDS_PER_STATEMENT = 500  # ids in one SQL statement
EMPTY_BOX = Box(0.0, 0.0, 0.0, 0.0)
RECORD = tuple(getattr(AnnotationRow, name) for name in AnnotationRecord._fields)  # columns: rows of the ORM cost twice


class AnnotationTable:
    """Annotations of slides, by slide and id. Thread-safe; other processes may write at any time."""

    def __init__(self, engine: Engine, *, max_objects: int, max_classes: int) -> None:
        self._engine, self._max_objects, self._max_classes = engine, max_objects, max_classes

    def page(self, slide_id: str, query: Query) -> AnnotationPage:
        """The objects changed after ``query.since``, in the order of their last change. Raises UnknownSlide."""
        with self._session() as session:
            existing(session, slide_id)
            state = session.get(AnnotationSlideRow, slide_id)
            rows = session.execute(_select(slide_id, query).limit(query.limit + 1)).all()
            more = len(rows) > query.limit
            records = tuple(map(AnnotationRecord._make, rows[: query.limit]))
            classes = _classes(session, slide_id)
            now, objects, comments = (state.sequence, state.objects, state.comments) if state else (0, 0, 0)
            until = records[-1].sequence if more else max(now, query.since or 0)
            return AnnotationPage(records, until, more, objects, classes, comments)

    def get(self, slide_id: str, annotation_id: str) -> AnnotationRecord | None:
        """The object or its tombstone; None if there never was one. Raises UnknownSlide."""
        with self._session() as session:
            existing(session, slide_id)
            row = session.get(AnnotationRow, (slide_id, annotation_id))
            return None if row is None else _record(row)

    def known(self, slide_id: str, ids: Sequence[str]) -> dict[str, AnnotationRecord]:
        """Those of the ids that are or were used. Raises UnknownSlide."""
        with self._session() as session:
            existing(session, slide_id)
            return {row.id: AnnotationRecord._make(row) for row in _rows(session, slide_id, ids, *RECORD)}

    def apply(
        self, slide_id: str, changes: Sequence[Change], author: str, imported: str = ""
    ) -> tuple[tuple[Outcome, ...], int]:
        """Applies each change or refuses it; the outcomes in order, and the slide's sequence. One transaction: its new
        objects have one time of creation, and ``imported``, the name of the document that they come from.

        Raises UnknownSlide, TooLarge (then nothing is applied).
        """
        with self._session(writing=True) as session:
            existing(session, slide_id)
            state = lock_counters(session, slide_id)
            work = _Work(session, slide_id, state, author, imported)
            stored = _rows(session, slide_id, [change.id for change in changes], AnnotationRow)
            known: dict[str, Row] = {row.id: row for (row,) in stored}
            outcomes = tuple(work.apply(change, known) for change in changes)
            if work.objects > self._max_objects:
                raise TooLarge("the number of the slide's annotations", work.objects, self._max_objects)
            work.write()
            return outcomes, work.sequence

    def lock(self, slide_id: str, annotation_id: str, name: str) -> tuple[AnnotationRecord | None, int]:
        """Locks an object for ``name``, or unlocks it (empty): a change like others (AN45). A lock of another stays.

        Returns the object as it is now (None: there is none) and the slide's sequence. Raises UnknownSlide.
        """
        with self._session(writing=True) as session:
            existing(session, slide_id)
            state = lock_counters(session, slide_id)
            row = session.get(AnnotationRow, (slide_id, annotation_id))
            if row is None or row.deleted:
                return None, state.sequence
            if bool(row.locked) != bool(name):
                state.sequence += 1
                row.locked, row.revision, row.sequence = name, row.revision + 1, state.sequence
            return _record(row), state.sequence

    def set_classes(self, slide_id: str, classes: Mapping[str, Color | None]) -> dict[str, Color]:
        """Sets the colours of classes, deletes those of None; returns all classes of the slide. Raises UnknownSlide,
        TooLarge.
        """
        with self._session(writing=True) as session:
            existing(session, slide_id)
            lock_counters(session, slide_id)
            for name, color in classes.items():
                if color is not None:
                    session.merge(AnnotationClassRow(slide_id=slide_id, name=name, color=_packed(color)))
                elif (row := session.get(AnnotationClassRow, (slide_id, name))) is not None:
                    session.delete(row)
            session.flush()
            found = _classes(session, slide_id)
            if len(found) > self._max_classes:
                raise TooLarge("the number of the slide's classes", len(found), self._max_classes)
            return found

    @contextmanager
    def _session(self, *, writing: bool = False) -> Iterator[Session]:
        bound = self._engine.execution_options(writing=writing)
        with translated(self._engine), Session(bound, expire_on_commit=False) as session, session.begin():
            yield session


@dataclass
class _NewRow:
    """A row that is not in the database yet: SQLAlchemy would follow each change of its attributes (half of the time of
    an import).
    """

    slide_id: str
    id: str
    author: str
    created: float
    imported: str
    revision: int = 0
    sequence: int = 0
    deleted: bool = False
    content: str = ""
    z: int = 0
    min_x: float = 0.0
    min_y: float = 0.0
    max_x: float = 0.0
    max_y: float = 0.0
    editor: str = ""
    updated: float = 0.0
    locked: str = ""


Row = AnnotationRow | _NewRow


class _Work:
    """The changes of one transaction; new rows and the slide's counters are written together."""

    def __init__(self, session: Session, slide_id: str, state: AnnotationSlideRow, author: str, imported: str) -> None:
        self._session, self._slide_id, self._state = session, slide_id, state
        self._author, self._imported = author, imported
        self.sequence, self.objects = state.sequence, state.objects
        self._now = time.time()
        self._new: dict[str, _NewRow] = {}
        self._words: Counter[str] = Counter()

    def apply(self, change: Change, known: dict[str, Row]) -> Outcome:
        row = known.get(change.id)
        if row is None:
            return self._create(change, known)
        same = row.deleted if change.content is None else not row.deleted and row.content == change.content
        if same:
            return Outcome("saved", _record(row))  # AN7: a change sent twice
        if row.locked:
            return Outcome("locked", _record(row))
        if row.revision != change.base:
            return Outcome("conflict", _record(row))
        self.objects += row.deleted - (change.content is None)
        self._write(row, change)
        return Outcome("saved", _record(row))

    def _create(self, change: Change, known: dict[str, Row]) -> Outcome:
        if change.content is None:
            return Outcome("saved", None)
        if change.base != 0:
            return Outcome("conflict", None)
        row = _NewRow(self._slide_id, change.id, self._author, self._now, self._imported)
        self.objects += 1
        self._write(row, change)
        known[change.id] = self._new[change.id] = row
        return Outcome("saved", _record(row))

    def _write(self, row: Row, change: Change) -> None:
        self.sequence += 1
        box = change.box or EMPTY_BOX
        self._words.subtract(note_words(row.content))
        self._words.update(note_words(change.content or ""))
        row.revision, row.sequence = row.revision + 1, self.sequence
        row.deleted, row.content, row.z = change.content is None, change.content or "", change.z
        row.min_x, row.min_y, row.max_x, row.max_y = box.min_x, box.min_y, box.max_x, box.max_y
        row.editor, row.updated = self._author, self._now

    def write(self) -> None:
        """Without it only rows that were there before are changed."""
        self._state.sequence, self._state.objects = self.sequence, self.objects
        count_notes(self._session, self._slide_id, self._words)
        if self._new:
            self._session.execute(insert(AnnotationRow), [vars(row) for row in self._new.values()])


def lock_counters(session: Session, slide_id: str) -> AnnotationSlideRow:
    """The slide's counters, locked until the transaction ends: sequences become visible in their order (AN8)."""
    query = select(AnnotationSlideRow).where(AnnotationSlideRow.slide_id == slide_id).with_for_update()
    state = session.scalar(query)
    if state is not None:
        return state
    try:
        with session.begin_nested():
            session.add(AnnotationSlideRow(slide_id=slide_id, sequence=0, objects=0, comments=0))
    except IntegrityError:  # another process was first
        pass
    return session.scalars(query).one()


def _select(slide_id: str, query: Query) -> Any:
    conditions = [AnnotationRow.slide_id == slide_id, AnnotationRow.sequence > (query.since or 0)]
    if query.since is None or query.box is not None or query.z is not None:
        conditions.append(AnnotationRow.deleted.is_(False))
    if query.box is not None:
        conditions += [AnnotationRow.max_x >= query.box.min_x, AnnotationRow.min_x <= query.box.max_x]
        conditions += [AnnotationRow.max_y >= query.box.min_y, AnnotationRow.min_y <= query.box.max_y]
    if query.z is not None:
        conditions.append(AnnotationRow.z == query.z)
    return select(*RECORD).where(*conditions).order_by(AnnotationRow.sequence)


def _rows(session: Session, slide_id: str, ids: Sequence[str], *selected: Any) -> Iterable[Any]:
    for start in range(0, len(ids), IDS_PER_STATEMENT):
        some = ids[start : start + IDS_PER_STATEMENT]
        yield from session.execute(
            select(*selected).where(AnnotationRow.slide_id == slide_id, AnnotationRow.id.in_(some))
        )


def _classes(session: Session, slide_id: str) -> dict[str, Color]:
    query = select(AnnotationClassRow).where(AnnotationClassRow.slide_id == slide_id)
    rows = session.scalars(query.order_by(AnnotationClassRow.name))
    return {row.name: (row.color >> 16 & 255, row.color >> 8 & 255, row.color & 255) for row in rows}


def _packed(color: Color) -> int:
    return color[0] << 16 | color[1] << 8 | color[2]


def _record(row: Row) -> AnnotationRecord:
    return AnnotationRecord._make(getattr(row, name) for name in AnnotationRecord._fields)

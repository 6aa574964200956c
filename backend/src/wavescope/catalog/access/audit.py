"""The audit log in SQL: rows are added and read; each carries a hash of itself and of the one before (PR30 to PR34)."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Engine, delete, func, or_, select, text
from sqlalchemy.orm import Session

from wavescope.catalog.access.audit_tables import AuditRow
from wavescope.catalog.database import translated

LOCK = 7823462  # PostgreSQL's advisory lock of the log
PAGE = 1000
PRUNED = "log pruned"
SERVICE = ("service", "", "the service")
"""Kind, id and name of the service itself, as the author of an entry."""
NAMES = ("title", "file")  # of the detail, that a slide or file is found by


@dataclass(frozen=True)
class AuditEntry:
    """What an entry says about an action. ``time`` in milliseconds since 1970."""

    time: int
    kind: str
    principal: str
    name: str
    address: str
    action: str
    slide_id: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class AuditRecord:
    """An entry in its place in the log."""

    sequence: int
    entry: AuditEntry
    previous: str
    hash: str


@dataclass(frozen=True)
class AuditQuery:
    """Which entries: all given values must agree; times in milliseconds, ``until`` exclusive.
    ``slide_id``: the id, or a part of the title or file name in the entry.
    """

    action: str = ""
    slide_id: str = ""
    name: str = ""
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True)
class AuditCheck:
    """What verification found. ``fault``: the first contradiction in words, None if there is none."""

    entries: int
    last: int
    head: str
    fault: str | None


class AuditLog:
    """The log of one catalog. Thread-safe; several processes may write to it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def append(self, *entries: AuditEntry) -> None:
        """Adds entries at the end. Raises Unavailable, StoreFull."""
        with self._writing() as session:
            _append(session, entries)

    def append_unless_repeated(self, entry: AuditEntry, milliseconds: int) -> None:
        """Adds an entry, unless one of the same principal, action and slide is at most so much older, whichever process
        added it. Raises Unavailable, StoreFull.
        """
        same = [getattr(AuditRow, name) == getattr(entry, name) for name in ("kind", "principal", "name", "action")]
        with self._writing() as session:
            recent = [AuditRow.slide_id == entry.slide_id, AuditRow.time >= entry.time - milliseconds]
            if session.scalar(select(AuditRow.sequence).where(*same, *recent).limit(1)) is None:
                _append(session, [entry])

    def list(self, query: AuditQuery, before: int | None, limit: int) -> tuple[AuditRecord, ...]:
        """The newest that agree, from before the number ``before``."""
        wanted = _conditions(query)
        if before is not None:
            wanted.append(AuditRow.sequence < before)
        with self._reading() as session:
            rows = session.scalars(select(AuditRow).where(*wanted).order_by(AuditRow.sequence.desc()).limit(limit))
            return tuple(record_of(row) for row in rows)

    def all(self, query: AuditQuery | None = None) -> Iterator[AuditRecord]:
        """All that agree, the oldest first, read in pages."""
        wanted, after = _conditions(query or AuditQuery()), 0
        while True:
            with self._reading() as session:
                page = select(AuditRow).where(*wanted, AuditRow.sequence > after).order_by(AuditRow.sequence)
                records = [record_of(row) for row in session.scalars(page.limit(PAGE))]
            yield from records
            if len(records) < PAGE:
                return
            after = records[-1].sequence

    def verify(self) -> AuditCheck:
        """Reads the whole log and recomputes every hash."""
        anchors = {
            (record.entry.detail.get("through"), record.entry.detail.get("hash"))
            for record in self.all(AuditQuery(action=PRUNED))
        }
        count, last, head = 0, 0, ""
        for record in self.all():
            if count == 0 and record.sequence > 1:
                if (record.sequence - 1, record.previous) not in anchors:
                    return AuditCheck(count, last, head, f"the entries before {record.sequence} are missing")
            elif record.sequence != last + 1:
                return AuditCheck(count, last, head, f"entry {last + 1} is missing")
            elif record.previous != head:
                return AuditCheck(count, last, head, f"entry {record.sequence} does not follow entry {last}")
            if record.hash != hash_of(record.previous, record.sequence, record.entry):
                return AuditCheck(count, last, head, f"entry {record.sequence} was changed")
            count, last, head = count + 1, record.sequence, record.hash
        return AuditCheck(count, last, head, None)

    def prune(self, before: int) -> int:
        """Removes what is older than that time (milliseconds), and says so in an entry; the number removed."""
        with self._writing() as session:
            last = session.scalar(select(func.max(AuditRow.sequence)))
            kept = session.scalar(select(func.min(AuditRow.sequence)).where(AuditRow.time >= before))
            through = (kept or (last or 0) + 1) - 1
            row = session.get(AuditRow, through) if through else None
            if row is None:
                return 0
            detail = {"through": through, "hash": row.hash}
            removed = session.execute(delete(AuditRow).where(AuditRow.sequence <= through))
            entry = AuditEntry(time.time_ns() // 1_000_000, *SERVICE, "", PRUNED, detail=detail)
            _append(session, [entry], (last or 0, row.hash if kept is None else None))
            return int(getattr(removed, "rowcount", 0))

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with translated(self._engine), Session(self._engine) as session, session.begin():
            yield session

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        bound = self._engine.execution_options(writing=True)
        with translated(self._engine), Session(bound) as session, session.begin():
            if self._engine.dialect.name == "postgresql":
                session.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
            yield session


def hash_of(previous: str, sequence: int, entry: AuditEntry) -> str:
    """SHA-256 of the hash before and the canonical JSON of the entry."""
    values = [previous, sequence, *(getattr(entry, name) for name in AuditEntry.__dataclass_fields__)]
    return hashlib.sha256(json.dumps(values, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def record_of(row: AuditRow) -> AuditRecord:
    """The row's values, free of its session."""
    entry = AuditEntry(**{name: getattr(row, name) for name in AuditEntry.__dataclass_fields__})
    return AuditRecord(row.sequence, entry, row.previous, row.hash)


def _append(session: Session, entries: Sequence[AuditEntry], after: tuple[int, str | None] = (0, None)) -> None:
    """``after``: number and hash of the last entry if there is no row."""
    last = session.scalars(select(AuditRow).order_by(AuditRow.sequence.desc()).limit(1)).first()
    sequence, head = (last.sequence, last.hash) if last is not None else (after[0], after[1] or "")
    for entry in entries:
        sequence += 1
        values = {name: getattr(entry, name) for name in AuditEntry.__dataclass_fields__}
        head, previous = hash_of(head, sequence, entry), head
        session.add(AuditRow(sequence=sequence, **values, previous=previous, hash=head))


def _conditions(query: AuditQuery) -> list[ColumnElement[bool]]:
    wanted: list[ColumnElement[bool]] = []
    if query.action:
        wanted.append(AuditRow.action == query.action)
    if query.slide_id:
        names = [AuditRow.detail[name].as_string().icontains(query.slide_id, autoescape=True) for name in NAMES]
        wanted.append(or_(AuditRow.slide_id == query.slide_id, *names))
    if query.name:
        wanted.append(AuditRow.name.icontains(query.name, autoescape=True))
    if query.since is not None:
        wanted.append(AuditRow.time >= query.since)
    if query.until is not None:
        wanted.append(AuditRow.time < query.until)
    return wanted

"""Recordings and their chunks, in SQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, or_, select, update

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.sessions.leases import fenced
from wavescope.catalog.sessions.records import RecordingRecord
from wavescope.catalog.sessions.tables import RecordingChunkRow, RecordingRow
from wavescope.errors import UnknownRecording
from wavescope.sessions.ownership import Lease

LISTED = 500


class RecordingTable:
    """The recordings of a catalog. Thread-safe. With a ``lease`` of a session as SessionTable."""

    def __init__(self, catalog: Catalog, lease: Lease | None = None) -> None:
        self._catalog, self._lease = catalog, lease

    def with_lease(self, lease: Lease) -> RecordingTable:
        """The same for the owner of one session."""
        return RecordingTable(self._catalog, lease)

    def create(self, record: RecordingRecord) -> None:
        """Adds a recording; does nothing if it exists already."""
        with fenced(self._catalog, self._lease, rights=False) as session:
            if session.get(RecordingRow, record.id) is None:
                values = {**vars(record), "slides": [dict(slide) for slide in record.slides]}
                session.add(RecordingRow(**values))

    def append(self, recording_id: str, number: int, body: bytes, fields: Mapping[str, Any]) -> None:
        """Writes or rewrites a chunk, and the recording's duration, size and number of chunks."""
        with fenced(self._catalog, self._lease, rights=False) as session:
            session.merge(RecordingChunkRow(recording_id=recording_id, number=number, body=body))
            session.execute(update(RecordingRow).where(RecordingRow.id == recording_id).values(dict(fields)))

    def change(self, recording_id: str, fields: Mapping[str, Any]) -> RecordingRecord:
        """Changes fields of the row. Raises UnknownRecording."""
        with fenced(self._catalog, self._lease, rights=False) as session:
            row = session.get(RecordingRow, recording_id)
            if row is None:
                raise UnknownRecording(recording_id)
            for name, value in fields.items():
                setattr(row, name, value)
            session.flush()
            return _record(row)

    def finish(self, session_id: str, except_id: str) -> None:
        """Marks the running recordings of a session as done, except one."""
        running = (
            (RecordingRow.session_id == session_id) & RecordingRow.done.is_(False) & (RecordingRow.id != except_id)
        )
        with fenced(self._catalog, self._lease, rights=False) as session:
            session.execute(update(RecordingRow).where(running).values(done=True))

    def get(self, recording_id: str) -> RecordingRecord:
        """Raises UnknownRecording."""
        with self._catalog.reading() as session:
            row = session.get(RecordingRow, recording_id)
            if row is None:
                raise UnknownRecording(recording_id)
            return _record(row)

    def chunk(self, recording_id: str, number: int) -> bytes | None:
        """The body of a chunk; None: there is no such chunk."""
        with self._catalog.reading() as session:
            row = session.get(RecordingChunkRow, (recording_id, number))
            return None if row is None else row.body

    def listed(self, owners: list[str] | None) -> tuple[RecordingRecord, ...]:
        """The recordings of these owners and the shared ones, newest first; None: all."""
        query = select(RecordingRow).order_by(RecordingRow.created.desc(), RecordingRow.id).limit(LISTED)
        if owners is not None:
            query = query.where(or_(RecordingRow.owner.in_(owners), RecordingRow.shared.is_(True)))
        with self._catalog.reading() as session:
            return tuple(_record(row) for row in session.scalars(query))

    def delete(self, recording_id: str) -> None:
        with fenced(self._catalog, self._lease, rights=False) as session:
            session.execute(delete(RecordingChunkRow).where(RecordingChunkRow.recording_id == recording_id))
            session.execute(delete(RecordingRow).where(RecordingRow.id == recording_id))


def _record(row: RecordingRow) -> RecordingRecord:
    return RecordingRecord(
        row.id, row.session_id, row.owner, row.title, row.slides, row.created, row.duration, row.bytes, row.chunks,
        row.done, row.shared,
    )  # fmt: skip

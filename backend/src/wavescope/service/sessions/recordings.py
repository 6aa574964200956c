"""Recordings for the users who may see them: list, read, rename, share, delete, make a tour (SE39, SE40)."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from wavescope.access.principal import Principal
from wavescope.catalog.records import DocumentRecord
from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.catalog.sessions.records import RecordingRecord
from wavescope.errors import Forbidden, InvalidParameter, OutOfRange, UnknownRecording
from wavescope.service.access.gate import Gate
from wavescope.service.sessions.members import Person
from wavescope.service.slides.tours import TourService
from wavescope.sessions.recording import ENTRY, AnyEntry
from wavescope.sessions.touring import tour_of


class RecordingService:
    """The recordings of all sessions. ``principal`` and ``person`` (see ``Participants``) identify the client."""

    def __init__(self, table: RecordingTable, gate: Gate, tours: TourService) -> None:
        self._table, self._gate, self._tours = table, gate, tours

    async def listed(self, principal: Principal, person: Person | None) -> list[RecordingRecord]:
        """The client's own recordings and the shared ones, newest first; for the local user all."""
        everything = principal.local
        owners = None if everything else [person.identity] if person else []
        records = await asyncio.to_thread(self._table.listed, owners)
        return [one for one in records if everything or self._may_see(one, principal, person)]

    async def get(self, principal: Principal, person: Person | None, recording_id: str) -> RecordingRecord:
        """Raises UnknownRecording."""
        record = await asyncio.to_thread(self._table.get, recording_id)
        if not self._may_see(record, principal, person):
            raise UnknownRecording(recording_id)
        return record

    async def lines(self, principal: Principal, person: Person | None, recording_id: str, chunk: int) -> list[str]:
        """The entries of a chunk, each as JSON. Raises UnknownRecording, OutOfRange."""
        record = await self.get(principal, person, recording_id)
        if chunk == 0 and record.chunks == 0:
            return []
        lines = await asyncio.to_thread(self._lines, recording_id, chunk)
        if lines is None:
            raise OutOfRange("chunk", chunk, f"0 to {record.chunks - 1}")
        return lines

    async def change(
        self, principal: Principal, person: Person | None, recording_id: str, fields: Mapping[str, Any]
    ) -> RecordingRecord:
        """``fields``: title, shared. Raises UnknownRecording, Forbidden."""
        await self._require_owner(principal, person, recording_id)
        return await asyncio.to_thread(self._table.change, recording_id, fields)

    async def delete(self, principal: Principal, person: Person | None, recording_id: str) -> None:
        """Raises UnknownRecording, Forbidden, InvalidParameter (while it is running)."""
        if not (await self._require_owner(principal, person, recording_id)).done:
            raise InvalidParameter("recording", recording_id, "a recording that has ended")
        await asyncio.to_thread(self._table.delete, recording_id)

    async def make_tour(
        self, principal: Principal, person: Person | None, recording_id: str, title: str
    ) -> DocumentRecord:
        """A guided tour of what was shown.

        Raises UnknownRecording, Forbidden, UnknownSlide, InvalidParameter (nothing was shown).
        """
        record = await self.get(principal, person, recording_id)
        made = await asyncio.to_thread(lambda: tour_of(self._entries(record), title))
        if made is None:
            raise InvalidParameter("recording", recording_id, "a recording in which something is shown")
        slide, tour = made
        return await self._tours.create(principal, tour, slide, None)

    async def _require_owner(self, principal: Principal, person: Person | None, recording_id: str) -> RecordingRecord:
        record = await self.get(principal, person, recording_id)
        if not self.owns(record, principal, person):
            raise Forbidden("change this recording")
        return record

    def owns(self, record: RecordingRecord, principal: Principal, person: Person | None) -> bool:
        """Whether the client may change the recording."""
        return principal.has_role("admin") or (person is not None and person.identity == record.owner)

    def _may_see(self, record: RecordingRecord, principal: Principal, person: Person | None) -> bool:
        if self.owns(record, principal, person):
            return True
        return record.shared and all(self._gate(principal, "view slide", one["id"]) for one in record.slides)

    def _entries(self, record: RecordingRecord) -> Iterator[AnyEntry]:
        for chunk in range(record.chunks):
            for line in self._lines(record.id, chunk) or ():
                yield ENTRY.validate_json(line)

    def _lines(self, recording_id: str, chunk: int) -> list[str] | None:
        body = self._table.chunk(recording_id, chunk)
        return None if body is None else zlib.decompress(body).decode().split("\n")

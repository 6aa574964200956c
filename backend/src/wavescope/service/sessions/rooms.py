"""The rooms that are open in this process: opened when asked for, kept every second, rechecked, ended when idle."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from wavescope.errors import Unavailable, WavescopeError
from wavescope.service.sessions.ports import SessionPorts
from wavescope.service.sessions.room import Room

IDLE_SECONDS = 3600.0  # with nobody there
LONGEST_SECONDS = 24 * 3600.0
KEEP_SECONDS = 1.0
POLL_EVERY = 2  # keepings


class Rooms:
    """``clock``: seconds since 1970."""

    def __init__(self, ports: SessionPorts, clock: Callable[[], float]) -> None:
        self._ports, self._clock = ports, clock
        self._rooms: dict[str, asyncio.Task[Room]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._revoked = asyncio.Event()

    def start(self) -> None:
        """Begins to look after the rooms."""
        self._tasks = [asyncio.create_task(self._keep_often()), asyncio.create_task(self._recheck_when_told())]

    async def stop(self) -> None:
        """Keeps all rooms."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for room in await asyncio.gather(*self._rooms.values(), return_exceptions=True):
            if isinstance(room, Room):
                await room.stop()
        self._rooms.clear()

    async def open(self, session_id: str) -> Room:
        """The room of a session, opened if it is not. Raises UnknownSession."""
        known = self._rooms.get(session_id)
        if known is not None and known.done() and (known.exception() is not None or known.result().failed):
            del self._rooms[session_id]
            if known.exception() is None:
                await known.result().stop()
            known = self._rooms.get(session_id)
        if known is None:
            known = self._rooms[session_id] = asyncio.create_task(Room.open(session_id, self._ports))
        try:
            return await asyncio.shield(known)
        except WavescopeError:
            self._rooms.pop(session_id, None)
            raise

    def __contains__(self, session_id: str) -> bool:
        return session_id in self._rooms

    async def drop(self, session_id: str) -> None:
        """Closes the room of a session; its state is kept."""
        task = self._rooms.pop(session_id, None)
        if task is not None:
            await (await task).stop()

    def annotated(self, slide_id: str, sequence: int) -> None:
        """Tells the rooms that show a slide that its annotations have changed."""
        for room in self._opened():
            room.annotated(slide_id, sequence)

    def revoked(self) -> None:
        """Something was revoked: everybody is asked at once whether they may stay (SE30)."""
        self._revoked.set()

    async def sweep(self) -> None:
        """Ends what nobody visits, and what has become too old (SE34)."""
        now = self._clock()
        idle = self._ports.sessions.idle
        for session_id in await asyncio.to_thread(idle, now - IDLE_SECONDS, now - LONGEST_SECONDS):
            room = await self.open(session_id)
            if not room.occupied or now - room.state.started / 1000 > LONGEST_SECONDS:
                room.end("idle")
                await room.settled()

    async def _recheck_when_told(self) -> None:
        while True:
            await self._revoked.wait()
            self._revoked.clear()
            for room in self._opened():
                try:
                    await room.recheck()
                except Exception:  # of one room: it asks again by itself within 15 s
                    logging.getLogger(__name__).exception("a session could not be rechecked")

    async def _keep_often(self) -> None:
        beats = 0
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            beats += 1
            for room in self._opened():
                try:
                    await self._keep(room, poll=beats % POLL_EVERY == 0)
                except Unavailable:  # the catalog does not answer: next time
                    continue
                except Exception as cause:  # one room's, not all rooms': it is opened anew
                    room.fail(cause)

    async def _keep(self, room: Room, *, poll: bool) -> None:
        await room.keep()
        if poll and room.occupied:
            await room.poll()
        if room.told.state == "ended" and not room.occupied:
            await self.drop(room.id)

    def _opened(self) -> list[Room]:
        done = [task for task in self._rooms.values() if task.done() and task.exception() is None]
        return [room for room in (task.result() for task in done) if not room.failed]

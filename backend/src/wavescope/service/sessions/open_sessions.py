"""The open sessions of this process: opened on demand, updated every second, rechecked, ended when idle."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from typing import NamedTuple

from wavescope.config import Limits
from wavescope.errors import LeaseLost, SessionOnOtherNode, StoreFull, Unavailable, WavescopeError
from wavescope.logs.loggers import get_logger
from wavescope.service.sessions.connections import MOVED
from wavescope.service.sessions.environment import Environment
from wavescope.service.sessions.live_session import LiveSession
from wavescope.service.sessions.ownership import Ownership
from wavescope.service.sessions.persistence import SessionStore
from wavescope.sessions.model import Changes

UPDATE_SECONDS = 1.0
POLL_EVERY = 2  # updates

log = get_logger(__name__)


class SessionCounts(NamedTuple):
    """Open sessions, those of them with anyone connected, connected members, and their connections."""

    sessions: int
    occupied: int
    members: int
    connections: int


class OpenSessions:
    """Opens each session once; many callers may request it at the same time. ``ownership``: on a node of a cluster."""

    def __init__(
        self, store: SessionStore, environment: Environment, limits: Limits, ownership: Ownership | None = None
    ) -> None:
        self._store, self._environment, self._limits, self._ownership = store, environment, limits, ownership
        self._opening: dict[str, asyncio.Task[LiveSession]] = {}
        self._rechecking: asyncio.Task[None] | None = None
        self._revoked = asyncio.Event()
        self._updates = 0
        self._stopping = False
        self._unstored = False  # whether a session waits for the catalog

    def start(self) -> None:
        """Starts to wait for revoked rights."""
        self._rechecking = asyncio.create_task(self._recheck_when_revoked())

    async def stop(self) -> None:
        """Stores and closes all sessions; other nodes may open them at once."""
        self._stopping = True
        if self._rechecking is not None:
            self._rechecking.cancel()
            await asyncio.gather(self._rechecking, return_exceptions=True)
        await self.hand_over()

    async def hand_over(self) -> None:
        """Stores and closes all sessions and opens no more. The members are not marked absent: they connect again, to
        another node (CL22). Returns when all connections are being closed.
        """
        self._stopping = True
        opened = await asyncio.gather(*self._opening.values(), return_exceptions=True)
        self._opening.clear()
        sessions = [session for session in opened if isinstance(session, LiveSession)]
        await asyncio.gather(*(session.stop() for session in sessions))
        with contextlib.suppress(Unavailable, StoreFull):  # else they find that this node is gone
            await self._release(sessions)
        for session in sessions:
            session.connections.close_all(MOVED)

    async def open(self, session_id: str) -> LiveSession:
        """The open session; opens it if necessary, also after a failure. Raises UnknownSession, SessionOnOtherNode if
        another node owns it, Unavailable.
        """
        known = self._opening.get(session_id)
        if known is not None and known.done() and (known.exception() is not None or known.result().failed):
            del self._opening[session_id]
            if known.exception() is None:
                await known.result().stop()
            known = self._opening.get(session_id)
        if known is None:
            if self._stopping:
                raise Unavailable("the session", "this service stops")
            known = self._opening[session_id] = asyncio.create_task(self._open(session_id))
        try:
            return await asyncio.shield(known)
        except WavescopeError:
            self._opening.pop(session_id, None)
            raise

    async def _open(self, session_id: str) -> LiveSession:
        claimed = None
        if self._ownership is not None:
            await self._store.get(session_id)  # an id that is none has no lease
            claimed = await self._ownership.claim(session_id)
        return await LiveSession.open(session_id, self._store, self._environment, claimed)

    def opened(self, session_id: str) -> LiveSession | None:
        """The session if it is open here."""
        task = self._opening.get(session_id)
        if task is None or not task.done() or task.cancelled() or task.exception() is not None:
            return None
        return None if task.result().failed else task.result()

    def __contains__(self, session_id: str) -> bool:
        return session_id in self._opening

    async def close(self, session_id: str) -> None:
        """Stores and closes a session."""
        task = self._opening.pop(session_id, None)
        if task is not None:
            session = await task
            await session.stop()
            await self._release([session])

    async def _release(self, sessions: Iterable[LiveSession]) -> None:
        if self._ownership is not None:
            await self._ownership.release(one.lease for one in sessions if one.lease is not None)

    def annotated(self, slide_id: str, sequence: int) -> None:
        """Notifies the sessions with this slide that its annotations have changed; ``sequence``: the last change."""
        changes = Changes(slide=slide_id, sequence=sequence)
        for session in self._opened():
            session.annotated(changes)

    def revoked(self) -> None:
        """Rights were revoked: the access of all connections is checked at once (SE30)."""
        self._revoked.set()

    async def update(self) -> None:
        """Stores what has changed and applies what time changes; to be called every UPDATE_SECONDS."""
        self._updates += 1
        unstored = False
        for session in self._opened():
            try:
                await self._update(session, poll=self._updates % POLL_EVERY == 0)
            except LeaseLost as cause:
                session.fail(cause)
            except (Unavailable, StoreFull) as cause:  # try again with the next update
                if not (unstored or self._unstored):
                    log.warning("live sessions wait for the catalog", exc_info=cause)
                unstored = True
            except Exception as cause:  # of one session, not of all: it is opened again
                session.fail(cause)
        if self._unstored and not unstored:
            log.info("live sessions are stored again")
        self._unstored = unstored

    async def sweep(self) -> None:
        """Ends sessions that are unused or too old (SE34)."""
        now = self._environment.clock()
        idle, longest = self._limits.session_idle_seconds, self._limits.session_seconds
        for session_id in await self._store.idle(now - idle, now - longest):
            try:
                session = await self.open(session_id)
            except SessionOnOtherNode:  # its node ends it
                continue
            if not session.occupied or now - session.state.started / 1000 > longest:
                session.end("idle")
                await session.settled()

    async def drop_lost(self) -> None:
        """Ends the sessions here that another node owns, or may own: their clients connect again (CL24, CL29)."""
        if self._ownership is None:
            return
        held = {session.lease: session for session in self._opened() if session.lease is not None}
        try:
            lost = await self._ownership.lost(held)
        except (Unavailable, StoreFull):  # each write is refused or waits
            return
        for lease in lost:
            session = held[lease]
            session.fail(LeaseLost(session.id))
            if self.opened(session.id) is None:
                self._opening.pop(session.id, None)
            await session.stop()

    async def _recheck_when_revoked(self) -> None:
        while True:
            await self._revoked.wait()
            self._revoked.clear()
            for session in self._opened():
                try:
                    await session.recheck()
                except Exception:  # of one session: it is checked again within 15 s
                    log.exception("access to a live session not checked", session=session.id)

    async def _update(self, session: LiveSession, *, poll: bool) -> None:
        await session.update()
        if poll and session.occupied:
            for changes in await self._store.annotation_changes([slide.id for slide in session.state.slides]):
                session.annotated(changes)  # by other processes
        if session.published.state == "ended" and not session.occupied:
            await self.close(session.id)

    def attendance(self) -> SessionCounts:
        """How many sessions are open, and who is connected."""
        all_of = [session.connections for session in self._opened()]
        members, connections = sum(one.members for one in all_of), sum(map(len, all_of))
        return SessionCounts(len(all_of), sum(map(bool, all_of)), members, connections)

    def _opened(self) -> list[LiveSession]:
        done = [task for task in self._opening.values() if task.done() and task.exception() is None]
        return [session for session in (task.result() for task in done) if not session.failed]

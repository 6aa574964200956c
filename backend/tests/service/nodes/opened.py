"""A live session that nodes open one after another, with a clock that the test turns."""

from __future__ import annotations

import json
import time

from service.outages import no_wait
from wavescope.access.principal import LOCAL_USER
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.annotations import AnnotationTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.catalog.tours import Tours
from wavescope.service.access.gate import may
from wavescope.service.access.sharing_gate import CaseGate
from wavescope.service.sessions.connections import Connection
from wavescope.service.sessions.descriptions import SessionRequest
from wavescope.service.sessions.environment import Environment
from wavescope.service.sessions.live_session import LiveSession
from wavescope.service.sessions.members import Participants, Person, delegate_all
from wavescope.service.sessions.ownership import Claimed
from wavescope.service.sessions.persistence import SessionStore
from wavescope.service.sessions.sessions import SessionService
from wavescope.service.slides.tours import TourService
from wavescope.sessions.client_messages import Hello

HELLO = Hello(type="hello", versions=(1,), client="window-0")


class Opened:
    """A session of one owner on the slide ``visual``."""

    def __init__(self, catalog: Catalog) -> None:
        self.now = time.time()
        table = SessionTable(catalog)
        tours = TourService(Tours(catalog), may, CaseGate(SharingTable(catalog)))
        annotations = AnnotationTable(catalog.engine, max_objects=9, max_classes=9)
        self.environment = Environment(
            catalog, may, tours, annotations, lambda *entry, **detail: None, clock=lambda: self.now
        )
        self.store = SessionStore(table, RecordingTable(catalog), no_wait())
        participants = Participants(table, delegate_all, 3600.0)
        self.service = SessionService(self.store, self.environment, participants)
        self.id = self.token = ""
        self._ref = 0

    async def create(self) -> str:
        view, token = await self.service.create(LOCAL_USER, None, SessionRequest("T", ["visual"], "Ada"))
        self.id, self.token = view.record.id, token or ""
        return self.id

    async def open(self, claimed: Claimed) -> LiveSession:
        return await LiveSession.open(self.id, self.store, self.environment, claimed)

    async def owner(self) -> Person:
        person = await self.service.participants.identify(LOCAL_USER, self.token)
        assert person is not None
        return person

    def connect(self, session: LiveSession, person: Person) -> Connection:
        connection = session.connect(person, HELLO, self.owner)
        assert isinstance(connection, Connection)
        return connection

    async def act(self, session: LiveSession, connection: Connection, kind: str, **members: object) -> None:
        """An operation, until it is stored."""
        self._ref += 1
        await session.receive(connection, json.dumps({"type": kind, "ref": self._ref, **members}))
        await session.settled()

    async def store_views(self, session: LiveSession) -> None:
        """What is stored once a second."""
        await session.update()

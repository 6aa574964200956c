"""An open live session: the current and the published state, connections, and what is stored."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

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
from wavescope.service.sessions.connections import FAILED, REPLACED, Closing, Connection, Connections, EventText
from wavescope.service.sessions.descriptions import SessionRequest
from wavescope.service.sessions.environment import Environment
from wavescope.service.sessions.live_session import LiveSession
from wavescope.service.sessions.members import Participants, Person, delegate_all
from wavescope.service.sessions.persistence import SessionStore
from wavescope.service.sessions.pipeline import CLIENTS, OperationRefs
from wavescope.service.sessions.sessions import SessionService
from wavescope.service.slides.tours import TourService
from wavescope.sessions import limits
from wavescope.sessions.client_messages import Hello

HELLO = Hello(type="hello", versions=(1,), client="window-0")


class Opened:
    """A session of one owner, and the service that serves it."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog, self.table = catalog, SessionTable(catalog)
        tours = TourService(Tours(catalog), may, CaseGate(SharingTable(catalog)))
        annotations = AnnotationTable(catalog.engine, max_objects=9, max_classes=9)
        environment = Environment(catalog, may, tours, annotations, lambda *entry, **detail: None)
        store = SessionStore(self.table, RecordingTable(catalog), no_wait())
        self.service = SessionService(store, environment, Participants(self.table, delegate_all, 3600.0))
        self.id = self.token = ""

    async def create(self) -> LiveSession:
        view, token = await self.service.create(LOCAL_USER, None, SessionRequest("T", ["a"], "Ada"))
        self.id, self.token = view.record.id, token or ""
        return await self.service.open(self.id)

    async def owner(self) -> Person:
        person = await self.service.participants.identify(LOCAL_USER, self.token)
        assert person is not None
        return person

    async def connect(self, session: LiveSession) -> Connection:
        connection = session.connect(await self.owner(), HELLO, self.owner)
        assert isinstance(connection, Connection)
        return connection


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    catalog = Catalog.open(tmp_path)
    catalog.publish("a", "a", "d" * 32, {}, owner="")
    made = Opened(catalog)
    yield made
    await made.service.stop()
    catalog.close()


def note(ref: int, text: str = "a duct") -> str:
    return json.dumps({"type": "note", "ref": ref, "text": text})


async def sent(connection: Connection, kind: str) -> dict[str, Any]:
    """The next message of this type to a connection."""
    while (text := await connection.next_text()) is not None:
        message: dict[str, Any] = json.loads(text)
        if message["type"] == kind:
            return message
    raise AssertionError(f"closed without {kind}: {connection.closing}")


async def test_an_event_changes_the_current_state_at_once_and_is_published_when_stored_se15(opened: Opened) -> None:
    session = await opened.create()
    session.change_title("Another", session.state.code)
    assert (session.state.title, session.published.title) == ("Another", "T")
    assert opened.table.get(opened.id).title == "T"
    await session.settled()
    assert (session.published, opened.table.get(opened.id).title) == (session.state, "Another")


async def test_an_operation_is_done_once_also_after_the_session_was_opened_again_se20(opened: Opened) -> None:
    session = await opened.create()
    connection = await opened.connect(session)
    await session.receive(connection, note(1))
    assert (await sent(connection, "ack"))["error"] is None
    await opened.service.stop()
    other = Opened(opened.catalog)
    other.token = opened.token
    again = await other.service.open(opened.id)
    connection = await other.connect(again)
    assert (await sent(connection, "welcome"))["last_ref"] == 1
    for ref in (1, 2):
        await again.receive(connection, note(ref, str(ref)))
        await sent(connection, "ack")
    assert [one.text for one in again.state.notes] == ["a duct", "2"]
    await other.service.stop()


def test_an_accepted_operation_is_not_saved_before_it_is_acknowledged_se20() -> None:
    refs = OperationRefs({"m1/window": 3}, [])
    refs.accept("m1/window", 4)
    assert (refs.last("m1/window"), refs.acknowledged) == (4, {"m1/window": 3})
    refs.acknowledge("m1/window", 4)
    assert refs.acknowledged == {"m1/window": 4}
    for number in range(CLIENTS):
        refs.accept(f"m2/{number}", 1)
    assert refs.last("m1/window") == 0  # silent longest
    assert refs.last("m2/0") == 1


async def test_what_cannot_be_stored_closes_all_connections_and_the_session_is_opened_again_se32(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await opened.create()
    connection = await opened.connect(session)
    await session.settled()

    def fail(*_: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr(SessionTable, "update", fail)
        session.change_title("Lost", session.state.code)
        with pytest.raises(OSError, match="disk full"):
            await session.settled()
    assert (session.failed, connection.closing, session.published.title) == (True, FAILED, "T")
    again = await opened.service.open(opened.id)
    assert again is not session
    assert again.state.title == "T"


async def test_a_recording_that_ends_while_annotations_are_read_ends_with_that_event_se37(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await opened.create()
    connection = await opened.connect(session)
    await session.receive(connection, json.dumps({"type": "record", "ref": 1, "on": True}))
    await session.settled()
    assert session.state.recording is not None
    recording_id, read = session.state.recording.id, Environment.annotations

    async def end_meanwhile(of: Environment, slide: str, since: int | None) -> object:
        found = await read(of, slide, since)
        await session.receive(connection, json.dumps({"type": "record", "ref": 2, "on": False}))
        await session.settled()
        return found

    monkeypatch.setattr(Environment, "annotations", end_meanwhile)
    for _ in range(2):
        await session.update()
    table = RecordingTable(opened.catalog)
    chunk = table.chunk(recording_id, 0)
    assert chunk is not None
    last = json.loads(zlib.decompress(chunk).decode().split("\n")[-1])
    assert (last["kind"], last["event"]["kind"], table.get(recording_id).done) == ("event", "recording", True)


async def test_only_welcomed_connections_receive_what_is_sent_to_all(opened: Opened) -> None:
    await opened.create()
    person, all_of_them = await opened.owner(), Connections()
    waiting, welcomed = (Connection(person, "m1", f"window-{n}", 0, opened.owner) for n in range(2))
    for connection in (waiting, welcomed):
        all_of_them.add(connection)
    welcomed.welcome("welcome")
    all_of_them.send(EventText("event", "event"))
    assert [await welcomed.next_text(), await welcomed.next_text()] == ["welcome", "event"]
    assert (all_of_them.remove(waiting), all_of_them.remove(welcomed)) == (False, True)
    assert (await waiting.next_text(), bool(all_of_them)) == (None, False)


async def test_one_connection_too_many_closes_the_oldest_of_the_member_se4(opened: Opened) -> None:
    await opened.create()
    person, all_of_them = await opened.owner(), Connections()
    made = [Connection(person, "m1", f"window-{n}", n, opened.owner) for n in range(limits.CONNECTIONS + 1)]
    for connection in made:
        all_of_them.add(connection)
    closings: list[Closing | None] = [one.closing for one in made]
    assert closings == [REPLACED] + [None] * limits.CONNECTIONS

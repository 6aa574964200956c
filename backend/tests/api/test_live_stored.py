"""What outlives the service and the session: state after a kill, recordings, replays, tours (SE32, SE37 to SE40)."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from api.live_client import VIEW, LiveClient, view_at
from api.parties import Party, hold, party
from api.processes import free_port, process
from service.world import World
from wavescope.catalog.sessions.records import SessionUpdate, StoredEvent
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.sessions import limits
from wavescope.sessions.model import State
from wavescope.sessions.recording import ENTRY, replayed

pytestmark = pytest.mark.slow

POINT = {"kind": "point", "geometry": {"type": "Point", "coordinates": [3, 4]}}


def settled(state: State | None) -> State:
    """Without what passes: who is there, cursors, numbers."""
    assert state is not None
    members = tuple(member.model_copy(update={"present": True, "hand": None}) for member in state.members)
    passing = {"members": members, "cursors": (), "sequence": 0, "lost_until": None}
    return state.model_copy(update=passing)


async def back(again: LiveClient, before: LiveClient) -> None:
    """Comes back with what it knew."""
    assert before.state is not None
    again.state = before.state
    await again.hello(before.state.sequence)


async def test_a_killed_service_brings_everybody_back_with_all_there_was_se32(world: World, tmp_path: Path) -> None:
    store = world.copy(tmp_path / "store").store
    port = free_port()
    async with process(store, port) as child:
        live = await hold(port)
        guest = await live.join("Ben")
        async with live.window() as ada, live.window(guest, "window-ben") as ben:
            await ada.do("stage", stage={"slide": "visual", "pair": {"slide": "planes", "mode": "swipe"}})
            await ada.do("note", text="before")
            await ada.do("allow", member=ben.you, steers=True)
            await ada.do("record", on=True)
            body = {"changes": [{"id": "a1", "revision": 0, "content": POINT}]}
            assert (await live.ask("POST", "/slides/visual/annotations:batch", guest, json=body)).status_code == 200
            await ada.look(42.0)
            await ben.until_view(42.0)
            while not (ben.state and ben.state.recording):
                await ben.hear()
            ref = (await ben.do("hand", member=ben.you, raised=True))["ref"]
            entries: list[dict[str, Any]] = []
            while not any(entry["kind"] == "views" for entry in entries):  # stored every second
                listed = (await live.ask("GET", "/recordings")).json()["recordings"]
                entries = await entries_of(live, listed[0]) if listed else []
            child.kill()
            await child.wait()
            for one in (ada, ben):
                await one.gone()
    async with process(store, port):
        async with live.stranger(live.cookie) as ada2, live.stranger(guest, "window-ben") as ben2:
            await back(ada2, ada)
            await back(ben2, ben)
            assert (ada2.welcome["resumed"], ben2.welcome["resumed"]) == (True, True)
            assert ben2.welcome["last_ref"] == ref
            await ada2.do("follow", following=True)
            await ben2.do("follow", following=True)
            assert settled(ada2.state) == settled(ada.state)
            assert settled(ben2.state) == settled(ada2.state)
            found = (await live.ask("GET", "/slides/visual/annotations", guest)).json()["annotations"]
            assert [one["id"] for one in found] == ["a1"]
            await ada2.send({"type": "view", "pane": 0, "stage": 2, "view": view_at(43.0)})
            await ben2.until_view(43.0)
            await ada2.do("record", on=False)
        await check_recording(live, [42.0, 43.0])


async def check_recording(live: Party, views: list[float]) -> None:
    """The recording holds these views, though the service was lost in its middle."""
    (record,) = (await live.ask("GET", "/recordings")).json()["recordings"]
    while record["state"] != "done":
        (record,) = (await live.ask("GET", "/recordings")).json()["recordings"]
    entries = await entries_of(live, record)
    seen = [look["view"]["l0_x"] for entry in entries if entry["kind"] == "views" for look in entry["views"]]
    assert seen == views
    assert replayed(None, [ENTRY.validate_json(json.dumps(entry)) for entry in entries]) is not None


async def entries_of(live: Party, record: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for chunk in range(record["chunks"]):
        answer = (await live.ask("GET", f"/recordings/{record['id']}/entries?chunk={chunk}", live.cookie)).json()
        found += answer["entries"]
    return found


async def test_a_recording_replays_what_was_seen_and_makes_a_tour_se37_se39_se40(world: World, tmp_path: Path) -> None:
    async with party(world.copy(tmp_path / "store").store) as live:
        guest, session = await live.join("Ben"), await live.live_session()
        async with live.window() as ada, live.window(guest) as ben:
            await ada.look(1.0)
            await ben.until_view(1.0)
            await ada.do("record", on=True)
            await ben.until_event("recording")
            seen = []
            for x in (2.0, 3.0, 4.0):
                await ada.look(x)
                await ben.until_view(x)
                seen.append(ben.state and ben.state.views)
            await ada.do("note", text="a duct")
            await session.update()  # the annotations that are there already are not pointed out
            body = {"changes": [{"id": "a1", "revision": 0, "content": POINT}]}
            await live.ask("POST", "/slides/visual/annotations:batch", guest, json=body)
            await ben.until("tick")
            await session.update()
            await ada.do("stage", stage={"slide": "planes"}, views=[{"pane": 0, "view": VIEW}])
            await ben.until_event("stage")
            await ada.do("note", text="x" * 80)
            await ben.until_event("note")
            last = ben.state
            await ada.do("record", on=False)
            await session.update()
        (record,) = (await live.ask("GET", "/recordings", live.cookie)).json()["recordings"]
        assert (record["state"], record["owner"], record["slides"][0]["id"]) == ("done", True, "visual")
        assert await live.ask("PATCH", f"/recordings/{record['id']}", live.cookie, json={"title": "A", "shared": True})
        raw = await entries_of(live, record)
        entries = [ENTRY.validate_json(json.dumps(entry)) for entry in raw]
        assert [entry.time for entry in entries] == sorted(entry.time for entry in entries)
        assert raw[0]["state"]["code"] == ""
        states = [replayed(None, entries[: number + 1]) for number in range(len(entries))]
        views = [state.views for state in states if state is not None]
        assert [x for x in seen if x in views] == seen
        assert states[-2] is not None
        assert settled(states[-2]).model_copy(update={"code": "", "annotations": ()}) == settled(last).model_copy(
            update={"code": "", "annotations": ()}
        )
        made = await live.ask("POST", f"/recordings/{record['id']}/tour", live.cookie, json={"title": "Ducts"})
        assert made.status_code == 201, made.text
        tour = made.json()["tour"]
        first, second = tour["waypoints"]
        assert first["title"] == "a duct"
        assert (made.json()["slide_id"], first["slide"], second["slide"]) == ("visual", None, "planes")
        assert (first["view"]["l0_x"], first["annotations"], second["text"]) == (4.0, ["a1"], "x" * 80)
        assert (await live.ask("DELETE", f"/recordings/{record['id']}", live.cookie)).status_code == 204
        assert (await live.ask("GET", "/recordings", live.cookie)).json() == {"recordings": []}


async def test_a_recording_ends_when_it_is_full_se37(world: World, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("wavescope.service.sessions.recorder.LARGEST", 4000)
    monkeypatch.setattr("wavescope.service.sessions.recorder.CHUNK", 1000)
    async with party(world.copy(tmp_path / "store").store) as live:
        session = await live.live_session()
        async with live.window() as ada:
            await ada.do("record", on=True)
            for number in range(12):
                await ada.do("note", text=f"{number} " + "x" * 300)
                await session.update()
            while ada.state and ada.state.recording:
                await ada.hear()
            await session.update()
        (record,) = (await live.ask("GET", "/recordings", live.cookie)).json()["recordings"]
        assert record["state"] == "done"
        assert record["chunks"] > 2
        assert 4000 <= record["bytes"] < 6000
        entries = await entries_of(live, record)
        assert entries[0]["kind"] == "state"
        too_far = await live.ask("GET", f"/recordings/{record['id']}/entries?chunk=99", live.cookie)
        assert too_far.status_code == 400


async def test_what_was_kept_long_ago_and_since_is_the_state_se32(world: World, tmp_path: Path) -> None:
    store = world.copy(tmp_path / "store").store
    async with party(store) as live:
        session = await live.live_session()
        for number in range(limits.RETAINED_EVENTS + 250):
            session.change_title(f"T{number}", session.state.code)
            if number % 100 == 0:
                await session.settled()
                await session.update()
        await session.settled()
        state = session.published
    async with party(store) as other:
        assert other.served is not None
        again = await other.served.service.sessions.open(live.id)
        assert again.published.title == state.title
        assert again.published.sequence >= state.sequence


async def test_what_cannot_be_stored_is_sent_to_nobody_all_reconnect_se32_se41(world: World, tmp_path: Path) -> None:
    async with party(world.copy(tmp_path / "store").store) as live:
        assert live.served is not None
        session, table = await live.live_session(), SessionTable(live.served.service.catalog)
        async with live.window() as ada:
            await ada.do("note", text="stored")
            stored = StoredEvent(session.state.sequence + 1, 1, None, None, None, "{}")
            table.update(live.id, SessionUpdate([stored]))  # by another process
            await ada.send({"type": "note", "ref": 9, "text": "lost"})
            assert (await ada.closed())[0] == 1011
            assert [note.text for note in (ada.state.notes if ada.state else ())] == ["stored"]
        with sqlite3.connect(live.served.store / "catalog.sqlite") as database:
            database.execute("DELETE FROM session_events WHERE event = '{}'")
        async with live.window() as again:
            ack = await again.do("note", text="lost")
            assert ack["error"] is None
            assert again.state is not None
            assert [note.text for note in again.state.notes] == ["stored", "lost"]

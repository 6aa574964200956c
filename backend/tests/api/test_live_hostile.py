"""Hostile clients and clients that do not read: refused cleanly, unnoticed by other clients (SE12, SE24, SE27-SE28)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from api.live_client import view_at
from api.parties import COOKIE, Party, party
from service.world import World
from wavescope.sessions import limits

LOOK = {"type": "view", "pane": 0, "stage": 1}
HELLO = {"type": "hello", "versions": [1], "client": "window-0", "sequence": None}


@pytest.fixture
async def live(world: World, tmp_path: Path) -> AsyncIterator[Party]:
    async with party(world.copy(tmp_path / "store").store) as made:
        yield made


FIRST: dict[str, Any] = {
    "no JSON": "{",
    "no object": "[1]",
    "no type": "{}",
    "an unknown type": {"type": "admin"},
    "something before hello": {"type": "ping", "t": 1},
    "a member too many": {**HELLO, "owner": True},
    "no versions": {**HELLO, "versions": []},
    "versions of another kind": {**HELLO, "versions": ["1"]},
    "a client that is no name": {**HELLO, "client": "../../etc"},
    "a sequence below zero": {**HELLO, "sequence": -1},
    "a sequence beyond numbers": {**HELLO, "sequence": 1e99},
    "deep nesting": "[" * 10_000,
    "bytes": b"\x00\x01",
}
ASK: dict[str, Any] = {"kind": "single", "question": "q", "options": ["a", "b"]}
NO_POLL: dict[str, Any] = {"poll": "d0" * 16, "reveal": True}
LATER: dict[str, Any] = {
    "hello again": HELLO,
    "a view that is nowhere": {**LOOK, "view": {**view_at(0), "l0_x": 1e30}},
    "a view that is not a number": json.dumps({**LOOK, "view": {**view_at(0), "l0_x": float("nan")}}),
    "a pane that is not": {"type": "view", "pane": 4, "stage": 1, "view": view_at(0)},
    "large adjustments": {**LOOK, "view": {**view_at(0), "adjustments": {"a" * 5000: 1}}},
    "nested adjustments": {**LOOK, "view": {**view_at(0), "adjustments": {"a": {"b": 1}}}},
    "half a cursor": {"type": "cursor", "pane": 0, "stage": 1, "l0_x": 1.0, "l0_y": None},
    "an operation without a number": {"type": "note", "text": "x"},
    "a number that is none": {"type": "note", "ref": 0, "text": "x"},
    "a long note": {"type": "note", "ref": 1, "text": "x" * 2001},
    "a name of two lines": {"type": "name", "ref": 1, "name": "a\nb"},
    "too many slides": {"type": "slides", "ref": 1, "slides": [f"s{n}" for n in range(51)]},
    "a member of two groups": {
        "type": "groups",
        "ref": 1,
        "groups": [{"name": "a", "members": ["m1"]}, {"name": "b", "members": ["m1"]}],
    },
    "too many groups": {"type": "groups", "ref": 1, "groups": [{"name": "a", "members": []}] * 21},
    "a poll without options": {"type": "ask-poll", "ref": 1, "kind": "single", "question": "q"},
    "a long question": {"type": "ask-poll", "ref": 1, "kind": "point", "question": "x" * 301, "slide": "visual"},
    "an answer to no id": {"type": "answer-poll", "ref": 1, "poll": "../", "answer": {"choices": [0]}},
    "an option that is not": {"type": "answer-poll", "ref": 1, "poll": "d0" * 16, "answer": {"choices": [10]}},
    "a point that is nowhere": {
        "type": "answer-poll",
        "ref": 1,
        "poll": "d0" * 16,
        "answer": {"point": {"l0_x": 1e30, "l0_y": 0.0}},
    },
    "a long question to the presenter": {"type": "ask-question", "ref": 1, "text": "x" * 301},
    "a question with votes": {"type": "ask-question", "ref": 1, "text": "q", "votes": 99},
    "a question of another": {"type": "ask-question", "ref": 1, "text": "q", "by": "m1"},
    "a place with adjustments": {
        "type": "ask-question",
        "ref": 1,
        "text": "q",
        "place": {"slide": "visual", "view": {**view_at(0), "adjustments": {"a": 1}}},
    },
    "two votes at once": {"type": "vote-question", "ref": 1, "question": "d0" * 16, "vote": 2},
    "an event": {"type": "event", "sequence": 1, "time": 1, "by": None, "event": {"kind": "state", "state": "ended"}},
}


@pytest.mark.parametrize("message", FIRST.values(), ids=FIRST.keys())
async def test_what_is_no_greeting_is_refused_se12(live: Party, message: Any) -> None:
    async with live.stranger(live.cookie) as rude:
        await rude.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))
        code, reason = await rude.closed()
        assert (code, bool(reason)) == (4400, True)


async def test_what_is_no_message_ends_the_connection_and_changes_nothing_se12(live: Party) -> None:
    async with live.window() as ada:
        assert ada.state is not None
        for number, message in enumerate(LATER.values()):
            async with live.window(client=f"rude-window-{number % 3}") as rude:
                await rude.send(message)
                assert (await rude.closed())[0] == 4400
        await ada.do("follow", following=True)
        assert (ada.state.state, ada.state.notes, ada.state.sequence) == ("live", (), ada.welcome["state"]["sequence"])


async def test_a_message_that_is_too_large_ends_the_connection_se12(live: Party) -> None:
    async with live.window() as rude:
        await rude.send({"type": "note", "ref": 1, "text": "x" * limits.MESSAGE_BYTES})
        assert (await rude.closed())[0] == 1009


async def test_versions_are_negotiated_se14(live: Party) -> None:
    async with live.stranger(live.cookie) as ada:
        assert (await ada.hello(versions=(9, 1, 7)))["version"] == 1
    async with live.stranger(live.cookie) as newer:
        assert (await newer.hello(versions=(1, 2, 3)))["version"] == 2
    async with live.stranger(live.cookie) as other:
        await other.send({**HELLO, "versions": [3, 4]})
        assert (await other.closed())[0] == 4406


async def test_who_says_nothing_is_closed_se13(live: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wavescope.api.routes.sessions.live.HELLO_SECONDS", 0.05)
    async with live.stranger(live.cookie) as silent:
        assert (await silent.closed())[0] == 4408


@pytest.mark.slow
async def test_a_flood_is_closed_and_the_others_go_on_se28(live: Party) -> None:
    guest = await live.join("Mallory")
    async with live.window() as ada:
        async with live.window(guest) as rude:
            closed = asyncio.create_task(rude.closed())
            with contextlib.suppress(ConnectionClosed):
                while not closed.done():
                    await rude.send({"type": "ping", "t": 1})
            assert (await closed)[0] == 4429
        assert (await ada.until_event("absent"))["members"] == ["m2"]


async def test_too_many_operations_are_refused_not_done_se28(live: Party) -> None:
    async with live.window() as ada:
        for ref in range(1, 61):
            await ada.send({"type": "note", "ref": ref, "text": f"n{ref}"})
        acks = [await ada.until("ack") for _ in range(60)]
        refused = [ack["ref"] for ack in acks if ack["error"] is not None]
        assert {ack["error"]["code"] for ack in acks if ack["error"]} == {"too-fast"}
        assert len(refused) >= 10
        assert ada.state is not None
        assert len(ada.state.notes) == 60 - len(refused)


async def test_a_follower_cannot_present_by_force_se21(live: Party) -> None:
    guest = await live.join("Mallory")
    async with live.window() as ada, live.window(guest) as rude:
        await rude.look(666.0)
        refused: dict[str, dict[str, Any]] = {
            "present": {"member": rude.you}, "allow": {"member": rude.you, "steers": True}, "pause": {"paused": True},
            "settings": {"settings": {"everyone_steers": True, "guests_annotate": True, "locked": False}},
            "slides": {"slides": ["visual"]}, "stage": {"stage": {"slide": "planes"}}, "note": {"text": "x"},
            "ask-poll": ASK, "groups": {"groups": []}, "move": {"member": rude.you, "group": None},
            "answer-question": {"question": "d0" * 16, "answered": True},
            "hide-question": {"question": "d0" * 16, "hidden": True},
            "close-poll": NO_POLL, "lower-hands": {}, "record": {"on": True}, "remove": {"member": ada.you}, "end": {},
        }  # fmt: skip
        for number, (kind, members) in enumerate(refused.items()):
            ack = await rude.do(kind, **members)
            assert ack["error"]["code"] == "not-allowed", kind
            assert ack["ref"] == number + 1
        await ada.look(1.0)
        await rude.until_view(1.0)
        assert ada.state is not None
        assert (ada.state.presenter, ada.state.state) == (ada.you, "live")
        assert rude.state is not None
        assert [look.view.l0_x for look in rude.state.views] == [1.0]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
async def test_pages_of_other_sites_are_refused_se11(live: Party, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with live.stranger(live.cookie, headers={"Origin": origin}):
            pass
    assert refused.value.response.status_code == 403


async def test_the_services_own_page_is_let_in_se11(live: Party) -> None:
    async with live.stranger(live.cookie, headers={"Origin": f"http://127.0.0.1:{live.port}"}) as ada:
        assert (await ada.hello())["you"] == "m1"


async def test_nobody_learns_whether_a_session_is_there_se24(live: Party) -> None:
    other = await live.join("Ben")
    unknown = Party(live.port, {"id": "0" * 32}, "")
    answers = set()
    for asked, cookie in (
        (live, ""),
        (live, "guessed"),
        (unknown, live.cookie),
        (unknown, other),
        (unknown, ""),
    ):
        async with asked.stranger(cookie) as nobody:
            answers.add(await nobody.closed())
    assert answers == {(4401, "not a member of such a session")}


@pytest.mark.slow
async def test_a_client_that_does_not_read_slows_nobody_and_is_let_go_se27(live: Party) -> None:
    stalled = await live.join("Stalled")
    session = await live.live_session()
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(raw, ("127.0.0.1", live.port))
        head = (
            f"GET /api/v1/sessions/{live.id}/live HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n"
            f"Cookie: {COOKIE}={stalled}\r\n\r\n"
        )
        hello = json.dumps(HELLO).encode()
        await loop.sock_sendall(raw, head.encode())
        assert (await loop.sock_recv(raw, 4096)).startswith(b"HTTP/1.1 101")
        await loop.sock_sendall(raw, b"\x81" + bytes([0x80 | len(hello)]) + bytes(4) + hello)
        async with live.window() as ada:
            while not (ada.state and ada.state.member("m2") and ada.state.member("m2").present):  # type: ignore[union-attr]
                await ada.hear()
            for number in range(limits.QUEUED * 3):
                session.change_title(f"A title that takes some space, number {number}" + "." * 100, session.state.code)
                while number % 100 == 99 and ada.state.title != session.state.title:
                    await ada.hear()
            while not any("absent" in str(message) for message in ada.seen):
                await ada.hear()
            await ada.look(3.0)
            await ada.until("tick")


async def test_codes_cannot_be_tried_without_end_se7(live: Party) -> None:
    answers = [(await live.ask("GET", "/sessions/22222222")).status_code for _ in range(3)]
    assert answers == [404] * 3
    assert live.served is not None
    for _ in range(600):
        await live.served.service.sessions.admission.codes.miss()
    for code in ("22222222", live.session["code"]):
        answer = await live.ask("GET", f"/sessions/{code}")
        assert (answer.status_code, answer.json()["type"]) == (429, "/problems/too-many-requests")

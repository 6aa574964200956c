"""Steered push over a real socket: what is sent, in what order and at what pace, and to whom."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from api.accounts import PEOPLE, Clinic
from api.asking import API
from api.push_client import HELLO, PushClient, push_client
from api.test_batch_frames import parse_frames
from api.test_live_access import Site
from api.test_server import Served, serving
from service.world import World
from wavescope.config import Limits
from wavescope.geometry import Pyramid
from wavescope.service.push.connection import READ_AHEAD, PushConnection
from wavescope.service.push.schema import SCHEMA, schema

PYRAMID = Pyramid(1300, 1100)


@asynccontextmanager
async def pushed(served: Served, world: World, slide: str = "visual", **options: Any) -> AsyncIterator[PushClient]:
    async with push_client(served.port, slide, world.digests[slide], **options) as client:
        yield client


@pytest.fixture
async def served(world: World) -> AsyncIterator[Served]:
    async with serving(world.store) as one:
        yield one


def addresses(level: int = 0) -> list[tuple[int, int, int, int, int]]:
    """By index: all blocks of a level and of those above it."""
    return [
        (0, 0, one, x, y)
        for one in range(level, PYRAMID.top)
        for y in range(PYRAMID.tiles(one)[1])
        for x in range(PYRAMID.tiles(one)[0])
    ]


async def batch(served: Served, world: World, entries: list[list[int]]) -> dict[int, tuple[int, bytes]]:
    """What a batch answers: status and payload by index."""
    path = f"{API}/slides/visual/v/{world.digests['visual']}/blocks:batch"
    frames, _ = parse_frames((await served.client.post(path, json={"blocks": entries})).content)
    return {index: (status, payload) for index, status, payload in frames}


async def test_a_view_gets_what_batches_answer_and_no_empty_block_wi117_wi119(served: Served, world: World) -> None:
    entries = [[*address, start, stop] for start, stop in ((0, 1), (1, 2)) for address in addresses()]
    expected = await batch(served, world, entries)
    async with pushed(served, world) as client:
        assert await client.hello() == {"type": "welcome", "version": 1}
        await client.view()
        blocks = await client.blocks()
    count = len(addresses())
    found = {block.index + (0 if block.start == 0 else count): (block.status, block.payload) for block in blocks}
    assert found == {index: answer for index, answer in expected.items() if answer[0] != 1}
    assert 0 < len(found) == len(blocks) < len(entries)  # there are empty blocks
    first = [block.start for block in blocks]
    assert first == sorted(first)


async def test_what_is_held_or_not_wanted_is_not_sent_wi116(served: Served, world: World) -> None:
    held = "1" + "-" * 29 + "0" * 9 + "3" * 4
    async with pushed(served, world) as client:
        await client.hello()
        await client.view(held=held)
        blocks = await client.blocks()
    assert {(block.index, block.start, block.stop) for block in blocks if block.index < 30} == {(0, 1, 2)}
    assert not any(block.index >= 39 for block in blocks)
    assert all(block.stop == 1 or block.start == 1 for block in blocks)


async def test_a_new_view_drops_what_was_not_sent_and_repeats_nothing_on_its_way_wi118(world: World) -> None:
    async with serving(world.store, limits=Limits(push_window_min=1024, push_window_max=1024)) as served:
        async with pushed(served, world) as client:
            client.acks = False
            await client.hello()
            await client.view()
            first = await client.block()
            second = await client.view(held="-" * 30 + "0" * 13, bytes=0)  # the first block is on its way
            client.acks = True
            await client.ack()
            rest = await client.blocks()
        assert first.view == 1
        assert {block.view for block in rest} == {second}
        assert (first.index, first.start) not in {(block.index, block.start) for block in rest}
        assert all(block.index >= 30 for block in rest)
        assert served.service.push.counts.stale > 20


async def test_what_was_received_and_lost_again_is_sent_again_wi116(served: Served, world: World) -> None:
    async with pushed(served, world) as client:
        await client.hello()
        await client.view()
        before = await client.blocks()
        await client.view()
        assert [block[1:] for block in await client.blocks()] == [block[1:] for block in before]


async def test_a_client_that_does_not_acknowledge_gets_one_window_wi121(world: World) -> None:
    limits = Limits(push_window_min=4096, push_window_max=4096)
    async with serving(world.store, limits=limits) as served, pushed(served, world) as client:
        client.acks = False
        await client.hello(rate=1e9, round_trip=1000)
        await client.view()
        sizes = [len((await client.block()).payload) + 20]
        while sum(sizes) < 4096:
            sizes.append(len((await client.block()).payload) + 20)
        (connection,) = served.service.push._open
        assert (connection.pacer.in_flight, connection.pacer.may_send()) == (sum(sizes), False)
        assert sum(sizes[:-1]) < 4096
        client.acks = True
        await client.ack()
        assert len(await client.blocks()) > 10


async def test_a_client_that_does_not_read_holds_no_more_than_one_read_in_memory_wi121(
    served: Served, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, source = [], served.service.push._source

    class Counting:
        async def get_many(self, slide: str, requests: Any) -> Any:
            read.append(len(requests))
            async for answer in source.get_many(slide, requests):
                yield answer

        def index_page(self, *where: Any) -> Any:
            return source.index_page(*where)

    monkeypatch.setattr(served.service.push, "_source", Counting())
    served.service.push._limits = Limits(push_window_min=1024, push_window_max=1024)
    async with pushed(served, world) as client:
        client.acks = False
        await client.hello()
        await client.view()
        await client.block()
        assert len(read) == 1
        assert read[0] <= READ_AHEAD


FIRST: dict[str, Any] = {
    "no JSON": "{",
    "bytes": b"\x00\x01",
    "an unknown type": {"type": "admin"},
    "something before hello": {"type": "ack", "bytes": 0, "time": 0},
    "a member too many": {**HELLO, "owner": True},
    "no versions": {**HELLO, "versions": []},
    "a rate that is not a number": '{"type":"hello","versions":[1],"rate":NaN}',
    "deep nesting": "[" * 10_000,
}
LATER: dict[str, dict[str, Any]] = {
    "a plane that is not there": {"z": 1},
    "level L": {"level": 3, "region": [0, 0, 1, 1], "field": [0, 0, 1, 1], "held": ""},
    "outside of the slide": {"region": [1, 0, 6, 5], "field": [1, 0, 6, 5]},
    "a field outside of the region": {"field": [1, 0, 6, 5]},
    "too much held": {"held": "0" * 44},
    "an unknown character": {"held": "0" * 42 + "x"},
    "no tiles": {"region": [0, 0, 0, 5]},
    "beyond numbers": {"centre": [1e300, 0.0]},
    "bytes that were not sent": {"bytes": 1},
    "layers that do not exist": {"layers": 5},
    "an old number": {"number": 0},
}


@pytest.mark.parametrize("message", FIRST.values(), ids=FIRST.keys())
async def test_what_is_no_greeting_is_refused_wi111_wi112(served: Served, world: World, message: Any) -> None:
    async with pushed(served, world) as rude:
        await rude.send(message)
        assert await rude.closed() == 4400


async def test_what_is_no_view_ends_the_connection_wi111_wi115(served: Served, world: World) -> None:
    for name, members in LATER.items():
        async with pushed(served, world) as rude:
            await rude.hello()
            await rude.view(held="-" * 43)
            await rude.view(**members)
            assert await rude.closed() == 4400, name
    assert served.service.push.connections == 0


async def test_a_region_is_bounded_wi115(served: Served, world: World) -> None:
    async with pushed(served, world) as rude:
        await rude.hello()
        await rude.send(json.dumps({"type": "view", "held": "0" * 20_000}))
        assert await rude.closed() == 1009


async def test_versions_silence_and_floods_wi112_wi114(
    served: Served, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pushed(served, world) as other:
        await other.send({**HELLO, "versions": [2, 3]})
        assert await other.closed() == 4406
    async with pushed(served, world) as rude:
        await rude.hello()
        for _ in range(250):
            await rude.ack()
        assert await rude.closed() == 4429
    monkeypatch.setattr("wavescope.api.routes.slides.push.HELLO_SECONDS", 0.05)
    async with pushed(served, world) as silent:
        assert await silent.closed() == 4408


async def test_the_connections_of_one_client_are_bounded_and_counted_wi114_wi124(world: World) -> None:
    async with serving(world.store, limits=Limits(push_connections=1)) as served:
        async with pushed(served, world) as first:
            await first.hello()
            async with pushed(served, world) as second:
                await second.send(HELLO)
                assert await second.closed() == 4409
            await first.view()
            await first.blocks()
            text = (await served.client.get("/metrics")).text
            values = dict(line.split(" ") for line in text.splitlines() if line.startswith("wavescope_push"))
            assert (values["wavescope_push_connections"], values["wavescope_push_connections_opened_total"]) == (
                "1.0",
                "1.0",
            )
            assert float(values["wavescope_push_bytes_total"]) == first.received
            assert float(values["wavescope_push_blocks_total"]) > 20
            assert float(values["wavescope_push_window_bytes"]) >= 16384
        async with pushed(served, world) as third:
            assert (await third.hello())["version"] == 1


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
async def test_pages_of_other_sites_are_refused_wi110(served: Served, world: World, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with pushed(served, world, headers={"Origin": origin}):
            pass
    assert refused.value.response.status_code == 403


async def test_a_request_without_a_handshake_gets_a_problem_wi110(served: Served, world: World) -> None:
    answer = await served.client.get(f"{API}/slides/visual/v/{world.digests['visual']}/push")
    assert (answer.status_code, answer.json()["type"]) == (426, "/problems/upgrade-required")


@pytest.mark.parametrize(("slide", "digest", "code"), [("nowhere", "0" * 64, 4401), ("visual", "0" * 64, 4410)])
async def test_what_is_not_there_is_refused_wi113(served: Served, slide: str, digest: str, code: int) -> None:
    async with push_client(served.port, slide, digest) as client:
        assert await client.closed() == code


async def test_a_removed_version_ends_the_connection_wi113(served: Served, world: World) -> None:
    async with pushed(served, world) as client:
        await client.hello()
        (connection,) = served.service.push._open
        assert isinstance(connection, PushConnection)
        connection._version = connection._version.__class__(**{**vars(connection._version), "digest": "0" * 64})
        await client.view()
        assert await client.closed() == 4410


@pytest.fixture
async def site(world: World, tmp_path: Path) -> AsyncIterator[Site]:
    async with serving(world.copy(tmp_path / "store").store, access="accounts") as served:
        opened = Clinic(served.service, None, {})
        for name, role in PEOPLE.items():
            opened.add(name, role)
        opened.own("visual", "ivan")
        built = Site(opened, served.port, served.server.config.app)
        yield built
        for browser in built.browsers.values():
            await browser.aclose()


@asynccontextmanager
async def as_user(site: Site, world: World, browser: httpx.AsyncClient) -> AsyncIterator[PushClient]:
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    headers = {"Cookie": cookies, "Origin": f"http://127.0.0.1:{site.port}"}
    async with push_client(site.port, "visual", world.digests["visual"], headers) as client:
        yield client


async def test_a_private_slide_is_refused_and_revoked_access_ends_at_once_wi113(site: Site, world: World) -> None:
    ivan, olga, nobody = await site.browser("ivan"), await site.browser("olga"), await site.browser()
    for other in (olga, nobody):
        async with as_user(site, world, other) as refused:
            assert await refused.closed() == 4401
    share = {"kind": "user", "id": site.clinic.ids["olga"], "right": "view"}
    given = await ivan.put("/slides/visual/sharing", json={"public": False, "shares": [share]})
    assert given.is_success, given.text
    async with as_user(site, world, olga) as viewer, as_user(site, world, ivan) as owner:
        for client in (viewer, owner):
            await client.hello()
            await client.view()
            assert await client.blocks()
        await ivan.put("/slides/visual/sharing", json={"public": False, "shares": []})
        assert await viewer.closed() == 4401
        await owner.view()
        assert await owner.blocks()


async def test_access_is_checked_again_even_if_nothing_is_announced_wi113(
    site: Site, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wavescope.api.routes.slides.push.RECHECK_SECONDS", 0.05)
    ivan = await site.browser("ivan")
    async with as_user(site, world, ivan) as client:
        await client.hello()
        site.clinic.own("visual", "olga")
        assert await client.closed() == 4401


def test_the_schema_of_the_messages_is_up_to_date_wi111() -> None:
    assert SCHEMA.read_text() == schema()

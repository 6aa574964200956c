"""HTTP caches as edges: public blocks are stored, what is private is never answered to another client (AC40, AC41)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Origin

from api.accounts import API, PASSWORD, QUICK
from api.test_batch_frames import parse_frames
from api.test_server import serving
from deploy.caches import CACHES
from links.link import Link, linked
from links.shape import Shape
from service.world import World
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.records import Share

pytestmark = [
    pytest.mark.skipif(not CACHES, reason="neither nginx nor varnish is installed"),
    pytest.mark.parametrize("cache", list(CACHES)),
]
WAN = Shape(delay=0.03)


@dataclass
class Edge:
    """A cache in front of a service with accounts. ``visual`` is ivan's, ``lossless`` is public."""

    url: str
    link: Link
    world: World
    table: SharingTable
    ids: dict[str, str]

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.url, headers={"origin": self.url}, timeout=30)

    async def signed_in(self, name: str) -> httpx.AsyncClient:
        client = self.client()
        answer = await client.post(f"{API}/sign-in", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        return client

    def block(self, slide: str, query: str = "") -> str:
        return f"{API}/slides/{slide}/v/{self.world.digests[slide]}/blocks/0/0/0/0/0{query}"

    async def upstream(self, asking: object) -> tuple[httpx.Response, int]:
        """The answer, and the bytes it took from the origin."""
        before = self.link.down.bytes
        answer = await asking  # type: ignore[misc]
        return answer, self.link.down.bytes - before


@asynccontextmanager
async def edge(cache: str, world: World, tmp_path: Path, shape: Shape | None = None) -> AsyncIterator[Edge]:
    options = {"access": "accounts", "allowed_hosts": ("127.0.0.1",), "trusted_proxies": ("127.0.0.1",)}
    async with (
        serving(world.copy(tmp_path / "store").store, **options) as served,
        linked(("127.0.0.1", served.port), shape) as link,
        CACHES[cache](tmp_path / "cache", link.address) as url,
    ):
        accounts, table = Accounts(served.service.catalog), SharingTable(served.service.catalog)
        ids = {name: accounts.add(name, name.title(), "instructor", QUICK).id for name in ("ivan", "olga")}
        table.own("slide", "visual", ids["ivan"])
        table.share("slide", "lossless", True, [])
        yield Edge(url, link, world, table, ids)


@pytest.mark.slow
async def test_a_block_of_a_public_slide_is_fetched_once_for_all_clients_wi8(
    cache: str, world: World, tmp_path: Path
) -> None:
    async with edge(cache, world, tmp_path) as there, there.client() as anonymous:
        ivan = await there.signed_in("ivan")
        first, size = await there.upstream(ivan.get(there.block("lossless")))
        assert first.status_code == 200, first.text
        assert first.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert size > len(first.content) > 1000
        for client in (anonymous, ivan):
            again, size = await there.upstream(client.get(there.block("lossless")))
            assert (again.content, size) == (first.content, 0)
        part, size = await there.upstream(anonymous.get(there.block("lossless"), headers={"range": "bytes=10-19"}))
        assert (part.status_code, part.content, size) == (206, first.content[10:20], 0)
        same = {"if-none-match": first.headers["etag"]}
        known, size = await there.upstream(anonymous.get(there.block("lossless"), headers=same))
        assert (known.status_code, size) == (304, 0)
        other, size = await there.upstream(anonymous.get(there.block("lossless", "?from=0&to=1")))
        assert size > len(other.content) > 0
        await ivan.aclose()


@pytest.mark.slow
async def test_a_block_of_a_private_slide_is_answered_to_no_other_client_ac40_ac41(
    cache: str, world: World, tmp_path: Path
) -> None:
    async with edge(cache, world, tmp_path) as there, there.client() as anonymous:
        ivan, olga = [await there.signed_in(name) for name in ("ivan", "olga")]
        for _ in range(2):  # the second time whatever was stored would answer
            mine, size = await there.upstream(ivan.get(there.block("visual")))
            assert mine.status_code == 200
            assert mine.headers["cache-control"] == "private, max-age=60, immutable"
            assert size > len(mine.content)
            for stranger in (olga, anonymous):
                for headers in ({}, {"if-none-match": mine.headers["etag"]}, {"range": "bytes=0-9"}):
                    answer = await stranger.get(there.block("visual"), headers=headers)
                    assert answer.status_code == 404
                    assert mine.content not in answer.content
        there.table.share("slide", "visual", False, [Share("user", there.ids["olga"], "view")])
        assert (await olga.get(there.block("visual"))).content == mine.content  # a refusal is not stored either
        there.table.share("slide", "visual", False, [])
        assert (await olga.get(there.block("visual"))).status_code == 404  # revoked: at once
        await ivan.aclose()
        await olga.aclose()


@pytest.mark.slow
async def test_the_token_of_a_share_link_opens_a_slide_to_its_holder_only_ac22(
    cache: str, world: World, tmp_path: Path
) -> None:
    async with edge(cache, world, tmp_path) as there, there.client() as anonymous:
        ivan = await there.signed_in("ivan")
        link = await ivan.post(f"{API}/slides/visual/links", json={"right": "view", "title": "", "seconds": 600})
        bearer = {"authorization": f"Bearer {link.json()['token']}"}
        assert (await anonymous.get(there.block("visual"), headers=bearer)).status_code == 200
        assert (await anonymous.get(there.block("visual"))).status_code == 404
        await ivan.delete(f"{API}/links/{link.json()['id']}")
        assert (await anonymous.get(there.block("visual"), headers=bearer)).status_code in (401, 404, 410)
        await ivan.aclose()


@pytest.mark.slow
async def test_a_grant_opens_a_slide_of_a_node_to_its_holder_only_ac44_ac46(
    cache: str, world: World, tmp_path: Path
) -> None:
    async with edge(cache, world, tmp_path) as there, there.client() as anonymous:
        ivan = await there.signed_in("ivan")
        olga = await there.signed_in("olga")
        keys = tmp_path / "keys.json"
        keys.write_text((await ivan.get(f"{API}/grants/keys")).text)
        mine = (await ivan.post(f"{API}/grants", json={"slides": ["visual"]})).json()["grant"]
        hers = (await olga.post(f"{API}/grants", json={"slides": ["lossless"]})).json()["grant"]
        options = {"access": "grants", "grant_keys": keys, "trusted_proxies": ("127.0.0.1",)}
        async with (
            serving(world.copy(tmp_path / "node").store, allowed_hosts=("127.0.0.1",), **options) as node,
            CACHES[cache](tmp_path / "node_cache", ("127.0.0.1", node.port)) as url,
        ):
            block = url + there.block("visual")
            for _ in range(2):
                statuses = [
                    (await anonymous.get(block, headers=headers)).status_code
                    for headers in ({"authorization": f"Bearer {mine}"}, {"authorization": f"Bearer {hers}"}, {})
                ]
                assert statuses == [200, 404, 404]
        await ivan.aclose()
        await olga.aclose()


@pytest.mark.slow
async def test_concurrent_requests_for_a_block_are_one_fetch(cache: str, world: World, tmp_path: Path) -> None:
    async with edge(cache, world, tmp_path, WAN) as there, there.client() as client:
        before = there.link.down.bytes
        answers = await asyncio.gather(*(client.get(there.block("lossless")) for _ in range(8)))
        assert {answer.status_code for answer in answers} == {200}
        size = len(answers[0].content)
        assert size < there.link.down.bytes - before < 1.5 * size


@pytest.mark.slow
async def test_concurrent_clients_of_a_private_block_each_receive_their_own_answer(
    cache: str, world: World, tmp_path: Path
) -> None:
    async with edge(cache, world, tmp_path, WAN) as there, there.client() as anonymous:
        ivan = await there.signed_in("ivan")
        asking = [client.get(there.block("visual")) for client in (ivan, anonymous) * 3]
        answers = await asyncio.gather(*asking)
        assert [answer.status_code for answer in answers] == [200, 404] * 3
        await ivan.aclose()


async def test_what_is_stored_is_served_while_the_origin_is_away(cache: str, world: World, tmp_path: Path) -> None:
    async with edge(cache, world, tmp_path) as there, there.client() as client:
        first = await client.get(there.block("lossless"))
        there.link.refuse()
        there.link.reset()
        assert (await client.get(there.block("lossless"))).content == first.content
        assert (await client.get(f"{API}/slides/lossless")).status_code >= 500


@pytest.mark.slow
async def test_batches_and_live_sessions_pass_through_wi18(cache: str, world: World, tmp_path: Path) -> None:
    async with edge(cache, world, tmp_path) as there, there.client() as client:
        base = f"{API}/slides/lossless/v/{world.digests['lossless']}"
        for _ in range(2):
            asked = {"blocks": [[0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 1, 0, 0, 1]]}
            batch, size = await there.upstream(client.post(f"{base}/blocks:batch", json=asked))
            received, complete = parse_frames(batch.content)
            assert (len(received), complete) == (2, True)
            assert size > len(batch.content)
        address = there.url.replace("http", "ws") + f"{API}/sessions/{'0' * 32}/live"
        async with connect(address, origin=Origin(there.url)) as socket:
            await socket.wait_closed()
            assert socket.close_code == 4401  # not a member: the handshake came through


async def test_a_websocket_below_a_version_passes_through(cache: str, tmp_path: Path) -> None:
    async def echo(socket: ServerConnection) -> None:
        async for message in socket:
            await socket.send(message)

    async with (
        serve(echo, "127.0.0.1", 0) as running,
        CACHES[cache](tmp_path / "cache", next(iter(running.sockets)).getsockname()) as url,
    ):
        address = url.replace("http", "ws") + f"{API}/slides/visual/v/{'0' * 32}/push"
        for _ in range(2):  # the second one as well
            async with connect(address) as socket:
                await socket.send(b"x" * 10_000)
                assert await socket.recv() == b"x" * 10_000

"""HEAD answers like GET without a body, on every route, and its connection serves on (PR17)."""

from __future__ import annotations

import asyncio
import logging
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from api.access_table import ROWS
from api.accounts import clinic
from api.asking import running_client
from api.test_access_table import Quick, Site, url_of
from api.test_server import no_signals
from service.world import World
from wavescope.api.routing import API
from wavescope.config import Rates
from wavescope.main import Server, server_config

pytestmark = pytest.mark.asyncio(loop_scope="module")

PATIENCE = 60.0  # seconds, for what must come; an estimate starts a process
GETS = sorted(path for method, path in ROWS if method == "GET")
STREAMS = ("/events", "/audit.ndjson", "/me/export")
UNSTEADY = ("/metrics", "-estimate", "/advice", "/audit", "/account")  # they tell of times and of what was asked
PAGES = {"/": "index.html", "/slides/visual": "a slide's page", "/app.js": "a packed file", "/assets/a.bin": "a file",
         "/assets/none.js": "no file", "/api/nothing": "no route"}  # fmt: skip


@dataclass
class Answer:
    """A status and headers."""

    status: int
    headers: dict[str, str]


class Connection:
    """One keep-alive connection that sends given bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cookie: str) -> None:
        self._reader, self._writer, self._cookie = reader, writer, cookie

    async def ask(self, method: str, url: str, *more: str) -> Answer:
        """The head of the answer; whatever else came is for the next one to stumble over."""
        lines = [f"{method} {url} HTTP/1.1", "Host: 127.0.0.1", f"Cookie: {self._cookie}", *more, "", ""]
        self._writer.write("\r\n".join(lines).encode())
        async with asyncio.timeout(PATIENCE):
            head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").splitlines()
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        return Answer(int(head[0].split()[1]), headers)

    async def body(self, answer: Answer) -> bytes:
        return await self._reader.readexactly(int(answer.headers["content-length"]))


@dataclass
class Open:
    """A site of the access table on a real socket."""

    site: Site
    port: int

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.site.windows["admin"].cookies.items())
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            yield Connection(reader, writer, cookie)
        finally:
            writer.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def opened(tmp_path_factory: pytest.TempPathFactory, world: World) -> AsyncIterator[Open]:
    copy = world.copy(tmp_path_factory.mktemp("head") / "store")
    shutil.copy(world.store.parent / "picture.png", copy.store.parent)
    async with clinic(copy.store, runner=Quick(), frontend=page(copy.store.parent / "dist")) as clinic_:
        site = Site(clinic_, copy)
        await site.furnish()
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        config = server_config(clinic_.app, "127.0.0.1", listening.getsockname()[1])
        config.lifespan = "off"
        server = Server(config)
        server.capture_signals = no_signals  # type: ignore[method-assign]
        running = asyncio.ensure_future(server.serve(sockets=[listening]))
        try:
            yield Open(site, listening.getsockname()[1])
        finally:
            server.should_exit = True
            await running


def page(folder: Path) -> Path:
    """A built page, made up."""
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>" + " " * 3000)
    (folder / "app.js").write_text("1;" * 3000)
    (folder / "assets" / "a.bin").write_bytes(bytes(200_000))  # more than one piece
    return folder


async def urls_of(site: Site, path: str) -> list[str]:
    row = ROWS["GET", path]
    params = site.params | (await site.made(row.fresh) if row.fresh else {})
    return [url_of(path, params, row.query)]


async def agree(opened: Open, url: str, *more: str) -> Answer:
    """HEAD twice on one connection, then a GET of something else; what HEAD said is what GET says."""
    async with opened.connection() as connection:
        head = await connection.ask("HEAD", url, *more)
        assert (await connection.ask("HEAD", url, *more)).status == head.status
        after = await connection.ask("GET", "/healthz")
        assert (after.status, await connection.body(after)) == (200, b"ok\n")
    async with opened.connection() as other:
        got = await other.ask("GET", url, *more)
    assert head.status == got.status
    unlike = {"x-request-id", "date", "transfer-encoding", "content-length"}
    assert {name: head.headers[name] for name in head.headers if name not in unlike} == {
        name: got.headers[name] for name in got.headers if name not in unlike
    }
    if "content-length" in got.headers and not any(word in url for word in UNSTEADY):
        assert head.headers["content-length"] == got.headers["content-length"]
    return head


@pytest.mark.parametrize("path", GETS)
async def test_head_is_get_without_a_body_and_the_connection_serves_on_pr17(
    opened: Open, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        for url in await urls_of(opened.site, path):
            head = await agree(opened, url)
            assert head.status < 500
            if path.endswith(STREAMS):
                assert head.status == 200
    assert [one.message for one in caplog.records if one.message != "slow request"] == []


@pytest.mark.parametrize("path", PAGES)
async def test_head_of_pages_and_files_pr17(opened: Open, path: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        head = await agree(opened, path)
        assert head.status == (404 if PAGES[path].startswith("no ") else 200)
        await agree(opened, path, "Accept-Encoding: gzip")
        if etag := head.headers.get("etag"):
            assert (await agree(opened, path, f"If-None-Match: {etag}")).status == 304
    assert [one.message for one in caplog.records if one.message != "slow request"] == []


async def test_head_of_a_block_in_ranges_and_conditions_pr17(opened: Open) -> None:
    block = f"{API}/slides/visual/v/{opened.site.world.digests['visual']}/blocks/0/0/0/1/1"
    head = await agree(opened, block)
    assert (await agree(opened, block, f"If-None-Match: {head.headers['etag']}")).status == 304
    assert (await agree(opened, block, "Range: bytes=0-9")).status == 206
    assert (await agree(opened, block, "Range: bytes=99999999-")).status == 416


async def test_head_of_a_wrong_path_counts_as_a_failure_pr13(world: World) -> None:
    rates = Rates(rate_join_failures="2 per hour")
    async with running_client(world.store, rate_limits=True, open_to_all=True, rates=rates) as client:
        found = [(await client.head(f"{API}/sessions/ABCDEF")).status_code for _ in range(4)]
    assert found == [404, 404, 429, 429]

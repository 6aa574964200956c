"""The operator's walk: a deployment by the operations guide, from the first account to the next version (OP32)."""

from __future__ import annotations

import asyncio
import signal
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray
from sqlalchemy import MetaData, create_engine, text
from sqlalchemy.engine import make_url
from websockets.asyncio.client import connect
from websockets.typing import Origin

from api.asking import API, problem
from api.live_client import LiveClient
from api.processes import free_port
from catalog.databases import postgresql
from operation.guide import Site, line_with
from operation.proxies import NAME, proxy
from wavescope.catalog.database import migrate_to

pytestmark = pytest.mark.slow

PIECE = 1 << 20
PREVIOUS = "0007"  # the tables of an earlier version
PASSWORDS = {"ada": "a long first password", "bob": "another long password"}
BOX = {
    "kind": "rectangle",
    "geometry": {"type": "Polygon", "coordinates": [[[10, 10], [200, 10], [200, 100], [10, 100], [10, 10]]]},
    "name": "Margin",
}


def write_slide(path: Path, side: int) -> Path:
    """A tiled TIFF without compression: waves with noise, ``side`` x ``side`` pixels, three bytes each."""
    random = np.random.default_rng(3)
    noise = random.integers(-8, 9, (256, 256, 3))

    def tiles() -> Iterator[NDArray[np.uint8]]:
        x = np.arange(256)
        for row in range(0, side, 256):
            for column in range(0, side, 256):
                waves = np.sin((column + x) / 90)[None, :] + np.cos((row + x) / 70)[:, None]
                yield np.clip(170 + 30 * waves[:, :, None] + noise, 0, 255).astype(np.uint8)

    tifffile.imwrite(path, tiles(), shape=(side, side, 3), dtype="uint8", tile=(256, 256), photometric="rgb")
    return path


async def pieces(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


@dataclass
class Deployment:
    """A running service behind nginx; ``client`` has no sign-in, and gives the address and the certificate."""

    client: httpx.AsyncClient
    trusted: ssl.SSLContext
    browsers: AsyncExitStack

    async def browser(self, name: str, password: str, **more: str) -> httpx.AsyncClient:
        """A browser in which a user has signed in."""
        url, headers = self.client.base_url, self.client.headers
        window = httpx.AsyncClient(base_url=url, headers=headers, verify=self.trusted, timeout=600)
        made = await self.browsers.enter_async_context(window)
        answer = await made.post(f"{API}/sign-in", json={"name": name, "password": password, **more})
        assert answer.status_code == 200, answer.text
        return made

    @asynccontextmanager
    async def window(self, browser: httpx.AsyncClient, session: str, window: str) -> AsyncIterator[LiveClient]:
        """A user's connection to a live session over TLS that has said hello."""
        cookies = "; ".join(f"{one.name}={one.value}" for one in browser.cookies.jar)
        port = self.client.base_url.port
        async with connect(
            f"wss://{NAME}:{port}{API}/sessions/{session}/live",
            ssl=self.trusted,
            host="127.0.0.1",
            port=port,
            origin=Origin(self.client.headers["origin"]),
            additional_headers={"Cookie": cookies},
        ) as socket:
            opened = LiveClient(socket, window)
            await opened.hello()
            yield opened


@asynccontextmanager
async def deployed(site: Site) -> AsyncIterator[Deployment]:
    """The service as the unit starts it, and nginx with the shipped configuration."""
    with (site.folder / "service.log").open("ab") as log:
        child = await asyncio.create_subprocess_exec(
            *site.start_command(), env=site.environment, stdout=log, stderr=log
        )
    folder = site.folder / "nginx"
    try:
        async with proxy("nginx", folder, site.port) as client, AsyncExitStack() as browsers:
            yield Deployment(client, ssl.create_default_context(cafile=folder / "fullchain.pem"), browsers)
    finally:
        child.terminate()
        assert await child.wait() == -signal.SIGTERM, (site.folder / "service.log").read_text()[-2000:]


async def accounts(site: Site) -> None:
    """The accounts of the guide: ada on the machine, bob from a file."""
    site.run("user add ada --role admin")
    site.run("printf 'name,title,role,groups")
    site.run("user import")


async def first_sign_in(deployment: Deployment, site: Site) -> httpx.AsyncClient:
    """bob signs in with the generated password, and must choose another one."""
    rows = (site.backups / "first-passwords.csv").read_text().splitlines()
    generated = dict(row.split(",", 1) for row in rows)["bob"]
    refused = await deployment.client.post(f"{API}/sign-in", json={"name": "bob", "password": generated})
    assert problem(refused) == (403, "password-change-required")
    return await deployment.browser("bob", generated, new_password=PASSWORDS["bob"])


async def upload(browser: httpx.AsyncClient, slide: Path) -> dict[str, Any]:
    """The manifest of the slide that an uploaded file becomes."""
    length = {"content-length": str(slide.stat().st_size)}
    sent = await browser.post(f"{API}/uploads?filename={slide.name}", content=pieces(slide), headers=length)
    assert sent.status_code == 202, sent.text
    job = sent.json()["id"]
    async with browser.stream("GET", f"{API}/jobs/{job}/events") as events:
        async for _ in events.aiter_bytes():
            pass
    ended = (await browser.get(f"{API}/jobs/{job}")).json()
    assert (ended["state"], ended["error"]) == ("done", None)
    return dict((await browser.get(f"{API}/slides/{ended['slide_id']}")).json())


async def live_session(deployment: Deployment, ada: httpx.AsyncClient, bob: httpx.AsyncClient, slide: str) -> None:
    """Two users in one session see each other through the proxy."""
    made = await ada.post(f"{API}/sessions", json={"slides": [slide], "nickname": "Ada"})
    assert made.status_code == 201, made.text
    session = made.json()
    joined = await bob.post(f"{API}/sessions/{session['code']}/join", json={"nickname": "Bob"})
    assert joined.status_code == 200, joined.text
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(deployment.window(ada, session["id"], "window-a"))
        there = await stack.enter_async_context(deployment.window(bob, session["id"], "window-b"))
        await here.look(123.5)
        await there.until_view(123.5)
        await there.point(77.0)
        while not (here.state and any(one.l0_x == 77.0 for one in here.state.cursors)):
            await here.hear()


@dataclass(frozen=True)
class Content:
    """What users see of a slide: its version, a tile, an annotation."""

    digest: str
    tile: bytes
    annotation: Any


async def content_of(browser: httpx.AsyncClient, slide: str) -> Content:
    manifest = (await browser.get(f"{API}/slides/{slide}")).json()
    tile = await browser.get(f"{API}/slides/{slide}/v/{manifest['digest']}/tiles/0/0/0/0.png")
    annotation = await browser.get(f"{API}/slides/{slide}/annotations/margin")
    assert (tile.status_code, annotation.status_code) == (200, 200), tile.text + annotation.text
    return Content(manifest["digest"], tile.content, annotation.json()["content"])


def earlier_catalog(newest: str, earlier: str) -> None:
    """Fills an empty database with the tables of PREVIOUS and what these have of the rows of the newest ones."""
    source, target = create_engine(newest), create_engine(earlier)
    with source.connect() as read, target.connect() as write, write.begin():
        migrate_to(write, PREVIOUS)
        old, new = MetaData(), MetaData()
        old.reflect(write)
        new.reflect(read)
        for table in old.sorted_tables:
            if table.name == "alembic_version":
                continue
            write.execute(table.delete())
            found = new.tables[table.name]
            columns = [found.c[column.name] for column in table.columns]
            rows = [dict(row._mapping) for row in read.execute(found.select().with_only_columns(*columns))]
            if rows:
                write.execute(table.insert(), rows)
        assert write.execute(text("SELECT count(*) FROM slides")).scalar() == 1
        assert write.execute(text("SELECT count(*) FROM annotations")).scalar() == 1
    source.dispose()
    target.dispose()


def create_database(server: str, name: str) -> str:
    """The database of the guide at this server, under another name; its URL."""
    url = make_url(server)
    command = line_with("createdb wavescope").replace("runuser -u postgres -- createdb wavescope", f"createdb {name}")
    reach = {"PGHOST": str(url.host), "PGPORT": str(url.port), "PGUSER": str(url.username)}
    done = subprocess.run(
        command.split(), env={"PATH": "/usr/bin:/bin", **reach}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return f"{server}/{name}"


@pytest.mark.parametrize(
    "side", [pytest.param(1024, id="3 MB"), pytest.param(13056, id="500 MB", marks=pytest.mark.long)]
)
async def test_a_deployment_by_the_guide_is_used_restored_and_upgraded_op32(tmp_path: Path, side: int) -> None:
    slide = write_slide(tmp_path / "noise.tif", side)
    assert side < 10_000 or slide.stat().st_size > 500_000_000
    with postgresql() as server:
        first = Site(tmp_path / "first", create_database(server, "first"), free_port())
        first.install()
        await accounts(first)
        async with deployed(first) as deployment:
            ada = await deployment.browser("ada", PASSWORDS["ada"])
            bob = await first_sign_in(deployment, first)
            name = (await upload(ada, slide))["id"]
            share = {"kind": "user", "id": (await bob.get(f"{API}/account")).json()["user"]["id"], "right": "view"}
            shared = await ada.put(f"{API}/slides/{name}/sharing", json={"public": False, "shares": [share]})
            assert shared.status_code == 200, shared.text
            made = await ada.put(f"{API}/slides/{name}/annotations/margin", json=BOX, headers={"if-none-match": "*"})
            assert made.status_code == 201, made.text
            before = await content_of(ada, name)
            await live_session(deployment, ada, bob, name)
            first.run("wavescope backup /var/backups/wavescope/today.zip")
            first.run("rsync -a --ignore-missing-args /srv")
            first.run("/opt/wavescope/shared/operations/backup.sh")

        second = Site(tmp_path / "second", create_database(server, "second"), free_port())
        second.install()
        second.backups.rmdir()
        first.backups.rename(second.backups)
        first.store.rename(tmp_path / "lost")
        second.run("rsync -a --ignore-missing-args /var/backups")
        second.run("restore-backup /var/backups/wavescope/today.zip")
        second.run_inline("wavescope verify SLIDE", SLIDE=name)
        second.run("wavescope audit verify")
        async with deployed(second) as deployment:
            assert await content_of(await deployment.browser("bob", PASSWORDS["bob"]), name) == before

        third = Site(tmp_path / "third", create_database(server, "third"), free_port())
        third.install()
        earlier_catalog(second.catalog, third.catalog)
        third.store.rmdir()
        second.store.rename(third.store)
        assert "FAULT" not in third.run("wavescope doctor")
        async with deployed(third) as deployment:
            assert await content_of(await deployment.browser("ada", PASSWORDS["ada"]), name) == before

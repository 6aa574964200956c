"""One of each fault of ``shared/operations/faults.md``, provoked on a running service: name -> what is answered."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from api.accounts import PASSWORD
from api.asking import API, problem
from api.test_corruption import flip
from api.test_server import Served
from service.outages import DRIVER
from service.world import World
from wavescope.errors import CatalogAway, CatalogDamaged
from wavescope.service.jobs.watch import FolderWatch
from wavescope.service.periodic import PeriodicTask, _attempt
from wavescope.service.slides.slides import SlideService
from wavescope.service.slides.tours import TourService

SMALL = {"json_body": 2048, "upload_bytes": 1 << 20, "header_seconds": 0.3, "body_seconds": 0.3, "stalled_seconds": 0.3}
FORGED = {"authorization": "Bearer " + "A" * 43}
KILLED = b"killed"  # a file on which the import is ended from outside


@dataclass(frozen=True)
class Site:
    """A service on a store that may be damaged; ``patch`` breaks what lies below it."""

    served: Served
    world: World
    patch: pytest.MonkeyPatch

    async def ask(self, method: str, path: str, **options: Any) -> str:
        """The answer as the table writes it."""
        return said(await self.served.client.request(method, path, **options))

    @property
    def slide(self) -> str:
        return f"{API}/slides/visual/v/{self.world.digests['visual']}"


Provoke = Callable[[Site], Awaitable[str]]


def said(answer: httpx.Response) -> str:
    return " ".join(map(str, problem(answer))) if answer.status_code >= 400 else str(answer.status_code)


async def failed_job(at: Site, content: bytes) -> str:
    """The problem of the job that an upload becomes."""
    made = (await at.served.client.post(f"{API}/uploads?filename=a.svs", content=content)).json()
    url = f"{API}/jobs/{made['id']}"
    async with asyncio.timeout(10):
        while (job := (await at.served.client.get(url)).json())["error"] is None:
            await asyncio.sleep(0.02)
    return f"job {job['state']}: {job['error']['type'].rpartition('/')[2]}"


async def dropped(at: Site) -> str:
    _, writer = await asyncio.open_connection("127.0.0.1", at.served.port)
    writer.write(f"POST {API}/cases HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\nxx".encode())
    await writer.drain()
    async with asyncio.timeout(10):
        while not at.served.server.server_state.tasks:
            await asyncio.sleep(0)
    writer.close()
    return "none"


async def foreign_link(at: Site) -> str:
    watched, outside = at.world.store.parent / "watched", at.world.store.parent / "outside.svs"
    watched.mkdir()
    outside.write_bytes(b"x")
    (watched / "link.svs").symlink_to(outside)
    await FolderWatch(watched, at.served.service.jobs, watched.parent / "watched.json").scan()
    return "none"


async def damaged_block(at: Site) -> str:
    for shard in at.world.shards("visual", 0):
        shard.write_bytes(bytes(shard.stat().st_size))
    return await at.ask("GET", f"{at.slide}/blocks/0/0/0/1/1")


async def damaged_version(at: Site) -> str:
    digest = at.world.digests["lossless"]
    flip(at.world.store / "slides" / digest / "manifest.json", 30)
    return await at.ask("GET", f"{API}/slides/lossless/v/{digest}/blocks/0/0/0/1/1")


def below(work: str, error: Exception, method: str, path: str) -> Provoke:
    """A request whose work fails below the service."""

    async def provoke(at: Site) -> str:
        def fail(*_: object, **__: object) -> None:
            raise error

        with at.patch.context() as patch:
            patch.setattr(*{"list": (SlideService, "list"), "tours": (TourService, "list")}[work], fail)
            return await at.ask(method, path)

    return provoke


async def full_disk(at: Site) -> str:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with at.patch.context() as patch:
        patch.setattr(os, "fsync", full)
        return await at.ask("POST", f"{API}/uploads?filename=a.svs", content=b"x")


async def failing_task(_: Site) -> str:
    async def fail() -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    await _attempt(PeriodicTask("purge the trash", 1.0, fail), "")
    return "none"


def one(method: str, path: str, **options: Any) -> Provoke:
    async def provoke(at: Site) -> str:
        return await at.ask(method, path, **options)

    return provoke


WITHOUT_ACCOUNTS: dict[str, Provoke] = {
    "invalid parameter": lambda at: at.ask("GET", f"{at.slide}/region?x=a&y=0&width=9&height=9"),
    "unknown query parameter": one("GET", f"{API}/slides?sarch=x"),
    "unknown path": one("GET", f"{API}/nowhere"),
    "unknown method": one("DELETE", f"{API}/slides"),
    "invalid body": one("POST", f"{API}/cases", json={"title": 7}),
    "body too large": one("PATCH", f"{API}/slides/visual", content=b" " * 3000),
    "dropped connection": dropped,
    "foreign host": one("GET", f"{API}/slides", headers={"host": "evil.example"}),
    "foreign origin": one("POST", f"{API}/cases", headers={"origin": "https://evil.example"}, json={}),
    "hostile slide file": lambda at: failed_job(at, b"bad"),
    "killed import": lambda at: failed_job(at, KILLED),
    "link out of the watched folder": foreign_link,
    "damaged block": damaged_block,
    "damaged slide version": damaged_version,
    "damaged catalog": below("list", CatalogDamaged("catalog", "malformed"), "GET", f"{API}/slides"),
    "lost database": below("list", CatalogAway(DRIVER), "GET", f"{API}/slides"),
    "full disk": full_disk,
    "failing disk": below("list", OSError(errno.EIO, os.strerror(errno.EIO)), "GET", f"{API}/slides"),
    "failing periodic task": failing_task,
}


def sign_in(name: str) -> Provoke:
    return one("POST", f"{API}/sign-in", json={"name": name, "password": f"not {PASSWORD}"})


async def guessed_account(at: Site) -> str:
    await sign_in("adam")(at)
    return await sign_in("adam")(at)


async def many_requests(at: Site) -> str:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(10):
            while (answer := await sign_in("nora")(at)).startswith("401"):
                continue
            return answer
    return "no answer of 429"


WITH_ACCOUNTS: dict[str, Provoke] = {  # in this order: rates count on
    "forged cookie or token": one("GET", f"{API}/users", headers=FORGED),
    "forged link": one("POST", f"{API}/links/open", json={"token": "A" * 43}),
    "forged single sign-on": one("GET", f"{API}/oidc/callback?code=c&state=s", headers={"cookie": "wavescope_oidc=x"}),
    "wrong password": sign_in("vera"),
    "guessed account": guessed_account,
    "too many requests": many_requests,
}

"""Uploads that can be resumed, by tus 1.0 (WI95 to WI97)."""

from __future__ import annotations

import asyncio
import base64
import errno
import os
from collections.abc import AsyncIterator

import httpx
import pytest

from api.asking import API, problem, running_client
from api.test_access_table import Quick
from service.world import World, running_service
from wavescope.config import Limits
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.jobs import uploads
from wavescope.service.jobs.uploads import UploadOptions
from wavescope.store.space import Space, StoreSpace

URL = f"{API}/uploads/resumable"
TUS = {"tus-resumable": "1.0.0"}
BYTES = {"content-type": "application/offset+octet-stream"}


def metadata(**values: str) -> str:
    return ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in values.items())


@pytest.fixture
async def client(damaged: World) -> AsyncIterator[httpx.AsyncClient]:
    async with running_client(damaged.store, runner=Quick()) as opened:
        yield opened


async def create(client: httpx.AsyncClient, length: int, **values: str) -> str:
    given = metadata(**{"filename": "a.svs", **values})
    made = await client.post(URL, headers=TUS | {"upload-length": str(length), "upload-metadata": given})
    assert (made.status_code, made.headers["tus-resumable"], made.headers["upload-offset"]) == (201, "1.0.0", "0")
    return made.headers["location"]


async def send(client: httpx.AsyncClient, url: str, offset: int, content: bytes) -> httpx.Response:
    return await client.patch(url, headers=TUS | BYTES | {"upload-offset": str(offset)}, content=content)


async def test_the_service_tells_what_it_supports_wi95(client: httpx.AsyncClient) -> None:
    answer = await client.options(URL)
    assert (answer.status_code, answer.headers["tus-version"]) == (204, "1.0.0")
    assert answer.headers["tus-extension"].split(",") == ["creation", "termination"]
    assert int(answer.headers["tus-max-size"]) == Limits().upload_bytes


async def test_an_upload_in_parts_becomes_a_job_wi96(client: httpx.AsyncClient) -> None:
    url = await create(client, 9, title="Nine")
    assert (await send(client, url, 0, b"abcd")).headers["upload-offset"] == "4"
    head = await client.head(url)
    assert (head.headers["upload-offset"], head.headers["upload-length"], head.headers["cache-control"]) == (
        "4",
        "9",
        "no-store",
    )
    assert "content-location" not in head.headers
    last = await send(client, url, 4, b"efghi")
    assert (last.status_code, last.headers["upload-offset"]) == (204, "9")
    job = (await client.get(last.headers["content-location"])).json()
    assert job["filename"] == "a.svs"
    again = await client.head(url)  # the answer may have been lost
    assert again.headers["content-location"] == last.headers["content-location"]
    assert (await client.get(url)).json()["job"] == job["id"]


async def test_what_arrived_before_a_connection_broke_stays_also_through_a_restart_wi96(damaged: World) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield bytes(2 << 20)
        yield bytes(1000)  # less than what is written at once
        raise ConnectionResetError("the link is gone")

    async with running_service(damaged.store, runner=Quick()) as service:
        found = await service.resumable.create(LOCAL_USER, 3 << 20, "a.svs", UploadOptions(), "never")
        with pytest.raises(ConnectionResetError):
            await service.resumable.append(LOCAL_USER, found.id, 0, broken())
    arrived = (2 << 20) + 1000
    async with running_client(damaged.store, runner=Quick()) as client:
        url = f"{URL}/{found.id}"
        assert (await client.head(url)).headers["upload-offset"] == str(arrived)
        assert "content-location" in (await send(client, url, arrived, bytes((3 << 20) - arrived))).headers


async def test_faults_of_the_protocol_are_refused_wi96(client: httpx.AsyncClient) -> None:
    url = await create(client, 9)
    assert problem(await send(client, url, 3, b"abc")) == (409, "wrong-offset")
    assert problem(await send(client, url, 0, bytes(10))) == (413, "too-large")
    assert problem(await client.patch(url, headers=TUS | {"upload-offset": "0"}, content=b"a")) == (
        415,
        "unsupported-body",
    )
    assert problem(await client.patch(url, headers=BYTES | {"upload-offset": "0"}, content=b"a")) == (
        412,
        "unsupported-protocol",
    )
    for headers in ({}, {"upload-length": "x"}, {"upload-length": "9", "upload-metadata": "filename %%%"}):
        assert problem(await client.post(URL, headers=TUS | headers)) == (422, "invalid-parameter")
    long = TUS | {"upload-length": str(1 << 50), "upload-metadata": metadata(filename="a")}
    assert problem(await client.post(URL, headers=long)) == (413, "too-large")
    bad = TUS | {"upload-length": "1", "upload-metadata": metadata(filename="a", quality="best")}
    assert problem(await client.post(URL, headers=bad)) == (422, "invalid-parameter")
    assert problem(await client.get(f"{URL}/..%2f..%2fcatalog.sqlite")) == (404, "not-found")


async def test_two_requests_do_not_write_one_upload_wi96(client: httpx.AsyncClient) -> None:
    url, arrived, go = await create(client, 4), asyncio.Event(), asyncio.Event()

    async def slow() -> AsyncIterator[bytes]:
        arrived.set()
        await go.wait()
        yield b"abcd"

    first = asyncio.ensure_future(client.patch(url, headers=TUS | BYTES | {"upload-offset": "0"}, content=slow()))
    await arrived.wait()
    while problem_name(second := await send(client, url, 0, b"")) != "upload-busy":
        assert second.status_code == 204  # it was the first to be answered
    go.set()
    assert (await first).headers["upload-offset"] == "4"


async def test_an_upload_is_removed_on_request_and_after_a_day_wi97(damaged: World) -> None:
    async with running_service(damaged.store, runner=Quick()) as service:
        resumed = service.resumable
        one, two = [await resumed.create(LOCAL_USER, 9, "a.svs", UploadOptions(), "never") for _ in range(2)]
        await resumed.delete(LOCAL_USER, one.id)
        folder = damaged.store / "uploads" / ".resumable"
        assert [path.name for path in folder.iterdir()] == [two.id]
        assert resumed.sweep() == ()
        for path in (folder / two.id / "content", folder / two.id):
            os.utime(path, (1, 1))
        assert resumed.sweep() == (two.id,)


async def test_the_same_file_sent_in_parts_is_the_slide_that_it_is_wi93(
    client: httpx.AsyncClient, world: World
) -> None:
    picture = (world.store.parent / "picture.png").read_bytes()
    url = await create(client, len(picture), quality="lossless")
    last = await send(client, url, 0, picture)
    assert last.headers["content-location"] == f"{API}/slides/lossless"
    assert (await client.get(url)).json()["slide"] == "lossless"


async def test_bytes_that_the_disk_refuses_in_the_end_are_store_full_wi96(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some file systems find out only when the file is synced that they have no space."""

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    url = await create(client, 9)
    monkeypatch.setattr(os, "fsync", full)
    assert problem(await send(client, url, 0, b"abcd")) == (507, "store-full")
    assert problem(await send(client, url, 4, bytes(9))) == (413, "too-large")  # the first failure is reported
    monkeypatch.undo()
    offset = int((await client.head(url)).headers["upload-offset"])
    assert (await send(client, url, offset, b"abcdefghi"[offset:])).headers["upload-offset"] == "9"


async def test_an_upload_that_would_take_the_last_space_is_refused_while_it_arrives_op20(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    piece, reserve = uploads.MIN_WRITE, Limits().free_bytes
    free = [10 * piece, 10 * piece, piece // 2]  # another upload takes the space meanwhile

    def now(_space: StoreSpace) -> Space:
        return Space(reserve + (free.pop(0) if len(free) > 1 else free[0]), 1 << 40, "ok")

    url = await create(client, 5 * piece)
    monkeypatch.setattr(StoreSpace, "now", now)
    headers = TUS | BYTES | {"upload-offset": "0"}
    answer = await client.patch(url, headers=headers, content=several(bytes(piece), 5))
    assert problem(answer) == (507, "store-full")
    assert answer.json()["available"] == piece // 2
    assert int((await client.head(url)).headers["upload-offset"]) < 5 * piece
    refused = await send(client, url, int((await client.head(url)).headers["upload-offset"]), b"a")
    assert problem(refused) == (507, "store-full")  # before its bytes are read: the rest does not fit


async def several(piece: bytes, times: int) -> AsyncIterator[bytes]:
    for _ in range(times):
        yield piece


def problem_name(answer: httpx.Response) -> str:
    return "" if answer.status_code < 400 else problem(answer)[1]

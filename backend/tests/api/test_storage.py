"""The disk of the store: early refusal of uploads, readiness, metrics, warning (OP20 to OP23)."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest

from api.accounts import clinic
from api.asking import API, problem, running_client
from api.test_server import serving
from service.world import World, running_service
from wavescope.config import Limits

GB = 10**9


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The free bytes of every disk, to be changed by the test."""
    bytes_free = [100 * GB]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(200 * GB, 200 * GB - bytes_free[0], bytes_free[0]))
    return bytes_free


LIMITS = Limits(upload_bytes=200 * GB, free_bytes=10 * GB, low_bytes=50 * GB)


async def test_an_upload_that_does_not_fit_is_refused_before_its_body_is_sent_op20(
    world: World, tmp_path: Path, free: list[int]
) -> None:
    async with serving(world.copy(tmp_path / "store").store, limits=LIMITS) as served:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        head = f"POST {API}/uploads?filename=a.svs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {91 * GB}\r\n"
        writer.write(f"{head}Expect: 100-continue\r\n\r\n".encode())
        async with asyncio.timeout(10):
            answer = await reader.readuntil(b"}")
        writer.close()
        assert answer.startswith(b"HTTP/1.1 507")
        assert b'"needed": 91000000000, "available": 90000000000' in answer
        assert b"this file has 91.00 GB, and 90.00 GB are available" in answer
        assert served.uploads() == []


async def test_an_upload_of_unknown_size_ends_at_the_reserve_op20(
    world: World, tmp_path: Path, free: list[int]
) -> None:
    async with serving(world.copy(tmp_path / "store").store, limits=LIMITS) as served:

        async def chunks() -> AsyncIterator[bytes]:
            yield b"x" * (1 << 20)
            free[0] = 10 * GB
            yield b"x" * (1 << 20)

        answer = await served.client.post(f"{API}/uploads?filename=a.svs", content=chunks())
        assert problem(answer) == (507, "store-full")
        assert served.uploads() == []


async def test_readiness_and_metrics_know_the_disk_op22_op23(world: World, free: list[int]) -> None:
    async with running_client(world.store, limits=LIMITS) as client:
        for bytes_free, state, number in ((100 * GB, "ok", 0), (49 * GB, "low", 1), (10 * GB, "full", 2)):
            free[0] = bytes_free
            ready = await client.get("/readyz")
            assert (ready.status_code, ready.json()) == (200, {"status": "ready", "disk": state, "catalog": "ok"})
            metrics = (await client.get("/metrics")).text
            assert f"wavescope_disk_low {number}.0" in metrics
            measured = next(line for line in metrics.splitlines() if line.startswith("wavescope_disk_free_bytes "))
            assert float(measured.split()[1]) == bytes_free
        storage = (await client.get(f"{API}/storage")).json()
        assert storage["state"] == "full"
        assert (storage["free_bytes"], storage["total_bytes"], storage["reserved_bytes"]) == (
            10 * GB,
            200 * GB,
            10 * GB,
        )


async def test_a_disk_that_does_not_answer_makes_the_service_unready_op22(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: object) -> None:
        raise OSError(5, "Input/output error")

    async with running_client(world.store) as client:
        monkeypatch.setattr(shutil, "disk_usage", gone)
        assert problem(await client.get("/readyz")) == (503, "unavailable")


async def test_the_warning_comes_once_and_its_end_too_op21(
    world: World, free: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    async with running_service(world.store, limits=LIMITS) as service:
        with caplog.at_level(logging.INFO, "wavescope.service.health"):
            for bytes_free in (100, 49, 48, 9, 100):
                free[0] = bytes_free * GB
                await service.health.watch_disk()
    records = [record for record in caplog.records if record.name == "wavescope.service.health"]
    assert [record.levelname for record in records] == ["WARNING", "WARNING", "INFO"]
    assert records[0].__dict__["free_bytes"] == 49 * GB
    assert "low_bytes" in records[0].getMessage()


async def test_stored_bytes_are_those_of_the_files_and_follow_deletions_op23(world: World, tmp_path: Path) -> None:
    store = world.copy(tmp_path / "store").store
    async with running_service(store) as service:
        space = service.health.space
        found = sum(path.stat().st_size for path in (store / "slides").rglob("*") if path.is_file())
        assert space.measure() == space.stored == found > 0
        gone = next((store / "slides").iterdir())
        shutil.rmtree(gone)
        assert space.measure() < found


async def test_only_admins_see_the_storage_op23(damaged: World) -> None:
    async with clinic(damaged.store) as site:
        assert (await (await site.signed_in("adam")).get(f"{API}/storage")).status_code == 200
        assert problem(await (await site.signed_in("ivan")).get(f"{API}/storage")) == (403, "forbidden")

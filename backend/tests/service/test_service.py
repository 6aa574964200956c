"""The composition: who runs the jobs, what is ready, what is collected."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service.uploaded import job_of
from service.world import World, running_service
from wavescope.errors import StaleVersion, Unavailable
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.jobs.uploads import UploadOptions


async def one_chunk() -> AsyncIterator[bytes]:
    yield b"slide"


async def test_only_one_service_of_a_store_runs_its_jobs_wi29(tmp_path: Path) -> None:
    async with running_service(tmp_path) as first:
        async with running_service(tmp_path) as second:
            with pytest.raises(Unavailable, match="runs no jobs"):
                await second.jobs.upload(LOCAL_USER, "a", UploadOptions(), one_chunk())
        assert first.jobs.list(LOCAL_USER) == ()
    async with running_service(tmp_path) as third:
        view = await job_of(third.jobs.upload(LOCAL_USER, "a", UploadOptions(), one_chunk()))
        assert view.record.filename == "a"


async def test_a_superseded_version_is_served_until_it_is_collected(damaged: World) -> None:
    old = damaged.digests["visual"]
    async with running_service(damaged.store, collect_seconds=1000.0) as service:
        service.catalog.publish("visual", "", damaged.digests["lossless"], service.catalog.get("lossless").manifest)
        assert await service.collector.collect() == ()
        assert (await service.slides.version(LOCAL_USER, "visual", old)).digest == old
    async with running_service(damaged.store, collect_seconds=1e-9) as service:
        await service.collector.collect()
        assert not (damaged.store / "slides" / old).exists()
        with pytest.raises(StaleVersion):
            await service.slides.version(LOCAL_USER, "visual", old)


async def test_many_askers_of_one_thumbnail_share_the_work(world: World) -> None:
    async with running_service(world.store) as service:
        version = await service.slides.version(LOCAL_USER, "visual", world.digests["visual"])
        files = await asyncio.gather(*(service.pixels.thumbnail(version, 128, "jpg") for _ in range(20)))
        assert len(set(files)) == 1
        assert service.pixels.images.misses == 1

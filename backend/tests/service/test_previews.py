"""Looking at a slide while its job waits or runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from service.test_jobs import FakeRunner, last, running
from service.uploaded import job_of
from wavescope.config import Limits
from wavescope.errors import MemoryLimit, OutOfRange, SignInRequired, UnknownJob, UnreadableSource
from wavescope.service.access.gate import LOCAL_USER, Principal
from wavescope.service.jobs.jobs import JobService
from wavescope.service.jobs.previews import PreviewService, PreviewTile
from wavescope.service.jobs.uploads import UploadOptions


def picture() -> np.ndarray:
    return np.random.default_rng(3).integers(0, 255, (600, 700, 3), np.uint8)


async def upload(jobs: JobService, data: bytes) -> str:
    async def chunks() -> AsyncIterator[bytes]:
        yield data

    return (await job_of(jobs.upload(LOCAL_USER, "a.png", UploadOptions(), chunks()))).record.id


def png(pixels: np.ndarray) -> bytes:
    out = BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


@pytest.mark.slow
async def test_tiles_come_from_the_file_of_an_unfinished_job_until_it_ends_wi48_wi49(tmp_path: Path) -> None:
    runner, pixels = FakeRunner(), picture()
    async with running(tmp_path, runner) as jobs:
        previews = PreviewService(jobs, tmp_path)
        job_id = await upload(jobs, png(pixels))
        info = await previews.info(LOCAL_USER, job_id)
        assert (info.width, info.height, info.planes, info.channels) == (700, 600, 1, 3)
        tiles = [previews.tile(LOCAL_USER, job_id, PreviewTile(0, 0, x, y, "png")) for x in (0, 2) for y in (0, 2)]
        abandoned = asyncio.ensure_future(previews.tile(LOCAL_USER, job_id, PreviewTile(0, 1, 0, 0, "png")))
        await asyncio.sleep(0)
        abandoned.cancel()
        bodies = await asyncio.gather(*tiles)
        assert np.array_equal(np.asarray(Image.open(BytesIO(bodies[3]))), pixels[512:, 512:])
        assert Image.open(BytesIO(await previews.thumbnail(LOCAL_USER, job_id))).size == (350, 300)
        for place in ((1, 0, 0, 0), (0, 5, 0, 0), (0, 0, 3, 0), (0, 0, 0, -1)):
            with pytest.raises(OutOfRange):
                await previews.tile(LOCAL_USER, job_id, PreviewTile(*place, "png"))
        advice = await previews.advice(LOCAL_USER, job_id)
        assert 0 < advice["presets"]["visual"]["bytes"] < advice["presets"]["lossless"]["bytes"]
        with pytest.raises(SignInRequired):
            await previews.info(Principal("stranger"), job_id)
        runner.release.set()
        await last(jobs, job_id)
        with pytest.raises(UnknownJob):
            await previews.info(LOCAL_USER, job_id)
        await previews.stop()


async def test_a_file_that_is_no_slide_is_refused_with_its_reason(tmp_path: Path) -> None:
    async with running(tmp_path, FakeRunner()) as jobs:
        previews = PreviewService(jobs, tmp_path)
        job_id = await upload(jobs, png(picture())[:2000])
        with pytest.raises(UnreadableSource, match=r"^a\.png: the PNG picture is damaged"):
            await previews.info(LOCAL_USER, job_id)
        await previews.stop()


async def test_a_reader_that_breaks_down_takes_only_its_own_process_with_it_wi50(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, FakeRunner()) as jobs:
        previews = PreviewService(jobs, tmp_path)
        job_id = await upload(jobs, png(picture()))
        await previews.info(LOCAL_USER, job_id)
        process = previews._children[job_id]._process
        assert process.stdin is not None
        drain = process.stdin.drain

        async def killed() -> None:
            process.kill()  # once it has its order: one that was dead before would be replaced
            await drain()

        monkeypatch.setattr(process.stdin, "drain", killed)
        with pytest.raises(UnreadableSource, match="broke down"):
            await previews.tile(LOCAL_USER, job_id, PreviewTile(0, 0, 0, 0, "png"))
        await process.wait()
        assert (await previews.tile(LOCAL_USER, job_id, PreviewTile(0, 0, 0, 0, "jpg")))[:2] == b"\xff\xd8"
        await previews.stop()


async def test_st63_a_preview_has_the_memory_limit_of_an_ingest(tmp_path: Path) -> None:
    async with running(tmp_path, FakeRunner()) as jobs:
        previews = PreviewService(jobs, tmp_path, Limits(ingest_memory=250 << 20))
        job_id = await upload(jobs, png(np.zeros((8000, 8000, 3), np.uint8)))
        with pytest.raises(MemoryLimit):
            await previews.info(LOCAL_USER, job_id)
        await previews.stop()


async def test_st63_a_preview_decodes_at_once_what_an_ingest_may(tmp_path: Path) -> None:
    async with running(tmp_path, FakeRunner()) as jobs:
        previews = PreviewService(jobs, tmp_path, Limits(decoded_bytes=1000))
        job_id = await upload(jobs, png(picture()))
        with pytest.raises(UnreadableSource, match="the limit is 1,000 bytes"):
            await previews.info(LOCAL_USER, job_id)
        await previews.stop()

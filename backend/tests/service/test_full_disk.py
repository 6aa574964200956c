"""Each background task on a disk that is really full: a clear state, nothing lost, and it goes on with space (OP27)."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from service.test_exports import exported, plan_of
from service.test_jobs import last
from service.uploaded import job_of
from service.world import World, running_service
from small_disk import SmallDisk, small_disk
from wavescope.catalog.access.audit import AuditQuery
from wavescope.config import Limits
from wavescope.errors import StoreFull, WavescopeError
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.backup import make_backup, verify_backup
from wavescope.service.composition import Services
from wavescope.service.jobs import jobs as jobs_module
from wavescope.service.jobs import worker
from wavescope.service.jobs.uploads import UploadOptions
from wavescope.service.jobs.watch import FolderWatch

pytestmark = pytest.mark.slow

MEGABYTES = 192  # exports leave 64 MiB free
PATIENCE = 60.0  # seconds, for what must come
LIMITS = Limits(free_bytes=0, low_bytes=0, database_request_seconds=0.2)


class Disk(SmallDisk):
    """A small disk with a store."""

    @property
    def store(self) -> Path:
        return self.path / "store"


@pytest.fixture
def disk(world: World, tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "disk", MEGABYTES) as mounted:
        world.copy(mounted.path / "store")
        yield Disk(mounted.path)


async def chunk(content: bytes) -> AsyncIterator[bytes]:
    yield content


def noise(path: Path) -> Path:
    """A picture that becomes a slide of more than a megabyte."""
    Image.fromarray(np.random.default_rng(5).integers(0, 255, (700, 700, 3), np.uint8)).save(path, "PNG")
    return path


async def imported(service: Services, disk: Disk) -> None:
    """The job waits, says why, and ends when there is space."""
    file = noise(disk.path / "noise.png")
    options = UploadOptions(quality="lossless")
    view = await job_of(service.jobs.upload(LOCAL_USER, "noise.png", options, chunk(file.read_bytes())))
    job = view.record.id
    disk.fill(left=600_000)
    async for now in service.jobs.events(LOCAL_USER, job):
        assert now.record.state in ("queued", "running")
        if now.record.error is not None:
            assert now.record.error["detail"].endswith("the import goes on when there is space")
            assert (disk.store / "uploads" / job / "noise.png").read_bytes() == file.read_bytes()
            break
    disk.free()
    ended = (await last(service.jobs, job)).record
    assert (ended.state, ended.error) == ("done", None)


async def received(service: Services, disk: Disk) -> None:
    disk.fill()
    with pytest.raises(StoreFull):
        await service.jobs.upload(LOCAL_USER, "a.svs", UploadOptions(), chunk(bytes(9000)))
    assert not [path for path in (disk.store / "uploads").rglob("*") if path.is_file()]
    disk.free()


async def written_out(service: Services, disk: Disk) -> None:
    """An export is refused, or fails with this reason; afterwards it succeeds."""
    plan = await plan_of(service, "tiff")
    disk.fill()
    with pytest.raises(StoreFull):
        await service.exports.create(LOCAL_USER, "lossless", plan)
    disk.free()
    assert (await exported(service, plan)).stat().st_size > 0


async def shown(service: Services, disk: Disk) -> None:
    """Tiles, regions and thumbnails need no disk: their caches are in memory."""
    disk.fill()
    version = await service.slides.version(LOCAL_USER, "visual", service.slides.current(LOCAL_USER, "visual"))
    assert len(await service.pixels.thumbnail(version, 64, "png")) > 100
    disk.free()


async def recorded(service: Services, disk: Disk) -> None:
    """Entries of the audit log wait, in their order."""
    disk.fill()
    written = [asyncio.wrap_future(service.audit.record(LOCAL_USER, "exported", f"s{n}")) for n in range(3)]
    async with asyncio.timeout(10):
        while not service.retry.waiting.works and not written[-1].done():
            await asyncio.sleep(0.01)
    disk.free()
    await asyncio.gather(*written)
    page = await service.audit.list(LOCAL_USER, AuditQuery(action="exported"), None, 3)
    assert [one.entry.slide_id for one in page] == ["s2", "s1", "s0"]


async def purged(service: Services, disk: Disk) -> None:
    """Purging fails without a trace, or succeeds; it is tried again."""
    await service.trash.put(LOCAL_USER, "planes")
    disk.fill()
    with suppress(StoreFull):
        await service.trash.purge(LOCAL_USER, "planes")
    disk.free()
    with suppress(WavescopeError):  # it is purged already
        await service.trash.purge(LOCAL_USER, "planes")
    assert [one.id for one in (await service.slides.list(LOCAL_USER, "", 1, 9)).slides] == ["visual", "lossless"]
    assert not service.catalog.slides_of_source("planes")


async def backed_up(service: Services, disk: Disk) -> None:
    """No half backup stays."""
    target = disk.path / "backup.zip"
    disk.fill()
    with pytest.raises(StoreFull):
        await asyncio.to_thread(make_backup, service.catalog, disk.store, target, pixels=True, replace=False)
    assert not list(disk.path.glob("backup*"))
    disk.free()
    await asyncio.to_thread(make_backup, service.catalog, disk.store, target, pixels=True, replace=False)
    assert verify_backup(target).slides


async def watched(service: Services, disk: Disk) -> None:
    """The file stays where it is, and is imported later, once."""
    folder = disk.path / "watched"
    folder.mkdir()
    noise(folder / "noise.png")
    watch = FolderWatch(folder, service.jobs, disk.store / "watched.json")
    await watch.scan()
    disk.fill()
    with pytest.raises(StoreFull):
        await watch.scan()
    assert (folder / "noise.png").exists()
    disk.free()
    for _ in range(3):
        await watch.scan()
    jobs = await service.jobs.list(LOCAL_USER)
    assert len(jobs) == 1
    assert (await last(service.jobs, jobs[0].record.id)).record.state == "done"


TASKS: dict[str, Callable[[Services, Disk], Awaitable[None]]] = {
    "uploads": received,
    "imports: scratch files and publishing": imported,
    "exports": written_out,
    "thumbnails and caches of pixels": shown,
    "audit log": recorded,
    "purge of the trash": purged,
    "backup": backed_up,
    "watched folder": watched,
}


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS.keys())
async def test_a_full_disk_loses_nothing_and_work_goes_on_op27(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, task: Callable[[Services, Disk], Awaitable[None]]
) -> None:
    monkeypatch.setattr(worker, "SPACE_AGAIN_SECONDS", 0.5)
    monkeypatch.setattr(jobs_module, "REPORT_SECONDS", 0.0)
    options = {"catalog": f"sqlite:///{disk.path.parent / 'catalog.sqlite'}"} if task is imported else {}
    if options:
        shutil.move(disk.store / "catalog.sqlite", disk.path.parent / "catalog.sqlite")
    async with asyncio.timeout(PATIENCE), running_service(disk.store, limits=LIMITS, **options) as service:
        await task(service, disk)

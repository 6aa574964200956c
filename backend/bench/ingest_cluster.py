"""Slides that wait, ingested on 3 Dask workers against 1, each held to a share of a processor.

The digests are compared with those of one machine.

A node (the service in this process) on PostgreSQL and a real S3 server (versitygw); scheduler and workers are processes
of their own. Time is from the start of the first job to the end of the last one; all uploads are there before. Workers
are held by a cgroup (version 1 or 2), else this bench says so and the figures mean little.

usage: ingest_cluster.py [SLIDES [SHARE [SIDE]]]     100 slides, 0.25 of a processor, 1024 pixels a side
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from setting import table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from catalog.databases import new_database, postgresql
from dask_cluster import DaskProcesses
from ingest.worlds import ingested, tissue, write_tiff
from object_stores import BUCKET, served
from service.world import running_service
from wavescope.config import Limits
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.composition import Services
from wavescope.service.jobs.uploads import UploadOptions
from wavescope.service.jobs.views import JobView

SLIDES, SHARE, SIDE = 100, 0.25, 1024
CGROUPS = (Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup"))
PERIOD = 100_000  # microseconds


@contextmanager
def held(processes: list[int], share: float) -> Iterator[bool]:
    """Each process in a cgroup of its own; whether that worked."""
    root = next((one for one in CGROUPS if (one / "cgroup.procs").exists()), None)
    made: list[Path] = []
    try:
        for pid in processes:
            assert root is not None
            group = root / f"wavescope-bench-{pid}"
            group.mkdir()
            made.append(group)
            if (group / "cpu.cfs_quota_us").exists():
                (group / "cpu.cfs_period_us").write_text(str(PERIOD))
                (group / "cpu.cfs_quota_us").write_text(str(int(share * PERIOD)))
            else:
                (group / "cpu.max").write_text(f"{int(share * PERIOD)} {PERIOD}")
            (group / "cgroup.procs").write_text(str(pid))
        yield True
    except (OSError, AssertionError):
        yield False
    finally:
        for group in made:
            for process in (group / "cgroup.procs").read_text().split():
                (group.parent / "cgroup.procs").write_text(process)
            group.rmdir()


async def upload(node: Services, content: bytes, number: int) -> str:
    async def chunks() -> AsyncIterator[bytes]:
        yield content

    options = UploadOptions(quality="visual")
    made = await node.jobs.upload(LOCAL_USER, f"{number}.tif", options, chunks(), hold="always")
    assert isinstance(made, JobView)
    return made.record.id


def cpu_of(pid: int) -> float:
    """Seconds that a process has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measured(root: Path, url: str, files: list[tuple[Path, str]], slides: int, workers: int, share: float):  # type: ignore[no-untyped-def]
    """Seconds, CPU seconds of the workers and of this process per slide, wrong digests."""
    dask = DaskProcesses(root / f"dask{workers}")
    place = f"s3://{BUCKET}/{root.name}-{workers}"
    limits = Limits(waiting_jobs=slides + 8, database_request_seconds=30)
    names = [f"w{number}" for number in range(workers)]
    try:
        dask.start(workers)
        async with running_service(
            root / f"node{workers}", catalog=url, slide_store=place, node_name="bench", dask_scheduler=dask.address,
            limits=limits,
        ) as node:  # fmt: skip
            assert node.dask is not None
            while node.dask.max_in_flight() != workers + 1:
                await asyncio.sleep(0.1)
            jobs = [await upload(node, file.read_bytes(), number) for number, (file, _) in enumerate(files)]
            with held([dask.pid(name) for name in names], share) as works:
                if not works:
                    print("workers cannot be held to a share here (no cgroup)", flush=True)
                before, own, began = (
                    sum(cpu_of(dask.pid(name)) for name in names),
                    time.process_time(),
                    time.monotonic(),
                )
                for job_id in jobs:
                    await node.jobs.begin(LOCAL_USER, job_id)
                for job_id in jobs:
                    async for _ in node.jobs.events(LOCAL_USER, job_id):
                        pass
                seconds = time.monotonic() - began
                cpu = sum(cpu_of(dask.pid(name)) for name in names) - before
            own = time.process_time() - own
            records = [(await node.jobs.get(LOCAL_USER, job_id)).record for job_id in jobs]
            digests = [node.catalog.get(str(one.slide_id)).digest if one.slide_id else "" for one in records]
            wrong = sum(digest != right for digest, (_, right) in zip(digests, files, strict=True))
            return seconds, cpu / slides, own / slides, wrong
    finally:
        dask.stop()


async def main() -> None:
    given = [float(one) for one in sys.argv[1:]]
    defaults = (SLIDES, SHARE, SIDE)
    slides, share, side = (*given, *defaults[len(given) :])[:3]
    slides, side = int(slides), int(side)
    with TemporaryDirectory(prefix="wavescope-bench-") as folder, postgresql() as server:
        root = Path(folder)
        files = []
        for number in range(slides):
            file = write_tiff(root / f"{number}.tif", tissue(side, side, seed=number))
            files.append((file, ingested(file, root / f"one{number}", quality="visual").digest))
        rows, alone = [], 0.0
        with served(root / "s3"):
            for workers in (1, 3):
                url = new_database(server, f"bench{workers}")
                seconds, cpu, own, wrong = await measured(root, url, files, slides, workers, share)
                alone = alone or seconds
                rows.append((f"{workers}", seconds, slides / seconds, alone / seconds, cpu, own, wrong))
                print(f"{workers} workers: {seconds:.1f} s", flush=True)
        columns = [
            "workers",
            "s",
            "slides/s",
            "x of 1 worker",
            "worker CPU s/slide",
            "node CPU s/slide",
            "wrong digests",
        ]
        table(f"{slides} slides of {side} x {side} pixels, workers held to {share:g} of a processor", columns, rows)


if __name__ == "__main__":
    asyncio.run(main())

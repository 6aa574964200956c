"""Jobs of several nodes: taken once, seen and steered from any node, continued when a node is lost (CL40 to CL47)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest

from catalog.databases import new_database
from object_stores import Server
from service.cluster.worlds import Cluster, chunks_of, ended, until, upload, view_of
from service.test_jobs import FakeRunner
from wavescope.access.principal import Principal
from wavescope.catalog.jobs import queue as job_queue
from wavescope.catalog.jobs.queue import LAPSE_SECONDS, MAX_LOST, JobQueue, Lease, Progress
from wavescope.catalog.jobs.table import JobLeaseLost, JobTable
from wavescope.catalog.names import Names
from wavescope.errors import Unavailable, UnknownJob
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.composition import Services
from wavescope.service.jobs.cluster import files as shared_files
from wavescope.service.jobs.runs import JobFailed
from wavescope.service.jobs.uploads import UploadOptions
from wavescope.service.jobs.views import JobView
from wavescope.service.jobs.worker import NOT_JUDGED
from wavescope.store.objects.client import Objects
from wavescope.store.objects.uploads import UploadObjects

NUMBERS = count()


@pytest.fixture
async def cluster(tmp_path: Path, database: str, objects: Server) -> AsyncIterator[Cluster]:
    made = Cluster(tmp_path, new_database(database, f"jobs{next(NUMBERS)}"))
    yield made
    await made.close()


def uploads_of(cluster: Cluster) -> UploadObjects:
    return UploadObjects(Objects.at(cluster.place))


@pytest.mark.slow
async def test_each_job_is_taken_by_one_node_and_every_node_shows_it_cl40_cl44(cluster: Cluster) -> None:
    runners = {name: FakeRunner() for name in "abc"}
    nodes = [await cluster.start(name, runner) for name, runner in runners.items()]
    jobs = [await upload(nodes[number % 3], name=f"{number}.svs") for number in range(9)]
    for runner in runners.values():
        runner.release.set()
    for job_id in jobs:
        for node in nodes:
            assert (await ended(node, job_id)).record.state == "done"
    seen = [name for runner in runners.values() for name, _, content in runner.seen if content == b"slide"]
    taken = {view.record.filename: view.record.lease for view in await nodes[0].jobs.list(LOCAL_USER)}
    assert taken.keys() == {f"{number}.svs" for number in range(9)}
    # once each, and once more for each time that a starved machine kept a node silent for longer than the lease
    assert sorted(seen) == sorted(name for name, lease in taken.items() for _ in range(lease))


async def test_progress_of_another_node_is_seen_cl44(cluster: Cluster) -> None:
    runner = FakeRunner()
    a = await cluster.start("a", runner)
    b = await cluster.start("b", run_jobs=False)
    job_id = await upload(b)
    async with asyncio.timeout(20):
        async for view in b.jobs.events(LOCAL_USER, job_id):
            if (view.record.done, view.record.total) == (1, 4):
                break
    assert (await view_of(b, job_id)).record.node == "a"
    assert runner.seen[0][2] == b"slide"
    assert a.jobs.started


async def test_a_client_cancels_on_any_node_cl44(cluster: Cluster) -> None:
    runner = FakeRunner()
    await cluster.start("a", runner)
    b = await cluster.start("b", run_jobs=False)
    running, waiting = await upload(b), await upload(b, name="b.svs")
    await runner.begun.wait()
    for job_id in (waiting, running):
        assert (await b.jobs.cancel(LOCAL_USER, job_id)).record.state == "cancelled"
    assert [name for name, *_ in runner.seen] == ["a.svs"]
    for job_id in (waiting, running):
        with pytest.raises(FileNotFoundError):
            uploads_of(cluster).files(job_id)


async def test_a_client_begins_anew_on_any_node_cl44(cluster: Cluster) -> None:
    runner = FakeRunner()
    await cluster.start("a", runner)
    b = await cluster.start("b", run_jobs=False)
    job_id = await upload(b)
    await runner.begun.wait()
    await b.jobs.begin(LOCAL_USER, job_id, {"quality": "lossless"})
    await until(lambda: len(runner.seen) == 2)
    runner.release.set()
    assert (await ended(b, job_id)).record.state == "done"
    assert [options["quality"] for _, options, _ in runner.seen] == ["visual", "lossless"]


async def test_a_held_job_begins_from_another_node_cl44(cluster: Cluster) -> None:
    runner = FakeRunner()
    runner.release.set()
    a, b = await cluster.start("a", runner), await cluster.start("b", run_jobs=False)
    job_id = await upload(a, hold="always")
    assert (await view_of(b, job_id)).record.state == "held"
    await b.jobs.begin(LOCAL_USER, job_id)
    assert (await ended(a, job_id)).record.state == "done"


async def test_a_job_of_a_node_that_stops_runs_elsewhere_at_once_cl42(cluster: Cluster) -> None:
    first, second = FakeRunner(), FakeRunner()
    a = await cluster.start("a", first)
    job_id = await upload(a)
    await first.begun.wait()
    b = await cluster.start("b", second)
    await cluster.stop("a")
    began = time.monotonic()
    await second.begun.wait()
    assert time.monotonic() - began < LAPSE_SECONDS
    second.release.set()
    record = (await ended(b, job_id)).record
    assert (record.state, record.attempts, second.seen[0][2]) == ("done", 0, b"slide")


async def test_an_upload_is_in_the_object_store_before_it_is_answered_cl45(cluster: Cluster) -> None:
    a = await cluster.start("a", run_jobs=False)
    content = bytes(range(256)) * 50_000
    job_id = await upload(a, content, name="large.svs")
    (file,) = uploads_of(cluster).files(job_id)
    assert (file.path, file.size) == ("large.svs", len(content))
    uploads_of(cluster).fetch(job_id, cluster.root / "copy", lambda _: None)
    assert (cluster.root / "copy" / "large.svs").read_bytes() == content


@pytest.mark.slow
async def test_an_upload_that_cannot_be_stored_is_refused_cl45(cluster: Cluster, objects: Server) -> None:
    a = await cluster.start("a", run_jobs=False, slide_store_seconds=0.2)
    objects.stop()
    try:
        with pytest.raises(Unavailable):
            await upload(a)
    finally:
        objects.start()
    assert await a.jobs.list(LOCAL_USER) == ()
    assert not list((cluster.root / "a" / "uploads").iterdir())


async def test_a_file_damaged_in_the_object_store_is_not_ingested_cl46(cluster: Cluster, objects: Server) -> None:
    a = await cluster.start("a", run_jobs=False)
    job_id = await upload(a)
    Objects.at(cluster.place).put(f"uploads/{job_id}/files/a.svs", [b"other"])
    with pytest.raises(Unavailable, match="damaged"):
        uploads_of(cluster).fetch(job_id, cluster.root / "copy", lambda _: None)
    assert not (cluster.root / "copy").exists()


async def test_files_of_ended_jobs_and_of_none_are_removed_everywhere_cl47(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = await cluster.start("a", run_jobs=False), await cluster.start("b", run_jobs=False)
    done, kept = await upload(a), await upload(a, hold="always")
    await b.jobs.file(LOCAL_USER, kept)  # a copy, as for a preview
    await b.jobs.file(LOCAL_USER, done)
    (cluster.root / "loose").mkdir()
    (cluster.root / "loose" / "x").write_bytes(b"x")
    uploads_of(cluster).send("0" * 32, cluster.root / "loose")
    await a.jobs.cancel(LOCAL_USER, done)
    monkeypatch.setattr(shared_files, "ABANDONED_SECONDS", -1.0)
    assert set(await b.jobs.sweep()) == {done, "0" * 32}
    assert [path.name for path in (cluster.root / "b" / "uploads").iterdir()] == [kept]
    assert set(Objects.at(cluster.place).folders("uploads")) == {kept}


async def test_a_node_with_a_full_disk_leaves_the_job_to_others_cl48(cluster: Cluster) -> None:
    full, free = FakeRunner(), FakeRunner()
    full.failure = JobFailed("StoreFull", "the disk is full")
    full.release.set()
    free.release.set()
    a = await cluster.start("a", full)
    job_id = await upload(a)
    await until(lambda: len(full.seen) == 1)
    await cluster.start("b", free)
    record = (await ended(a, job_id)).record
    assert (record.state, record.error) == ("done", None)
    assert (len(full.seen), len(free.seen)) == (1, 1)


# --- the rows alone --------------------------------------------------------------------------------------------------


@pytest.fixture
async def node(cluster: Cluster) -> Services:
    return await cluster.start("a", run_jobs=False)


def queues_of(node: Services, *names: str) -> list[JobQueue]:
    return [JobQueue(node.catalog.engine, name) for name in names]


async def test_a_silent_node_loses_its_job_and_cannot_end_it_cl41(
    node: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "LAPSE_SECONDS", 0.2)
    first, second = queues_of(node, "x", "y")
    table = JobTable(node.catalog.engine)
    table.add("j", "a.svs", {})
    mine = first.take()
    assert mine is not None
    assert second.take() is None
    await asyncio.sleep(0.3)
    other = second.take()
    assert other is not None
    assert (other.node, other.lease, other.attempts) == ("y", mine.lease + 1, 1)
    for work in (lambda: table.save(mine), lambda: first.heartbeat(Lease("j", mine.lease), Progress(1, 2))):
        with pytest.raises(JobLeaseLost):
            work()
    first.release(Lease("j", mine.lease))
    assert table.all()[0].node == "y"


@pytest.mark.slow
async def test_a_node_that_was_only_silent_keeps_its_job_cl41(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "LAPSE_SECONDS", -1.0)
    runner = FakeRunner()
    a = await cluster.start("a", runner)
    job_id, other = await upload(a), await upload(a, name="b.svs")
    await runner.begun.wait()
    await asyncio.sleep(1.2)  # more than one look for jobs
    assert len(runner.seen) == 1
    runner.release.set()
    for one in (job_id, other):
        record = (await ended(a, one)).record
        assert (record.state, record.attempts, record.lease) == ("done", 0, 1)


async def test_a_job_that_lost_several_nodes_is_held_and_may_be_tried_again_cl42_wi135(
    node: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "LAPSE_SECONDS", -1.0)
    (queue,) = queues_of(node, "x")
    JobTable(node.catalog.engine).add("j", "a.svs", {})
    for _ in range(2):
        for _ in range(MAX_LOST):
            assert queue.take() is not None
        assert queue.take() is None
        (record,) = JobTable(node.catalog.engine).all()
        assert (record.state, record.attempts) == ("held", MAX_LOST)
        assert record.error is not None
        assert "lost" in record.error["detail"]
        record = queue.send_command("j", "anew", record.options)
        assert (record.state, record.attempts, record.error) == ("queued", 0, None)


async def test_a_node_that_its_import_outlives_does_not_count_against_the_file_cl42(
    node: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "LAPSE_SECONDS", -1.0)
    (queue,) = queues_of(node, "x")
    JobTable(node.catalog.engine).add("j", "a.svs", {})
    for lost in range(3 * MAX_LOST):
        record = queue.take()
        assert record is not None, f"after {lost} losses"
        Lease("j", record.lease).spare(node.catalog.engine)
        Lease("j", record.lease - 1).spare(node.catalog.engine)  # too late: another node has the job


async def test_what_a_lost_node_publishes_late_is_not_published_cl43(
    node: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "LAPSE_SECONDS", -1.0)
    first, second = queues_of(node, "x", "y")
    JobTable(node.catalog.engine).add("j", "a.svs", {})
    manifest = {"source": {"fingerprint": "f"}, "width": 1, "height": 1}
    old, new = first.take(), second.take()
    assert old is not None
    assert new is not None
    with pytest.raises(JobLeaseLost):
        node.catalog.on_publish(Lease("j", old.lease).note_published).publish("late", "", "d" * 64, manifest)
    assert Names(node.catalog)("slide", "late") is None
    node.catalog.on_publish(Lease("j", new.lease).note_published).publish("s", "", "d" * 64, manifest)
    again = first.take()
    assert again is not None
    assert again.slide_id == "s"
    with pytest.raises(JobLeaseLost):
        node.catalog.on_publish(Lease("j", again.lease).note_published).publish("s-2", "", "d" * 64, manifest)


@pytest.mark.slow
async def test_a_slide_of_a_lost_node_ends_its_job_without_another_run_cl43(cluster: Cluster) -> None:
    a = await cluster.start("a", run_jobs=False)
    job_id = await upload(a)
    (queue,) = queues_of(a, "x")
    lost = queue.take()
    assert lost is not None
    manifest = {"source": {"fingerprint": "f"}, "width": 1, "height": 1}
    a.catalog.on_publish(Lease(job_id, lost.lease).note_published).publish("s", "", "d" * 64, manifest)
    runner = FakeRunner()
    b = await cluster.start("b", runner)
    record = (await ended(b, job_id)).record
    assert (record.state, record.slide_id, runner.seen) == ("done", "s", [])
    assert record.notices == (NOT_JUDGED,)


async def test_jobs_of_other_users_stay_theirs_on_every_node(cluster: Cluster) -> None:
    a = await cluster.start("a", run_jobs=False, access="accounts")
    b = await cluster.start("b", run_jobs=False, access="accounts")
    one, other = (Principal(name, "user", name * 32, "instructor") for name in "uv")
    made = await a.jobs.upload(one, "a.svs", UploadOptions(), chunks_of(b"slide"))
    assert isinstance(made, JobView)
    assert (await b.jobs.get(one, made.record.id)).record.state == "queued"
    with pytest.raises(UnknownJob):
        await b.jobs.get(other, made.record.id)

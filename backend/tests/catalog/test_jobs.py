"""The ingest jobs' rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.jobs import queue as queue_module
from wavescope.catalog.jobs import table as jobs_module
from wavescope.catalog.jobs.queue import MAX_LOST, JobQueue, Lease, Progress
from wavescope.catalog.jobs.table import JobTable
from wavescope.catalog.records import JobRecord
from wavescope.errors import UnknownJob


@pytest.fixture
def table(tmp_path: Path) -> Iterator[JobTable]:
    catalog = Catalog.open(tmp_path)
    yield JobTable(catalog.engine)
    catalog.close()


def test_a_saved_job_is_read_back_as_it_was(table: JobTable) -> None:
    job = table.add("j1", "a.svs", {"quality": "visual"})
    assert (job.state, job.done, job.total, job.options) == ("queued", 0, 0, {"quality": "visual"})
    error = {"type": "/problems/x", "title": "t", "detail": "d"}
    assert job.notices == ()
    saved = replace(job, state="failed", done=3, total=9, error=error, updated=job.updated + 1, notices=("n",))
    table.save(saved)
    assert table.all() == (saved,)


def test_a_job_that_is_not_there_is_reported(table: JobTable) -> None:
    with pytest.raises(UnknownJob):
        table.remove("j1")


def test_only_the_newest_ended_jobs_are_remembered(table: JobTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "MAX_ENDED", 2)
    for number in range(4):
        table.save(replace(table.add(f"j{number}", "f", {}), state="done"))
    table.add("waiting", "f", {})
    assert [job.id for job in table.all()] == ["waiting", "j3", "j2"]


# --- the queue --------------------------------------------------------------------------------------------------------


@pytest.fixture
def shared(table: JobTable) -> JobQueue:
    """The same rows for a node of a cluster."""
    return JobQueue(table.engine, "a")


@pytest.fixture
def queue(table: JobTable) -> JobQueue:
    """The same rows for a service that is alone."""
    return JobQueue(table.engine)


def taken(queue: JobQueue, *here: str) -> JobRecord:
    record = queue.take(here)
    assert record is not None
    return record


def test_jobs_are_taken_in_their_order_once_each_and_one_that_is_given_back_last_after_the_others(
    queue: JobQueue,
) -> None:
    for job_id in "abc":
        queue.add(job_id, "f", {})
    first = taken(queue)
    queue.release(Lease("a", first.lease), {"cause": "StoreFull", "detail": "full"}, last=True)
    second = taken(queue)
    queue.release(Lease("b", second.lease))  # of a service that stops
    order = [taken(queue, *"abc"[:number]) for number in (0, 2, 3)]
    assert [record.id for record in order] == ["b", "c", "a"]
    assert [record.lease for record in order] == [2, 1, 2]
    assert order[2].error == {"cause": "StoreFull", "detail": "full"}  # for what it waited
    assert queue.take(tuple("abc")) is None
    assert queue.all()[2].error is None


def test_a_service_that_is_alone_takes_its_own_jobs_back_at_once_however_often_it_was_killed_wi29(
    queue: JobQueue,
) -> None:
    queue.add("a", "f", {})
    for number in range(2 * MAX_LOST):
        record = taken(queue)
        queue.heartbeat(Lease("a", record.lease), Progress(3, 9, 1.5))
        assert (record.lease, record.attempts) == (number + 1, 0)
    queue.restart()
    (record,) = queue.all()
    assert (record.state, record.done, record.total, record.rate) == ("queued", 0, 0, None)


def test_a_sign_of_life_without_progress_writes_nothing_where_nobody_needs_it(
    queue: JobQueue, shared: JobQueue
) -> None:
    queue.add("a", "f", {})
    lease = Lease("a", taken(queue).lease)
    (before,) = queue.all()
    assert queue.heartbeat(lease, None) is None
    (after,) = queue.all()
    assert (after, after.change) == (before, before.change)
    shared.heartbeat(lease, None)
    assert shared.take() is None  # it has shown that it is alive
    queue.send_command("a", "cancel")
    assert queue.heartbeat(lease, None) == "cancel"


def test_a_cancelled_job_whose_node_is_lost_is_not_held_however_often_that_happens_cl42(
    shared: JobQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_module, "LAPSE_SECONDS", -1.0)
    shared.add("a", "f", {})
    for _ in range(MAX_LOST):
        taken(shared)
    assert shared.send_command("a", "cancel").wish == "cancel"
    record = taken(shared)
    assert (record.state, record.attempts, record.wish) == ("running", MAX_LOST, "cancel")
    ended = shared.save(replace(record, state="cancelled"))
    assert (ended.state, ended.wish) == ("cancelled", None)


def test_a_job_that_is_to_be_held_although_it_was_cancelled_is_cancelled_wi135(queue: JobQueue) -> None:
    queue.add("a", "f", {})
    record = taken(queue)
    queue.send_command("a", "cancel")
    saved = queue.save(replace(record, state="held", error={"cause": "Unavailable", "detail": "d"}))
    assert (saved.state, saved.error, saved.wish) == ("cancelled", None, None)


def test_a_cancelled_job_that_has_not_ended_yet_stays_cancelled_whatever_is_asked_then_wi71(queue: JobQueue) -> None:
    queue.add("a", "f", {"quality": "visual"})
    taken(queue)
    queue.send_command("a", "cancel")
    assert queue.send_command("a", "anew", {"quality": "fine"}).wish == "cancel"


def test_a_job_that_waits_again_has_begun_anew_but_stays_cancelled_wi71(queue: JobQueue) -> None:
    for job_id in "ab":
        queue.add(job_id, "f", {"quality": "visual"})
    leases = [Lease(record.id, record.lease) for record in (taken(queue), taken(queue, "a"))]
    queue.send_command("a", "anew", {"quality": "fine"})
    queue.send_command("b", "cancel")
    for lease in leases:
        queue.release(lease)
    found = {record.id: record for record in queue.all()}
    assert (found["a"].wish, found["a"].options) == (None, {"quality": "fine"})
    assert (found["b"].state, found["b"].wish) == ("queued", "cancel")
    assert taken(queue, "a").wish is None
    assert taken(queue, "a").wish == "cancel"


def test_jobs_are_counted_by_state_op61(queue: JobQueue) -> None:
    queue.add("a", "f", {})
    queue.add("b", "f", {}, "held")
    taken(queue)
    counts = queue.counts()
    assert [state for state, count in counts.items() if count.jobs] == ["held", "running"]
    assert counts["held"].oldest == counts["held"].unchanged == next(r for r in queue.all() if r.id == "b").created
    assert counts["done"] == (0, None, None)
    assert queue.going() == 1

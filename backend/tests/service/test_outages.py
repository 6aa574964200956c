"""Waiting for a catalog that does not answer, and jobs that lose nothing meanwhile (OP41 to OP43)."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection

from service.outages import DRIVER, AwayQueue, quick, records_of
from service.test_jobs import FakeRunner, last, one_chunk, upload, uploaded
from service.uploaded import job_of
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.database import translated
from wavescope.catalog.outages import is_away, is_full
from wavescope.config import Limits
from wavescope.errors import CatalogAway, StoreFull, UnknownJob
from wavescope.service.access.gate import LOCAL_USER, may
from wavescope.service.jobs.jobs import JobService
from wavescope.service.jobs.runs import JobFailed
from wavescope.service.jobs.uploads import UploadOptions
from wavescope.service.outages import Backoff


class Said(Exception):
    """What a driver raises."""

    def __init__(self, state: str | None = None, code: int = 0) -> None:
        super().__init__("driver")
        self.sqlstate = state
        if code:
            self.sqlite_errorcode = code


class SqliteSaid(sqlite3.OperationalError):
    def __init__(self, code: int) -> None:
        super().__init__("driver")
        self.sqlite_errorcode = code


@pytest.mark.parametrize(
    ("error", "away"),
    [
        pytest.param(OperationalError("", {}, Said()), True, id="no connection (OP41)"),
        pytest.param(OperationalError("", {}, Said("57P01")), True, id="shutdown"),
        pytest.param(OperationalError("", {}, Said("57P03")), True, id="starting"),
        pytest.param(OperationalError("", {}, Said("53300")), True, id="too many connections"),
        pytest.param(OperationalError("", {}, Said("40P01")), True, id="deadlock"),
        pytest.param(OperationalError("", {}, SqliteSaid(sqlite3.SQLITE_BUSY)), True, id="locked"),
        pytest.param(OperationalError("", {}, SqliteSaid(sqlite3.SQLITE_CANTOPEN)), True, id="folder gone"),
        pytest.param(NoFreeConnection(), True, id="no free connection"),
        pytest.param(OperationalError("", {}, Said("28P01")), False, id="wrong password"),
        pytest.param(OperationalError("", {}, SqliteSaid(sqlite3.SQLITE_READONLY)), False, id="read-only"),
        pytest.param(IntegrityError("", {}, Said("23505")), False, id="a mistake"),
    ],
)
def test_which_errors_mean_that_the_database_does_not_answer(error: Exception, away: bool) -> None:
    assert is_away(error) is away


def test_a_service_without_a_free_connection_says_so_op41() -> None:
    expected = pytest.raises(CatalogAway, match="all connections of this service to its database are in use")
    with expected, translated(create_engine("sqlite://")):
        raise NoFreeConnection()


def test_a_full_disk_of_the_database_is_an_outage_too_op41() -> None:
    assert is_full(Said("53100"))
    assert is_full(sqlite3.OperationalError("database or disk is full"))
    assert not is_full(Said("57P01"))


def test_pauses_double_up_to_the_longest_and_end_with_the_limit_op41() -> None:
    backoff = Backoff(60.0)
    assert [backoff.pause(failures, 0.0) for failures in (1, 2, 3, 6, 7, 9)] == [0.1, 0.2, 0.4, 3.2, 5.0, 5.0]
    assert backoff.pause(9, 58.0) == 2.0
    assert backoff.pause(9, 60.0) is None


async def test_work_is_repeated_until_the_catalog_answers_op41(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    failures = [CatalogAway(DRIVER), StoreFull("/store"), CatalogAway(DRIVER)]
    retry = quick()

    async def work() -> int:
        if failures:
            assert retry.waiting.works == (len(failures) < 3)
            raise failures.pop()
        return 7

    assert await retry.run("try", work) == 7
    assert (retry.waiting.works, retry.waiting.retries) == (0, 3)
    assert caplog.messages == ["waiting for the catalog", "the catalog answers again"]  # OP57


def test_after_the_limit_and_when_the_service_stops_work_fails_op41(caplog: pytest.LogCaptureFixture) -> None:
    def work() -> int:
        raise CatalogAway(DRIVER)

    with pytest.raises(CatalogAway):
        quick(0.02).run_blocking("try", work)
    assert caplog.messages == ["waiting for the catalog", "gave up waiting for the catalog"]
    stopped = quick()
    stopped.stop()
    with pytest.raises(CatalogAway):
        stopped.run_blocking("try", work)
    assert stopped.waiting.retries == 1


@asynccontextmanager
async def running(store: Path, runner: FakeRunner) -> AsyncIterator[tuple[JobService, AwayQueue, asyncio.Event]]:
    """A service of jobs, its table, and an event of the table's failures."""
    catalog, failed, loop = Catalog.open(store), asyncio.Event(), asyncio.get_running_loop()
    table = AwayQueue(catalog, lambda: loop.call_soon_threadsafe(failed.set))
    jobs = JobService(records_of(catalog, store, table), runner, may, Limits())
    await jobs.start()
    try:
        yield jobs, table, failed
    finally:
        await jobs.stop()
        catalog.close()


async def test_a_job_that_ends_in_an_outage_is_saved_before_its_file_is_removed_op42(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as (jobs, table, failed):
        job_id = await upload(jobs)
        await runner.begun.wait()
        table.away = True
        runner.release.set()
        await failed.wait()
        with pytest.raises(CatalogAway):
            await jobs.get(LOCAL_USER, job_id)
        assert (tmp_path / "uploads" / job_id / "a.svs").read_bytes() == b"slide"
        table.away = False
        assert (await last(jobs, job_id)).record.slide_id == "a"
    assert (uploaded(tmp_path), len(runner.seen)) == ([], 1)
    async with running(tmp_path, runner) as (jobs, _, _):
        assert (await jobs.get(LOCAL_USER, job_id)).record.state == "done"


async def test_a_job_whose_process_lost_the_catalog_runs_again_op42(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("wavescope.service.jobs.worker.AGAIN_SECONDS", 0.0)
    runner = FakeRunner()
    runner.failure = JobFailed("CatalogAway", "the catalog is unavailable")
    runner.release.set()
    async with running(tmp_path, runner) as (jobs, _, _):
        job_id = await upload(jobs)
        await runner.begun.wait()
        runner.failure = None
        assert (await last(jobs, job_id)).record.state == "done"
        assert jobs.worker_alive
    assert "job interrupted" in caplog.messages


async def test_an_upload_in_an_outage_is_noted_beside_its_file_and_stored_later_op43(tmp_path: Path) -> None:
    runner = FakeRunner()
    runner.release.set()
    async with running(tmp_path, runner) as (jobs, table, _):
        table.away = True
        view = await job_of(jobs.upload(LOCAL_USER, "a.svs", UploadOptions(), one_chunk(), hold="if stored"))
        assert view.record.state == "queued"
        assert (tmp_path / "uploads" / view.record.id / ".job.json").exists()
        assert await jobs.sweep() == ()
        table.away = False
        assert (await last(jobs, view.record.id)).record.state == "done"
        assert [one.id for one in table.all()] == [view.record.id]
    assert uploaded(tmp_path) == []


async def test_a_noted_job_survives_a_restart_and_what_is_no_note_is_ignored_op43(tmp_path: Path) -> None:
    runner = FakeRunner()
    runner.release.set()
    async with running(tmp_path, runner) as (jobs, table, failed):
        table.away = True
        job_id = await upload(jobs)
        await failed.wait()
    broken = tmp_path / "uploads" / "broken"
    broken.mkdir()
    (broken / ".job.json").write_bytes(b'{"id": "bro')
    async with running(tmp_path, runner) as (jobs, table, _):
        assert (await last(jobs, job_id)).record.state == "done"
        assert [one.id for one in table.all()] == [job_id]
    assert uploaded(tmp_path) == []


async def test_a_held_job_is_stored_by_the_periodic_task_op43(tmp_path: Path) -> None:
    async with running(tmp_path, FakeRunner()) as (jobs, table, _):
        table.away = True
        view = await job_of(jobs.upload(LOCAL_USER, "a.svs", UploadOptions(), one_chunk(), hold="always"))
        with pytest.raises(CatalogAway):
            await jobs.flush_journal()
        table.away = False
        await jobs.flush_journal()
        assert [one.state for one in table.all()] == ["held"]
        assert not (tmp_path / "uploads" / view.record.id / ".job.json").exists()


async def test_what_a_client_changes_in_an_outage_is_refused_and_stays_as_it_is_op47(tmp_path: Path) -> None:
    async with running(tmp_path, FakeRunner()) as (jobs, table, _):
        upload = jobs.upload(LOCAL_USER, "a.svs", UploadOptions(), one_chunk(), hold="always")
        held = (await job_of(upload)).record.id
        table.away = True
        for change in (jobs.begin(LOCAL_USER, held), jobs.cancel(LOCAL_USER, held)):
            with pytest.raises(CatalogAway):
                await change
        table.away = False
        assert (await jobs.get(LOCAL_USER, held)).record.state == "held"
        assert (await jobs.source(LOCAL_USER, held)).exists()


async def test_a_job_that_another_service_forgot_does_not_stop_the_worker(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as (jobs, table, _):
        first = await upload(jobs, "first.svs")
        await runner.begun.wait()
        second = await upload(jobs, "second.svs")
        table.remove(second)
        third = await upload(jobs, "third.svs")
        runner.release.set()
        assert (await last(jobs, third)).record.state == "done"
        assert (await jobs.get(LOCAL_USER, first)).record.state == "done"
        with pytest.raises(UnknownJob):
            await jobs.get(LOCAL_USER, second)

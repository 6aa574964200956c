"""Audit log, readiness, start and jobs in an outage (OP44, OP46, OP48, OP49)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import cast

import pytest

from service.outages import DRIVER, quick
from service.test_jobs import FakeRunner, last, upload
from service.world import running_service
from wavescope import main
from wavescope.catalog.access.audit import AuditEntry, AuditLog, AuditQuery, AuditRecord
from wavescope.catalog.catalog import Catalog
from wavescope.config import Config
from wavescope.errors import CatalogAway, Unavailable
from wavescope.service import periodic
from wavescope.service.access import audit as audit_module
from wavescope.service.access.audit import AuditService
from wavescope.service.access.audit_writer import AuditWriter
from wavescope.service.access.gate import LOCAL_USER, may
from wavescope.service.health import HealthService
from wavescope.service.outages import CatalogRetry
from wavescope.service.periodic import PeriodicTask, Supervisor
from wavescope.store.private import AUDIT_WAITING
from wavescope.store.space import StoreSpace


class AwayLog:
    """A log that does not answer until ``back`` is set."""

    def __init__(self) -> None:
        self.back, self.failed = threading.Event(), threading.Event()
        self.entries: list[AuditEntry] = []

    def append(self, *entries: AuditEntry) -> None:
        self._answer()
        self.entries += entries

    def all(self, query: AuditQuery) -> Iterator[AuditRecord]:
        self._answer()
        assert query.since is not None
        assert query.until is not None
        found = [one for one in self.entries if query.since <= one.time < query.until]
        yield from (AuditRecord(0, one, "", "") for one in found)

    def _answer(self) -> None:
        if not self.back.is_set():
            self.failed.set()
            raise CatalogAway(DRIVER)


@pytest.fixture
def log() -> AwayLog:
    return AwayLog()


def service(log: AwayLog, folder: Path, retry: CatalogRetry | None = None) -> AuditService:
    writer = AuditWriter(cast(AuditLog, log), retry or quick(), folder)
    return AuditService(cast(AuditLog, log), may, writer, "full", 1.0)


async def test_entries_wait_for_the_catalog_in_their_order_op44(log: AwayLog, tmp_path: Path) -> None:
    audit = service(log, tmp_path)
    audit.record(LOCAL_USER, "exported", "a")
    written = asyncio.ensure_future(audit.recorded(LOCAL_USER, "looked at label", "b"))
    await asyncio.to_thread(log.failed.wait)
    assert not written.done()
    log.back.set()
    await written
    assert [entry.action for entry in log.entries] == ["exported", "looked at label"]
    await audit.stop()
    assert audit.failures == 0


async def test_a_request_that_needs_its_entry_is_refused_after_a_while_op44(
    log: AwayLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_module, "WRITTEN_SECONDS", 0.01)
    audit = service(log, tmp_path)
    with pytest.raises(CatalogAway):
        await audit.recorded(LOCAL_USER, "looked at label", "a")
    log.back.set()
    await audit.stop()
    assert [entry.action for entry in log.entries] == ["looked at label"]


async def stopped_while_away(log: AwayLog, folder: Path, *slides: str) -> AuditService:
    """A service that stops while entries wait."""
    retry = quick()
    audit = service(log, folder, retry)
    for slide in slides:
        audit.record(LOCAL_USER, "exported", slide)
    await asyncio.to_thread(log.failed.wait)
    retry.stop()
    await audit.stop()
    return audit


async def test_what_waits_when_the_service_stops_is_noted_and_stored_in_order_later_op44(
    log: AwayLog, tmp_path: Path
) -> None:
    first = await stopped_while_away(log, tmp_path, "a", "b", "c")
    noted = tmp_path / AUDIT_WAITING
    assert (first.failures, log.entries, noted.stat().st_mode & 0o777) == (0, [], 0o600)
    second = service(log, tmp_path)
    second.start()
    second.record(LOCAL_USER, "exported", "d")
    log.back.set()
    await second.stop()
    assert [entry.slide_id for entry in log.entries] == ["a", "b", "c", "d"]
    assert not noted.exists()


async def test_a_noted_entry_is_stored_once_and_half_an_entry_is_counted_as_lost_op44(
    log: AwayLog, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await stopped_while_away(log, tmp_path, "a", "b")
    noted = (tmp_path / AUDIT_WAITING).read_bytes()
    log.back.set()
    for content in (noted, noted + b'{"time": 17'):  # it ended before the file was removed; then in a write
        (tmp_path / AUDIT_WAITING).write_bytes(content)
        audit = service(log, tmp_path)
        audit.start()
        await audit.stop()
        assert [entry.slide_id for entry in log.entries] == ["a", "b"]
    assert audit.failures == 1
    assert "audit entry lost" in caplog.messages


async def test_an_entry_that_neither_catalog_nor_disk_takes_is_counted_and_logged_op44(
    log: AwayLog, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    audit = await stopped_while_away(log, tmp_path / "nowhere" / "file", "a")
    assert audit.failures == 0  # the folder is made
    (tmp_path / "file").write_bytes(b"")
    audit = await stopped_while_away(log, tmp_path / "file", "a")
    assert audit.failures == 1
    assert "audit entry lost" in caplog.messages


@pytest.fixture
async def catalog(tmp_path: Path) -> AsyncIterator[Catalog]:
    opened = Catalog.open(tmp_path)
    yield opened
    opened.close()


async def refusal(health: HealthService) -> str:
    with pytest.raises(Unavailable) as refused:
        await health.check_ready()
    return str(refused.value)


async def test_it_is_ready_while_catalog_store_worker_and_periodic_tasks_are_op46(
    catalog: Catalog, tmp_path: Path
) -> None:
    alive, dead = [True], list[str]()
    health = HealthService(catalog, may, StoreSpace(tmp_path, 0, 0), lambda: alive[0])
    health.supervise(lambda: tuple(dead))
    await health.check_ready()
    alive[0] = False
    assert "worker" in await refusal(health)
    alive[0] = True
    dead.append("purge the trash")
    assert "periodic" in await refusal(health)


async def test_it_is_not_ready_without_its_folder_and_does_not_say_where_it_was_op46_op60(
    catalog: Catalog, tmp_path: Path
) -> None:
    said = await refusal(HealthService(catalog, may, StoreSpace(tmp_path / "gone", 0, 0), lambda: True))
    assert "folder" in said
    assert str(tmp_path) not in said


async def test_a_periodic_task_that_ends_by_itself_is_noticed_op46() -> None:
    async def cancelled() -> None:
        raise asyncio.CancelledError

    supervisor = Supervisor([PeriodicTask("the first", 60.0, cancelled)])
    supervisor.start()
    async with asyncio.timeout(10):
        while not supervisor.dead():
            await asyncio.sleep(0)
    assert supervisor.dead() == ("the first",)
    await supervisor.stop()
    assert supervisor.dead() == ()


async def test_jobs_are_taken_over_when_the_service_that_ran_them_goes_op49(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(periodic, "TAKE_OVER_EVERY", 0.01)
    stuck, next_one = FakeRunner(), FakeRunner()
    next_one.release.set()
    async with AsyncExitStack() as owner:
        first = await owner.enter_async_context(running_service(tmp_path, runner=stuck))
        async with running_service(tmp_path, runner=next_one) as second:
            assert (first.jobs.started, second.jobs.started) == (True, False)
            job_id = await upload(first.jobs)
            await stuck.begun.wait()
            await owner.aclose()
            await next_one.begun.wait()
            assert (await last(second.jobs, job_id)).record.state == "done"
    assert len(next_one.seen) == 1


def test_a_service_waits_for_a_database_that_does_not_answer_yet_op48(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = [CatalogAway(DRIVER), CatalogAway(DRIVER)]

    def compose(config: Config) -> str:
        if attempts:
            raise attempts.pop()
        return "composed"

    monkeypatch.setattr(main, "compose", compose)
    monkeypatch.setattr("wavescope.service.outages.Backoff.pause", lambda *_: 0.0)
    assert main._composed(Config()) == "composed"

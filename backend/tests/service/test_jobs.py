"""Jobs: one at a time, with progress, cancellation, reasons, and a memory that survives a restart."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from service.outages import records_of
from service.uploaded import job_of
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.jobs.queue import LAPSE_SECONDS, JobQueue
from wavescope.config import Limits
from wavescope.errors import SignInRequired, StoreBusy, TooLarge, UnknownJob
from wavescope.service.access.gate import LOCAL_USER, Principal, may
from wavescope.service.jobs import jobs as jobs_module
from wavescope.service.jobs.duplicates import HoldPolicy, StoredAs, not_stored
from wavescope.service.jobs.jobs import JobService
from wavescope.service.jobs.runs import HEARTBEAT_SECONDS, IngestResult, JobFailed, Report
from wavescope.service.jobs.uploads import MIN_WRITE, UploadOptions
from wavescope.service.jobs.views import JobView

SECONDS = 10  # a request that waits longer waits for ever


class FakeRunner:
    """Waits to be released, then makes a slide named like the file, or fails."""

    def __init__(self) -> None:
        self.release, self.begun = asyncio.Event(), asyncio.Event()
        self.seen: list[tuple[str, dict[str, Any], bytes]] = []
        self.failure: Exception | None = None
        self.notices: tuple[str, ...] = ()
        self.discarded: list[str] = []

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        self.seen.append((path.name, dict(options), path.read_bytes()))
        report(1, 4)
        self.begun.set()
        await self.release.wait()
        if self.failure:
            raise self.failure
        return IngestResult(path.stem, self.notices)

    async def discard(self, path: Path) -> None:
        self.discarded.append(path.name)


async def one_chunk() -> AsyncIterator[bytes]:
    yield b"slide"


async def upload(jobs: JobService, name: str = "a.svs", **options: Any) -> str:
    view = await job_of(jobs.upload(LOCAL_USER, name, UploadOptions(**options), one_chunk()))
    return view.record.id


async def hold(jobs: JobService, name: str = "a.svs") -> str:
    view = await job_of(jobs.upload(LOCAL_USER, name, UploadOptions(quality="visual"), one_chunk(), hold="always"))
    return view.record.id


async def last(jobs: JobService, job_id: str) -> JobView:
    return [view async for view in jobs.events(LOCAL_USER, job_id)][-1]


async def progress(jobs: JobService, job_id: str) -> None:
    """Returns when the row has the progress that the runner reports."""
    async with asyncio.timeout(SECONDS):
        async for view in jobs.events(LOCAL_USER, job_id):
            if (view.record.state, view.record.done, view.record.total) == ("running", 1, 4):
                return


@pytest.fixture(autouse=True)
def quick_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "REPORT_SECONDS", 0.0)


@asynccontextmanager
async def running(
    store: Path, runner: FakeRunner, stored_as: StoredAs = not_stored, **limits: Any
) -> AsyncIterator[JobService]:
    catalog = Catalog.open(store)
    jobs = JobService(records_of(catalog, store), runner, may, Limits(**limits), stored_as)
    await jobs.start()
    try:
        yield jobs
    finally:
        await jobs.stop()
        catalog.close()


def uploaded(store: Path) -> list[Path]:
    return list((store / "uploads").rglob("*"))


async def test_an_upload_becomes_a_slide_and_its_file_is_removed_wi29(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs:
        job_id = await upload(jobs, "x/a.svs", title="T", quality="lossless")
        await progress(jobs, job_id)
        runner.release.set()
        view = await last(jobs, job_id)
    assert (view.record.state, view.record.slide_id, view.record.error) == ("done", "a", None)
    assert runner.seen == [("a.svs", {"title": "T", "quality": "lossless"}, b"slide")]
    assert uploaded(tmp_path) == []


async def test_the_notices_of_an_ingest_are_those_of_its_job_also_after_a_restart_wi26(tmp_path: Path) -> None:
    runner = FakeRunner()
    runner.notices = ("b.dcm: damaged (passed over)",)
    runner.release.set()
    async with running(tmp_path, runner) as jobs:
        job_id = await upload(jobs)
        assert (await last(jobs, job_id)).record.notices == runner.notices
    async with running(tmp_path, FakeRunner()) as jobs:
        record = (await jobs.get(LOCAL_USER, job_id)).record
        assert (record.state, record.slide_id, record.notices) == ("done", "a", runner.notices)


async def test_a_failed_job_tells_why(tmp_path: Path) -> None:
    runner = FakeRunner()
    runner.release.set()
    async with running(tmp_path, runner) as jobs:
        for failure, cause in (
            (JobFailed("UnsupportedSource", "no"), "UnsupportedSource"),
            (ValueError("no"), "ValueError"),
        ):
            runner.failure = failure
            view = await last(jobs, await upload(jobs))
            assert (view.record.state, view.record.error) == ("failed", {"cause": cause, "detail": "no"})
        runner.failure = None
        assert (await last(jobs, await upload(jobs))).record.state == "done"
    assert uploaded(tmp_path) == []


async def test_wi135_a_job_that_was_killed_from_outside_keeps_its_file_and_is_tried_again(tmp_path: Path) -> None:
    runner = FakeRunner()
    runner.release.set()
    runner.failure = JobFailed("Unavailable", "the ingest was ended from outside (SIGKILL)")
    error = {"cause": "Unavailable", "detail": "the ingest was ended from outside (SIGKILL)"}
    async with running(tmp_path, runner) as jobs, asyncio.timeout(SECONDS):
        job_id = await upload(jobs, quality="fine")
        async for view in jobs.events(LOCAL_USER, job_id):
            if view.record.error:
                break
        assert (view.record.state, view.record.error, runner.discarded) == ("held", error, [])
    runner.failure = None
    async with running(tmp_path, runner) as jobs, asyncio.timeout(SECONDS):
        record = (await jobs.get(LOCAL_USER, job_id)).record
        assert (record.state, record.error) == ("held", error)
        assert (await jobs.begin(LOCAL_USER, job_id)).record.error is None
        assert (await last(jobs, job_id)).record.state == "done"
    assert runner.seen == [("a.svs", {"quality": "fine"}, b"slide")] * 2
    assert uploaded(tmp_path) == []


async def test_a_running_job_can_be_cancelled_and_the_next_one_goes_on(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs:
        first, second = await upload(jobs), await upload(jobs, "b.svs")
        await runner.begun.wait()
        assert (await jobs.cancel(LOCAL_USER, first)).record.state == "cancelled"
        runner.release.set()
        assert (await last(jobs, second)).record.state == "done"
    assert [name for name, _, _ in runner.seen] == ["a.svs", "b.svs"]
    assert runner.discarded == ["a.svs"]
    assert uploaded(tmp_path) == []


async def test_a_waiting_job_can_be_cancelled_and_never_runs(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs:
        first, second = await upload(jobs), await upload(jobs, "b.svs")
        await runner.begun.wait()
        assert (await jobs.cancel(LOCAL_USER, second)).record.state == "cancelled"
        runner.release.set()
        await last(jobs, first)
    assert [name for name, _, _ in runner.seen] == ["a.svs"]


async def test_cancelling_an_ended_job_forgets_it(tmp_path: Path) -> None:
    runner = FakeRunner()
    runner.release.set()
    async with running(tmp_path, runner) as jobs:
        job_id = await upload(jobs)
        await last(jobs, job_id)
        assert (await jobs.cancel(LOCAL_USER, job_id)).record.state == "done"
        with pytest.raises(UnknownJob):
            await jobs.get(LOCAL_USER, job_id)
        assert await jobs.list(LOCAL_USER) == ()


async def test_unfinished_jobs_are_taken_up_again_in_their_order_wi29(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs:
        names = [await upload(jobs, f"{number}.svs") for number in range(3)]
        await runner.begun.wait()
    assert runner.discarded == []
    again = FakeRunner()
    again.release.set()
    async with running(tmp_path, again) as jobs:
        views = [await last(jobs, job_id) for job_id in names]
    assert [view.record.state for view in views] == ["done"] * 3
    assert [name for name, _, _ in again.seen] == ["0.svs", "1.svs", "2.svs"]


async def test_events_begin_with_the_job_as_it_is_and_end_with_its_end(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs:
        job_id = await upload(jobs)
        await progress(jobs, job_id)
        states = []
        async for view in jobs.events(LOCAL_USER, job_id):
            states.append(view.record.state)
            runner.release.set()
    assert (states[0], states[-1], len(states)) == ("running", "done", 2)


async def test_too_many_unfinished_jobs_are_refused(tmp_path: Path) -> None:
    async with running(tmp_path, FakeRunner(), waiting_jobs=2) as jobs:
        await upload(jobs)
        await upload(jobs)
        with pytest.raises(TooLarge):
            await upload(jobs)


async def test_a_stranger_may_do_nothing(tmp_path: Path) -> None:
    stranger = Principal("stranger")
    async with running(tmp_path, FakeRunner()) as jobs:
        job_id = await upload(jobs)
        with pytest.raises(SignInRequired):
            await jobs.upload(stranger, "a", UploadOptions(), one_chunk())
        with pytest.raises(SignInRequired):
            await jobs.list(stranger)
        with pytest.raises(SignInRequired):
            await jobs.get(stranger, job_id)
        with pytest.raises(SignInRequired):
            await jobs.cancel(stranger, job_id)


async def test_wi70_a_held_job_waits_for_its_profile_also_through_a_restart(tmp_path: Path) -> None:
    runner = FakeRunner()
    runner.release.set()
    async with running(tmp_path, runner) as jobs:
        held = await hold(jobs)
        other = await upload(jobs, "b.svs")
        assert (await last(jobs, other)).record.state == "done"
        assert (await jobs.get(LOCAL_USER, held)).record.state == "held"
        assert (await jobs.source(LOCAL_USER, held)).read_bytes() == b"slide"
    async with running(tmp_path, runner) as jobs:
        assert (await jobs.get(LOCAL_USER, held)).record.state == "held"
        assert (await jobs.begin(LOCAL_USER, held, {"quality": "lossless"})).record.state == "queued"
        assert (await last(jobs, held)).record.slide_id == "a"
    assert [(name, options.get("quality")) for name, options, _ in runner.seen] == [
        ("b.svs", None),
        ("a.svs", "lossless"),
    ]


async def test_wi71_a_job_begun_again_without_another_profile_goes_on(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs:
        held = await hold(jobs)
        await jobs.begin(LOCAL_USER, held, {"quality": "lossless"})
        await runner.begun.wait()
        for same in (None, {"quality": "lossless"}, {"quality": "lossless", "channel_quality": "", "time": 0}):
            assert (await jobs.begin(LOCAL_USER, held, same)).record.state == "running"
        runner.release.set()
        assert (await last(jobs, held)).record.options["quality"] == "lossless"
        with pytest.raises(UnknownJob):
            await jobs.begin(LOCAL_USER, held, {"quality": "visual"})
    assert len(runner.seen) == 1


async def test_wi71_a_running_job_begins_once_more_in_another_profile(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs:
        job_id = await upload(jobs, quality="visual", title="T")
        await runner.begun.wait()
        runner.begun.clear()
        assert (await jobs.begin(LOCAL_USER, job_id, {"quality": "lossless"})).record.state in ("queued", "running")
        await runner.begun.wait()
        assert runner.discarded == ["a.svs"]
        runner.release.set()
        assert (await last(jobs, job_id)).record.slide_id == "a"
    assert [(dict(options), body) for _, options, body in runner.seen] == [
        ({"title": "T", "quality": "visual"}, b"slide"),
        ({"title": "T", "quality": "lossless"}, b"slide"),
    ]
    assert uploaded(tmp_path) == []


async def test_wi71_a_waiting_job_changes_its_profile_and_runs_once(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs:
        first, second = await upload(jobs, quality="visual"), await upload(jobs, "b.svs", quality="visual")
        await runner.begun.wait()
        assert (await jobs.begin(LOCAL_USER, second, {"quality": "lossless"})).record.state == "queued"
        runner.release.set()
        await last(jobs, first)
        await last(jobs, second)
    assert [(name, options["quality"]) for name, options, _ in runner.seen] == [
        ("a.svs", "visual"),
        ("b.svs", "lossless"),
    ]


class PublishingRunner(FakeRunner):
    """Has its slide already when it is cancelled."""

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        try:
            return await super().run(path, options, report)
        except asyncio.CancelledError:
            return IngestResult(path.stem)


async def test_wi71_a_job_that_ends_before_it_begins_again_stays_ended(tmp_path: Path) -> None:
    runner = PublishingRunner()
    async with running(tmp_path, runner) as jobs, asyncio.timeout(SECONDS):
        job_id = await upload(jobs, quality="visual")
        await runner.begun.wait()
        ended = (await jobs.begin(LOCAL_USER, job_id, {"quality": "lossless"})).record
    assert (ended.state, ended.slide_id, ended.options["quality"]) == ("done", "a", "visual")
    assert len(runner.seen) == 1


async def test_wi71_a_job_that_is_to_begin_again_can_still_be_cancelled(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs, asyncio.timeout(SECONDS):
        job_id = await upload(jobs, quality="visual")
        await runner.begun.wait()
        both = jobs.begin(LOCAL_USER, job_id, {"quality": "lossless"}), jobs.cancel(LOCAL_USER, job_id)
        await asyncio.gather(*both)
        assert (await last(jobs, job_id)).record.state == "cancelled"
        assert uploaded(tmp_path) == []
    assert len(runner.seen) <= 2  # it may have begun again before it was cancelled


async def ask(jobs: JobService, hold: HoldPolicy = "if stored") -> JobView:
    return await job_of(jobs.upload(LOCAL_USER, "a.svs", UploadOptions(quality="visual"), one_chunk(), hold=hold))


async def test_wi72_a_file_that_is_stored_already_waits_for_an_answer(tmp_path: Path) -> None:
    runner = FakeRunner()
    runner.release.set()
    async with running(tmp_path, runner) as jobs:
        view = await ask(jobs)
        assert view.record.state == "queued"
        await last(jobs, view.record.id)

    def stored_as(_principal: Principal, path: Path, *_: object) -> tuple[str, ...]:
        return ("a", "b") if path.read_bytes() == b"slide" else ()

    async with running(tmp_path, runner, stored_as) as jobs:
        assert (await ask(jobs, "never")).record.options.get("stored_as") is None
        view = await ask(jobs)
        assert (view.record.state, view.record.options["stored_as"]) == ("held", ["a", "b"])
        await jobs.begin(LOCAL_USER, view.record.id, target="b")
        await last(jobs, view.record.id)
    assert [options.get("id") for _, options, _ in runner.seen] == [None, None, "b"]


async def test_wi70_a_held_job_can_be_cancelled_and_leaves_nothing(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs:
        held = await hold(jobs)
        assert (await jobs.cancel(LOCAL_USER, held)).record.state == "cancelled"
        assert uploaded(tmp_path) == []
        with pytest.raises(UnknownJob):
            await jobs.begin(LOCAL_USER, held, {"quality": "visual"})
    assert runner.seen == []


async def test_st65_files_of_no_unfinished_job_are_swept_at_the_start_and_later(tmp_path: Path) -> None:
    runner, folder = FakeRunner(), tmp_path / "uploads"
    async with running(tmp_path, runner) as jobs:
        waiting = await hold(jobs)
    (folder / "partial").mkdir()
    (folder / "partial" / "a.svs").write_bytes(b"half of a slide")
    async with running(tmp_path, runner) as jobs:
        assert [path.name for path in folder.iterdir()] == [waiting]
        (folder / "later").mkdir()
        assert await jobs.sweep() == ("later",)
        assert [path.name for path in folder.iterdir()] == [waiting]
        assert (await jobs.source(LOCAL_USER, waiting)).read_bytes() == b"slide"


async def test_st65_an_upload_that_is_arriving_is_not_swept(tmp_path: Path) -> None:
    written, go_on = asyncio.Event(), asyncio.Event()

    async def chunks() -> AsyncIterator[bytes]:
        yield bytes(MIN_WRITE)
        written.set()
        await go_on.wait()
        yield b"end"

    async with running(tmp_path, FakeRunner()) as jobs:
        task = asyncio.create_task(job_of(jobs.upload(LOCAL_USER, "a.svs", UploadOptions(), chunks())))
        await written.wait()
        assert await jobs.sweep() == ()
        go_on.set()
        view = await task
        assert (await jobs.source(LOCAL_USER, view.record.id)).stat().st_size == MIN_WRITE + 3


async def test_st65_a_service_that_does_not_run_the_jobs_sweeps_none(tmp_path: Path) -> None:
    (tmp_path / "uploads" / "of-another").mkdir(parents=True)
    catalog = Catalog.open(tmp_path)
    jobs = JobService(records_of(catalog, tmp_path), FakeRunner(), may, Limits())
    assert await jobs.sweep() == ()
    assert (tmp_path / "uploads" / "of-another").exists()
    catalog.close()


class NewVersions(FakeRunner):
    """Makes new versions of stored slides: there is no file."""

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        self.seen.append((path.name, dict(options), b""))
        await self.release.wait()
        return IngestResult(options["id"])


async def test_wi74_a_slide_has_one_job_at_a_time_that_encodes_it_again(tmp_path: Path) -> None:
    runner = NewVersions()
    options = UploadOptions(id="s", quality="compact", reencodes="d1")
    async with running(tmp_path, runner) as jobs:
        job_id = (await jobs.reencode(LOCAL_USER, "The slide", options)).record.id
        with pytest.raises(StoreBusy):
            await jobs.reencode(LOCAL_USER, "The slide", options)
        with pytest.raises(UnknownJob):
            await jobs.source(LOCAL_USER, job_id)  # there is no file to look at
        other = await jobs.reencode(LOCAL_USER, "Another", UploadOptions(id="t", quality="compact", reencodes="d2"))
        assert other.reencodes == "t"
        runner.release.set()
        assert (await last(jobs, job_id)).record.slide_id == "s"
        again = await jobs.reencode(LOCAL_USER, "The slide", options)
        assert (await last(jobs, again.record.id)).record.state == "done"


async def test_wi74_a_job_that_encodes_a_slide_again_survives_a_restart(tmp_path: Path) -> None:
    runner = NewVersions()
    async with running(tmp_path, NewVersions()) as jobs:
        job_id = (await jobs.reencode(LOCAL_USER, "S", UploadOptions(id="s", quality="fine", reencodes="d"))).record.id
    runner.release.set()
    async with running(tmp_path, runner) as jobs:
        assert (await last(jobs, job_id)).record.state == "done"
    assert runner.seen[-1][1]["reencodes"] == "d"


async def test_a_job_of_a_killed_service_waits_and_runs_again_when_the_next_one_starts_wi29(tmp_path: Path) -> None:
    runner = FakeRunner()
    runner.release.set()
    with closing(Catalog.open(tmp_path)) as catalog:
        queue = JobQueue(catalog.engine)
        for job_id in ("first", "second"):
            queue.add(job_id, "a.svs", {})
            (tmp_path / "uploads" / job_id).mkdir(parents=True)
            (tmp_path / "uploads" / job_id / "a.svs").write_bytes(job_id.encode())
        lost = [queue.take(), queue.take(("first",))]
        assert all(lost)
        queue.send_command("second", "cancel")  # noticed by nobody
    began = time.monotonic()
    async with running(tmp_path, runner) as jobs, asyncio.timeout(SECONDS):
        assert (await last(jobs, "first")).record.state == "done"
        record = (await last(jobs, "second")).record
    assert time.monotonic() - began < LAPSE_SECONDS
    assert (record.state, record.attempts, record.wish) == ("cancelled", 0, None)
    assert [content for _, _, content in runner.seen] == [b"first"]
    assert uploaded(tmp_path) == []


class BusyRunner(FakeRunner):
    """Reports each of many tiles."""

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        for done in range(1, 401):
            report(done, 400)
            await asyncio.sleep(0.002)
        return IngestResult(path.stem)


async def test_progress_is_written_now_and_then_and_completely_in_the_end(tmp_path: Path) -> None:
    async with running(tmp_path, BusyRunner()) as jobs, asyncio.timeout(SECONDS):
        began = time.monotonic()
        record = (await last(jobs, await upload(jobs))).record
        seconds = time.monotonic() - began
    assert (record.state, record.done, record.total) == ("done", 400, 400)
    assert record.change <= 4 + seconds / HEARTBEAT_SECONDS  # taken, first report, end


@pytest.mark.slow
async def test_a_service_that_does_not_run_the_jobs_shows_them_and_passes_on_what_is_asked_op49(tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs, asyncio.timeout(SECONDS):
        job_id = await upload(jobs)
        await progress(jobs, job_id)
        with closing(Catalog.open(tmp_path)) as catalog:
            other = JobService(records_of(catalog, tmp_path), FakeRunner(), may, Limits())
            assert [view.record.state for view in await other.list(LOCAL_USER)] == ["running"]
            assert (await other.cancel(LOCAL_USER, job_id)).record.state == "cancelled"
        assert (await last(jobs, job_id)).record.state == "cancelled"
    assert uploaded(tmp_path) == []

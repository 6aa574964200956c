"""The supervisor of periodic work: a failing task is logged and tried again, and stopping is clean."""

from __future__ import annotations

import asyncio
import logging

import pytest

from service.world import World, running_service
from wavescope.service import periodic
from wavescope.service.periodic import PeriodicTask, Supervisor, periodic_tasks

WARNINGS = "wavescope.service.periodic"


class Work:
    """Counts its runs; those named in ``failing`` raise."""

    def __init__(self, *failing: int) -> None:
        self.runs, self._failing = 0, failing
        self.reached = asyncio.Condition()

    async def __call__(self) -> None:
        async with self.reached:
            self.runs += 1
            self.reached.notify_all()
        if self.runs in self._failing:
            raise ValueError(f"run {min(self._failing)} and those after it")

    async def until(self, runs: int) -> None:
        async with self.reached:
            await self.reached.wait_for(lambda: self.runs >= runs)


async def test_a_task_that_fails_is_logged_with_its_traceback_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    work, other = Work(1, 2, 4), Work()
    supervisor = Supervisor([PeriodicTask("the first", 0.0, work), PeriodicTask("the second", 0.0, other)])
    supervisor.start()
    await work.until(6)
    await other.until(6)
    await supervisor.stop()
    records = [one for one in caplog.records if one.name == WARNINGS]
    failures = [one for one in records if one.levelno == logging.ERROR]
    failed, better = "periodic task failed", "periodic task succeeds again"
    assert [one.getMessage() for one in records][:4] == [failed, better, failed, better]  # run 2 failed as run 1 did
    assert {vars(one)["task"] for one in records} == {"the first"}
    assert all(one.exc_info is not None and one.exc_info[0] is ValueError for one in failures)


async def test_work_in_progress_ends_before_the_supervisor_has_stopped() -> None:
    begun, release, ended = asyncio.Event(), asyncio.Event(), []

    async def work() -> None:
        begun.set()
        await release.wait()
        ended.append(True)

    supervisor = Supervisor([PeriodicTask("slow", 60.0, work)])
    supervisor.start()
    await begun.wait()
    stopping = asyncio.ensure_future(supervisor.stop())
    await asyncio.sleep(0)
    assert not stopping.done()
    release.set()
    await stopping
    assert ended == [True]


async def test_work_that_does_not_end_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(periodic, "STOP_SECONDS", 0.01)
    begun, cancelled = asyncio.Event(), []

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    supervisor = Supervisor([PeriodicTask("endless", 60.0, work)])
    supervisor.start()
    await begun.wait()
    await supervisor.stop()
    assert cancelled == [True]


async def test_a_supervisor_that_was_not_started_can_be_stopped() -> None:
    await Supervisor([]).stop()


async def nothing() -> None:
    """Work that is tried elsewhere."""


async def test_every_periodic_task_of_a_service_succeeds(world: World) -> None:
    async with running_service(world.store) as service:
        tasks = periodic_tasks(service, nothing, nothing)
        assert len({task.name for task in tasks}) == len(tasks)
        for task in tasks:
            await task.work()


async def test_st65_periodic_work_removes_what_a_killed_service_left(damaged: World) -> None:
    async with running_service(damaged.store) as service:
        left = [damaged.store / "uploads" / "left", damaged.store / "exports" / "left"]
        for folder in left:
            folder.mkdir(parents=True)
        for task in periodic_tasks(service, nothing, nothing):
            if task.seconds <= 3600:
                await task.work()
        assert [folder for folder in left if folder.exists()] == []

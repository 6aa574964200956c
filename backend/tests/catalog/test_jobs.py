"""The ingest jobs' rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.jobs import table as jobs_module
from wavescope.catalog.jobs.table import JobTable
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

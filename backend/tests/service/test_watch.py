"""A watched folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from service.test_jobs import FakeRunner, running
from wavescope.errors import TooLarge
from wavescope.service.access import LOCAL_USER
from wavescope.service.watch import FolderWatch, Stamp, at_rest, stamps_of


def test_only_files_at_rest_that_were_not_taken_are_found_oldest_first() -> None:
    old, new = Stamp(5, 1), Stamp(5, 2)
    now = {"late": new, "early": old, "grown": new, "empty": Stamp(0, 1), "taken": old, "again": new, "fresh": old}
    before = {**now, "grown": old}
    del before["fresh"]
    assert at_rest(before, now, {"taken": old, "again": old}) == ["early", "again", "late"]


def test_folders_and_hidden_files_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.svs").write_bytes(b"12")
    (tmp_path / ".part").write_bytes(b"1")
    (tmp_path / "sub").mkdir()
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    assert {name: stamp.size for name, stamp in stamps_of(tmp_path).items()} == {"a.svs": 2}


async def test_a_file_becomes_a_job_once_it_is_at_rest_and_stays_where_it_is(tmp_path: Path) -> None:
    folder, memory = tmp_path / "in", tmp_path / "watched.json"
    folder.mkdir()
    runner = FakeRunner()
    async with running(tmp_path / "store", runner) as jobs:
        watch = FolderWatch(folder, jobs, memory, 1.0)
        file = folder / "Slide 1.svs"
        file.write_bytes(b"half")
        await watch.look()
        file.write_bytes(b"half and half")
        await watch.look()
        assert jobs.list(LOCAL_USER) == ()
        await watch.look()
        await watch.look()
        (view,) = jobs.list(LOCAL_USER)
        assert view.record.filename == "Slide 1.svs"
        await runner.begun.wait()
        assert runner.seen[0][2] == b"half and half"
        again = FolderWatch(folder, jobs, memory, 1.0)
        await again.look()
        await again.look()
        assert len(jobs.list(LOCAL_USER)) == 1
        os.utime(file, ns=(1, 1))  # another one of the same name
        await again.look()
        await again.look()
        assert len(jobs.list(LOCAL_USER)) == 2
        runner.release.set()
    assert file.read_bytes() == b"half and half"


async def test_a_file_that_cannot_be_taken_now_is_taken_later(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.svs").write_bytes(b"1")
    (folder / "b.svs").write_bytes(b"2")
    async with running(tmp_path / "store", FakeRunner(), waiting_jobs=1) as jobs:
        watch = FolderWatch(folder, jobs, tmp_path / "watched.json", 1.0)
        await watch.look()
        with pytest.raises(TooLarge):
            await watch.look()
        (first,) = jobs.list(LOCAL_USER)
        await jobs.cancel(LOCAL_USER, first.record.id)
        await watch.look()
        assert {view.record.filename for view in jobs.list(LOCAL_USER)} == {"a.svs", "b.svs"}

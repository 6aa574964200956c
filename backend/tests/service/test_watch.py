"""A watched folder."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from service.test_jobs import FakeRunner, running
from wavescope.errors import TooLarge
from wavescope.logs.safe import file_name_of
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.jobs import watch as watch_module
from wavescope.service.jobs.runs import IngestResult, Report
from wavescope.service.jobs.watch import FolderWatch, Stamp, files_of, settled_files, stamps_of


def test_only_files_at_rest_that_were_not_taken_are_found_oldest_first() -> None:
    old, new = Stamp(5, 1), Stamp(5, 2)
    now = {"late": new, "early": old, "grown": new, "empty": Stamp(0, 1), "taken": old, "again": new, "fresh": old}
    before = {**now, "grown": old}
    del before["fresh"]
    assert settled_files(before, now, {"taken": old, "again": old}) == ["early", "again", "late"]


def test_empty_folders_and_hidden_files_are_passed_over(tmp_path: Path) -> None:
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
        watch = FolderWatch(folder, jobs, memory)
        file = folder / "Slide 1.svs"
        file.write_bytes(b"half")
        await watch.scan()
        file.write_bytes(b"half and half")
        await watch.scan()
        assert await jobs.list(LOCAL_USER) == ()
        await watch.scan()
        await watch.scan()
        (view,) = await jobs.list(LOCAL_USER)
        assert view.record.filename == "Slide 1.svs"
        await runner.begun.wait()
        assert runner.seen[0][2] == b"half and half"
        again = FolderWatch(folder, jobs, memory)
        await again.scan()
        await again.scan()
        assert len(await jobs.list(LOCAL_USER)) == 1
        os.utime(file, ns=(1, 1))  # another one of the same name
        await again.scan()
        await again.scan()
        assert len(await jobs.list(LOCAL_USER)) == 2
        runner.release.set()
    assert file.read_bytes() == b"half and half"


async def test_a_file_that_cannot_be_taken_now_is_taken_later(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.svs").write_bytes(b"1")
    (folder / "b.svs").write_bytes(b"2")
    async with running(tmp_path / "store", FakeRunner(), waiting_jobs=1) as jobs:
        watch = FolderWatch(folder, jobs, tmp_path / "watched.json")
        await watch.scan()
        with pytest.raises(TooLarge):
            await watch.scan()
        (first,) = await jobs.list(LOCAL_USER)
        await jobs.cancel(LOCAL_USER, first.record.id)
        await watch.scan()
        assert {view.record.filename for view in await jobs.list(LOCAL_USER)} == {"a.svs", "b.svs"}


DICOM = b"\0" * 128 + b"DICM"


async def taken_together(tmp_path: Path, fill: Callable[[Path], None]) -> list[tuple[str, list[str]]]:
    """The jobs that a watched folder filled in one go becomes: their names, and the files that each was given."""
    folder = tmp_path / "in"
    folder.mkdir()
    fill(folder)
    async with running(tmp_path / "store", FolderRunner()) as jobs:
        watch = FolderWatch(folder, jobs, tmp_path / "watched.json")
        for _ in range(3):
            await watch.scan()
        found = []
        for view in await jobs.list(LOCAL_USER):
            root = (await jobs.source(LOCAL_USER, view.record.id)).parent
            files = sorted(str(file.relative_to(root)) for file in root.rglob("*") if file.is_file())
            found.append((view.record.filename, files))
        return sorted(found)


class FolderRunner(FakeRunner):
    """Waits for ever, on whatever it is given."""

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        await asyncio.Event().wait()
        return IngestResult("")


async def test_a_mirax_file_is_taken_with_its_folder_and_waits_for_it(tmp_path: Path) -> None:
    def fill(folder: Path) -> None:
        (folder / "a:b.mrxs").write_bytes(b"1")
        (folder / "a:b").mkdir()
        (folder / "a:b" / "Slidedat.ini").write_bytes(b"2")
        (folder / "alone.mrxs").write_bytes(b"3")

    assert await taken_together(tmp_path, fill) == [("ab.mrxs", ["ab.mrxs", "ab/Slidedat.ini"])]


async def test_a_folder_of_dicom_files_is_one_slide_and_other_folders_are_none(tmp_path: Path) -> None:
    def fill(folder: Path) -> None:
        for name, content in (("series/1.dcm", DICOM), ("series/2.dcm", DICOM), ("letters/a.txt", b"hello")):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)

    assert await taken_together(tmp_path, fill) == [("series", ["series/1.dcm", "series/2.dcm"])]


async def test_the_files_of_a_dicom_series_become_one_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def series(path: Path) -> list[Path]:
        return sorted(path.parent.glob("*.dcm"))

    def fill(folder: Path) -> None:
        for name in ("1.dcm", "2.dcm", "3.dcm"):
            (folder / name).write_bytes(DICOM)

    monkeypatch.setattr(watch_module, "source_files", series)
    ((_, files),) = await taken_together(tmp_path, fill)
    assert files == ["1.dcm", "2.dcm", "3.dcm"]


async def test_what_is_still_on_its_way_is_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "s").mkdir(parents=True)
    (folder / "s" / "1.dcm").write_bytes(DICOM)
    assert files_of(folder / "s") == [folder / "s" / "1.dcm"]
    async with running(tmp_path / "store", FolderRunner()) as jobs:
        watch = FolderWatch(folder, jobs, tmp_path / "watched.json")
        await watch.scan()
        (folder / "s" / "2.dcm").write_bytes(DICOM)
        await watch.scan()
        assert await jobs.list(LOCAL_USER) == ()
        await watch.scan()
        assert [view.record.filename for view in await jobs.list(LOCAL_USER)] == ["s"]


async def test_st64_links_that_lead_out_of_the_folder_are_left_alone_and_named_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    outside = tmp_path / "outside"
    (outside / "series").mkdir(parents=True)
    (outside / "secret.svs").write_bytes(b"secret")
    (outside / "series" / "1.dcm").write_bytes(DICOM)

    def fill(folder: Path) -> None:
        (folder / "file.svs").symlink_to(outside / "secret.svs")
        (folder / "series").symlink_to(outside / "series")
        (folder / "relative.svs").symlink_to("../outside/secret.svs")
        (folder / "mixed").mkdir()
        (folder / "mixed" / "1.dcm").write_bytes(DICOM)
        (folder / "mixed" / "2.dcm").symlink_to(outside / "series" / "1.dcm")
        (folder / "good.svs").write_bytes(b"1")
        (folder / "same.svs").symlink_to("good.svs")
        (folder / "loop.svs").symlink_to("loop.svs")
        os.mkfifo(folder / "pipe.svs")

    assert await taken_together(tmp_path, fill) == [("good.svs", ["good.svs"]), ("same.svs", ["same.svs"])]
    logged = [vars(record)["file"] for record in caplog.records if record.getMessage() == "watched file left alone"]
    for name in ("file.svs", "series", "relative.svs", "mixed", "pipe.svs"):
        assert logged.count(file_name_of(name)) == 1


async def test_st64_a_file_that_cannot_be_read_does_not_hold_up_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = watch_module.files_of

    def files(path: Path) -> list[Path]:
        if path.name == "closed.svs":
            raise PermissionError(13, "Permission denied")
        return real(path)

    def fill(folder: Path) -> None:
        (folder / "closed.svs").write_bytes(b"1")
        (folder / "open.svs").write_bytes(b"2")
        os.utime(folder / "closed.svs", ns=(1, 1))

    monkeypatch.setattr(watch_module, "files_of", files)
    assert await taken_together(tmp_path, fill) == [("open.svs", ["open.svs"])]

"""Ingests in child processes: what they report, how they fail, how they end."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from ingest.worlds import tissue, write_tiff
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.jobs.queue import JobQueue
from wavescope.catalog.jobs.table import JobTable
from wavescope.config import Config, Limits
from wavescope.service.jobs import runner as runner_module
from wavescope.service.jobs.runner import ChildRunner
from wavescope.service.jobs.runs import IngestResult, JobFailed


@pytest.fixture
def png(tmp_path: Path) -> Path:
    path = tmp_path / "My Slide.png"
    Image.fromarray(np.random.default_rng(1).integers(0, 256, (300, 400, 3), np.uint8)).save(path)
    return path


async def run(path: Path, store: Path, **options: str) -> tuple[IngestResult, list[tuple[int, int]]]:
    reports: list[tuple[int, int]] = []
    made = await ChildRunner(Config(store=store)).run(path, options, lambda done, total: reports.append((done, total)))
    return made, reports


@pytest.mark.slow
async def test_a_picture_becomes_a_slide_named_by_its_file_and_the_child_ends_orderly(
    png: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, children = asyncio.create_subprocess_exec, []

    async def create(*command: str, **options: Any) -> asyncio.subprocess.Process:
        children.append(await real(*command, **options))
        return children[0]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", create)
    made, reports = await run(png, tmp_path / "store", quality="lossless")
    assert [child.returncode for child in children] == [0]
    assert made == ("my-slide", ())
    assert reports[-1] == (5, 5)
    catalog = Catalog.open(tmp_path / "store")
    record = catalog.get("my-slide")
    assert (record.title, record.manifest["profile"], record.manifest["width"]) == ("My Slide", "lossless", 400)
    catalog.close()


NODE = """
import asyncio, sys
from pathlib import Path
from wavescope.config import Config
from wavescope.service.jobs.runner import ChildRunner
store, path, lease = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
report = lambda done, total: print(done, total, flush=True)
asyncio.run(ChildRunner(Config(store=store)).run(path, {"lease": lease}, report))
"""


@pytest.mark.slow
async def test_an_import_that_outlives_its_killed_node_notes_that_it_is_not_the_cause_cl42(tmp_path: Path) -> None:
    (tmp_path / "j").mkdir()
    path = write_tiff(tmp_path / "j" / "large.tif", tissue(6000, 4000))
    with closing(Catalog.open(tmp_path / "store")) as catalog:
        JobTable(catalog.engine).add("j", "large.tif", {})
        record = JobQueue(catalog.engine, "x").take()
        assert record is not None
        command = (sys.executable, "-c", NODE, str(tmp_path / "store"), str(path), str(record.lease))
        node = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        async with asyncio.timeout(60):
            assert node.stdout is not None
            assert await node.stdout.readline()  # it encodes
            node.kill()
            await node.wait()
            while (found := JobTable(catalog.engine).all()[0]).attempts == 0:
                await asyncio.sleep(0.05)
        assert (found.state, found.attempts) == ("running", -1)  # the next node makes it 0
        assert catalog.list().total == 0


def stand_in(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Runs this code in place of the child."""
    real = asyncio.create_subprocess_exec

    async def create(*command: str, **options: object) -> object:
        return await real(sys.executable, "-c", code, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", create)


DEATHS = {
    "import os; os.abort()": ("UnreadableSource", "the reader broke down on this file (SIGABRT)"),
    "import os; os.kill(os.getpid(), 9)": ("Unavailable", "the ingest was ended from outside (SIGKILL)"),
    "raise SystemExit('last words')": ("RuntimeError", "the ingest ended with code 1: last words"),
    "print('chatter'); print('{}'); raise SystemExit(3)": ("RuntimeError", "ended with code 3: no reason was given"),
}


@pytest.mark.parametrize(("code", "expected"), DEATHS.items())
async def test_a_child_that_dies_without_a_word_is_reported(
    code: str, expected: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, code)
    with pytest.raises(JobFailed) as caught:
        await run(tmp_path / "a.svs", tmp_path)
    assert caught.value.cause == expected[0]
    assert expected[1] in caught.value.detail


@pytest.mark.parametrize("deaf", [False, True])
async def test_a_cancelled_child_is_ended(deaf: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner_module, "END_SECONDS", 0.1)
    ignore = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);" if deaf else ""
    report = "import json, os; print(json.dumps({'done': os.getpid(), 'total': 1}), flush=True);"
    stand_in(monkeypatch, f"{ignore}{report}import threading; threading.Event().wait()")
    begun: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    task = asyncio.ensure_future(
        ChildRunner(Config(store=tmp_path)).run(tmp_path / "a", {}, lambda done, total: begun.set_result(done))
    )
    pid = await asyncio.wait_for(begun, 20)
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.slow
async def test_the_real_child_ends_when_its_parent_is_gone(tmp_path: Path) -> None:
    order = json.dumps({"path": "specimen:20000x20000", "store": str(tmp_path), "catalog": "", "options": {"id": "s"}})
    command = (sys.executable, "-m", "wavescope.service.jobs.child")
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(order.encode() + b"\n")
    await asyncio.wait_for(child.stdout.readline(), 30)
    child.stdin.close()
    assert await asyncio.wait_for(child.wait(), 10) == 1


async def test_what_a_cancelled_ingest_left_is_discarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "ingest" / "work"
    work.mkdir(parents=True)
    (work / "plan.json").write_text('{"fingerprint": "f1"}')
    stand_in(monkeypatch, 'print(\'{"fingerprint": "f1"}\', flush=True); raise SystemExit(1)')
    runner = ChildRunner(Config(store=tmp_path))
    with pytest.raises(JobFailed):
        await runner.run(tmp_path / "a", {}, lambda done, total: None)
    await runner.discard(tmp_path / "b")
    assert work.exists()
    await runner.discard(tmp_path / "a")
    assert not work.exists()


@pytest.mark.slow
async def test_st63_a_child_that_reaches_its_memory_limit_says_so(png: Path, tmp_path: Path) -> None:
    limits = Limits(ingest_memory=250 << 20)
    large = tmp_path / "large.png"
    Image.new("RGB", (8000, 8000)).save(large, compress_level=1)
    with pytest.raises(JobFailed, match=r"limit of 0\.24 GiB") as caught:
        await ChildRunner(Config(store=tmp_path / "store", limits=limits)).run(large, {}, lambda done, total: None)
    assert caught.value.cause == "MemoryLimit"


async def test_st63_a_library_that_ends_the_child_for_want_of_memory_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, "import os; os.write(2, b'GLib-ERROR: failed to allocate 4096 bytes'); os.abort()")
    with pytest.raises(JobFailed) as caught:
        await run(tmp_path / "a.svs", tmp_path)
    assert caught.value.cause == "MemoryLimit"


async def test_st64_notices_of_the_child_are_in_the_log_and_the_first_20_with_the_slide_wi26(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    notices = [f"{number}.dcm: passed over" for number in range(25)]
    said = [*({"notice": notice} for notice in notices), {"slide_id": "s"}]
    stand_in(monkeypatch, "\n".join(f"print({json.dumps(one)!r})" for one in said))
    assert (await run(tmp_path / "a.dcm", tmp_path))[0] == ("s", tuple(notices[:20]))
    assert caplog.messages.count("notice of an ingest") == len(notices)

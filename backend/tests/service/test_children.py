"""What anyone on the machine can read of the service's child processes."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from service.test_jobs import FakeRunner, running
from service.test_previews import picture, png, upload
from wavescope.config import Config
from wavescope.errors import CorruptStore, StaleVersion
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.jobs.previews import PreviewService
from wavescope.service.jobs.reencode import ReencodeService
from wavescope.service.jobs.runner import ChildRunner
from wavescope.service.jobs.runs import JobFailed
from wavescope_lab.simulations.child import Child

PATIENT, PASSWORD = "DOE-JANE-1962", "correct-horse"

pytestmark = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")


async def command_line(process: int) -> str:
    """For a moment after its start a process has an empty one."""
    async with asyncio.timeout(10):
        while not (line := Path(f"/proc/{process}/cmdline").read_bytes()):
            await asyncio.sleep(0.001)  # nothing says when the system has written it
    return line.replace(b"\0", b" ").decode()


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command line of each child, as the system shows it to everybody."""
    real, found = asyncio.create_subprocess_exec, []

    async def create(*command: str, **options: Any) -> asyncio.subprocess.Process:
        child = await real(*command, **options)
        found.append(await command_line(child.pid))
        return child

    monkeypatch.setattr(asyncio, "create_subprocess_exec", create)
    return found


def says_nothing(lines: list[str], folder: Path) -> None:
    assert len(lines) == 1
    assert re.search(r" -m wavescope(_lab)?\.", lines[0])
    for secret in (PATIENT, PASSWORD, str(folder)):
        assert secret not in lines[0]


async def test_pr66_the_command_line_of_an_import_shows_no_password_store_or_file(
    lines: list[str], tmp_path: Path
) -> None:
    store = tmp_path / "store"
    config = Config(store=store, catalog=f"sqlite:///{tmp_path}/{PASSWORD}.db")
    path = tmp_path / f"{PATIENT}.png"
    path.write_bytes(b"no picture")
    with pytest.raises(JobFailed) as failure:
        await ChildRunner(config).run(path, {}, lambda done, total: None)
    assert failure.value.cause == "UnsupportedSource"
    says_nothing(lines, tmp_path)


@pytest.mark.slow
async def test_pr66_nor_does_that_of_a_preview(lines: list[str], tmp_path: Path) -> None:
    runner = FakeRunner()
    async with running(tmp_path, runner) as jobs:
        previews = PreviewService(jobs, tmp_path)
        assert (await previews.info(LOCAL_USER, await upload(jobs, png(picture())))).width == 700
        await previews.stop()
    says_nothing(lines, tmp_path)


async def test_pr66_nor_does_that_of_an_estimate_of_encoding_again(lines: list[str], tmp_path: Path) -> None:
    class OneSlide:
        def resolve(self, _slide_id: str) -> str:
            return "0" * 32

    config = Config(store=tmp_path, slide_store=f"s3://{PATIENT}/slides")
    service = ReencodeService(OneSlide(), None, lambda *_: True, config)  # type: ignore[arg-type]
    with pytest.raises((CorruptStore, StaleVersion)):
        await service.advice(LOCAL_USER, "s")
    says_nothing(lines, tmp_path)


async def test_pr66_nor_does_that_of_a_simulation(lines: list[str], tmp_path: Path) -> None:
    child = await Child.start("wavescope_lab.simulator.experiments.child", {"text": PATIENT, "folder": str(tmp_path)})
    await child.stop()
    says_nothing(lines, tmp_path)

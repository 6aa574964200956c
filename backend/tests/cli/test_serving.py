"""What ``serve`` and ``edge`` say when they begin: where they serve, once they do."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from pathlib import Path

import httpx
import pytest

from api.processes import free_port
from interrupts import receive_interrupts
from wavescope.cli import main

pytestmark = pytest.mark.slow


async def _announced(folder: Path, *arguments: str) -> tuple[str, int | None]:
    """The first line with an address, and the status of a request that is sent at that moment; without such a line,
    everything that was said.
    """
    environment = {**os.environ, "WAVESCOPE_STORE": str(folder / "store"), "WAVESCOPE_RUN_JOBS": "0"}
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "wavescope.cli", *arguments),
        env=environment,
        cwd=folder,
        stderr=asyncio.subprocess.PIPE,
        preexec_fn=receive_interrupts,
    )
    assert child.stderr is not None
    said = ""
    try:
        async with asyncio.timeout(60):
            while line := (await child.stderr.readline()).decode():
                said += line
                if found := re.search(r"(?:on |\"address\": \")(http://127\.0\.0\.1:\d+)", line):
                    async with httpx.AsyncClient() as client:
                        return line, (await client.get(f"{found[1]}/healthz")).status_code
        return said, None
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()


EDGE = ("edge", "--origin", "http://me:secret@127.0.0.1:9", "--disk", "0")


@pytest.mark.parametrize("arguments", [("serve",), EDGE])
async def test_where_it_serves_is_said_once_it_does(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    line, status = await _announced(tmp_path, *arguments, "--port", "0")
    assert status == 200, line
    assert not re.search(r":0\b", line)


@pytest.mark.parametrize("level", ["info", "error"])
@pytest.mark.parametrize("arguments", [("serve",), EDGE])
async def test_op50_where_it_serves_is_a_line_of_a_log_in_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], level: str
) -> None:
    monkeypatch.setenv("WAVESCOPE_LOG_LEVEL", level)
    line, _ = await _announced(tmp_path, *arguments, "--port", "0")
    found = json.loads(line)
    assert (found["level"], found["event"].split()[0]) == ("info", "serving")
    assert found["address"].startswith("http://127.0.0.1:")


async def test_op50_where_it_serves_is_text_in_a_log_of_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVESCOPE_LOG_FORMAT", "text")
    line, _ = await _announced(tmp_path, "serve", "--port", "0")
    assert line.startswith("wavescope: serving on http://127.0.0.1:")


@pytest.mark.parametrize("form", ["json", "text"])
async def test_op52_an_edge_shows_no_password_of_its_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv("WAVESCOPE_LOG_FORMAT", form)
    line, _ = await _announced(tmp_path, *EDGE, "--port", "0")
    assert "(hidden)@127.0.0.1:9" in line
    assert "secret" not in line
    assert "me:" not in line


async def test_a_port_that_is_taken_is_not_announced(tmp_path: Path) -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port := free_port())
    async with server:
        said, status = await _announced(tmp_path, "serve", "--port", str(port))
    assert status is None
    assert "serving" not in said


def test_an_edge_without_an_origin_fails_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["edge"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "--origin" in line

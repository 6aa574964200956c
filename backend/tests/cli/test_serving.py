"""What ``serve`` and ``edge`` say when they begin: where they serve, once they do."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import httpx
import pytest

from api.processes import free_port
from interrupts import receive_interrupts
from wavescope.cli import main


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
                if found := re.search(r"on (http://127\.0\.0\.1:\d+)", line):
                    async with httpx.AsyncClient() as client:
                        return line, (await client.get(f"{found[1]}/healthz")).status_code
        return said, None
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()


@pytest.mark.parametrize("arguments", [("serve",), ("edge", "--origin", "http://127.0.0.1:9", "--disk", "0")])
async def test_where_it_serves_is_said_once_it_does(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    line, status = await _announced(tmp_path, *arguments, "--port", "0")
    assert status == 200, line
    assert ":0 " not in line


async def test_a_port_that_is_taken_is_not_announced(tmp_path: Path) -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port := free_port())
    async with server:
        said, status = await _announced(tmp_path, "serve", "--port", str(port))
    assert status is None
    assert "serving on" not in said


def test_an_edge_without_an_origin_fails_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["edge"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "--origin" in line

"""An edge in a process of its own, as an operator starts it: its peak of memory can be read, and it can be killed."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from api.processes import free_port
from interrupts import receive_interrupts

START_SECONDS = 120.0  # on a machine that is busy


class EdgeProcess:
    """``wavescope edge`` at ``url``."""

    def __init__(self, child: asyncio.subprocess.Process, url: str) -> None:
        self._child, self.url = child, url

    def begin_peak(self) -> int:
        """Forgets the peak of memory; the bytes that the process uses now."""
        Path(f"/proc/{self._child.pid}/clear_refs").write_text("5")
        return self.peak()

    def peak(self) -> int:
        """The most bytes that the process has used since."""
        status = Path(f"/proc/{self._child.pid}/status").read_text()
        return int(re.findall(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)[0]) << 10

    async def stop(self) -> None:
        """As an operator would."""
        self._child.terminate()
        await self._child.wait()

    async def kill(self) -> None:
        """As a power failure would."""
        if self._child.returncode is None:
            self._child.kill()
        await self._child.wait()


@asynccontextmanager
async def edge_process(cache: Path, origin: str, **settings: str) -> AsyncIterator[EdgeProcess]:
    """Ready for requests, killed in the end. Settings: their names in small letters."""
    port = free_port()
    given = {f"WAVESCOPE_{name.upper()}": value for name, value in {"rate_limits": "0", **settings}.items()}
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "wavescope.cli", "edge"),
        *("--origin", origin, "--port", str(port), "--cache", str(cache)),
        env={**os.environ, **given},
        preexec_fn=receive_interrupts,
    )
    found = EdgeProcess(child, f"http://127.0.0.1:{port}")
    try:
        async with httpx.AsyncClient(base_url=found.url) as client, asyncio.timeout(START_SECONDS):
            while True:
                assert child.returncode is None, "the edge ended"
                try:
                    assert (await client.get("/healthz")).status_code == 200
                    break
                except httpx.TransportError:
                    await asyncio.sleep(0.02)  # nothing says when a port is open
        yield found
    finally:
        await found.kill()

"""The program itself, in a process of its own."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx

from interrupts import receive_interrupts


def free_port() -> int:
    """A port of loopback that nobody has."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@asynccontextmanager
async def process(store: Path, port: int, run_jobs: bool = False) -> AsyncIterator[asyncio.subprocess.Process]:
    """The program itself, killed in the end."""
    given = f"listen_port={port}, store=pathlib.Path({str(store)!r})"
    code = f"import pathlib; from wavescope import config, main; main.serve(config.Config.from_env(None, {given}))"
    environment = {**os.environ, "WAVESCOPE_RUN_JOBS": str(int(run_jobs))}
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, env=environment, preexec_fn=receive_interrupts
    )
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client, asyncio.timeout(60):
            while child.returncode is None:
                with suppress(httpx.TransportError):
                    if (await client.get("/readyz")).is_success:  # on a busy machine it is not ready at once
                        break
                await asyncio.sleep(0.05)
        yield child
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()

"""Nodes as processes of their own, which can be killed."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

START_SECONDS = 60.0


class NodeProcess:
    """One ``wavescope serve``. ``settings``: more of its settings, by their names."""

    def __init__(self, root: Path, name: str, catalog: str, place: str, **settings: object) -> None:
        self.root, self.name = root / name, name
        self.root.mkdir(parents=True, exist_ok=True)
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = int(one.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        given = {
            "store": self.root / "store",
            "catalog": catalog,
            "slide_store": place,
            "node_name": name,
            "node_url": self.url,
            "rate_limits": False,
            **settings,
        }
        self._environment = {**os.environ, **{f"WAVESCOPE_{key.upper()}": str(value) for key, value in given.items()}}
        self.process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Returns when it is ready."""
        command = [sys.executable, "-m", "wavescope.cli", "serve", "--port", str(self.port)]
        with (self.root / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=self._environment)
        deadline = time.monotonic() + START_SECONDS
        async with httpx.AsyncClient(base_url=self.url) as client:
            while True:
                try:
                    if (await client.get("/readyz")).status_code < 400:
                        return
                except httpx.TransportError:
                    pass
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((self.root / "log").read_text()[-3000:])
                await asyncio.sleep(0.05)

    def kill(self) -> None:
        """As the kernel, or a power failure of the node."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=30)

    def environment(self, setting: str) -> str:
        """The value of a setting."""
        return self._environment[f"WAVESCOPE_{setting}"]

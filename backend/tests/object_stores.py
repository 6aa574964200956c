"""A real S3 server for tests: versitygw over a folder, on loopback. `.ci/run` installs it where Go is."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

TOOLS = Path.home() / ".cache" / "wavescope" / "tools"
BUCKET = "slides"
KEY, SECRET = "tester", "not a secret"


def gateway() -> str:
    """The program; skips where it is not installed."""
    found = shutil.which("versitygw") or shutil.which("versitygw", path=str(TOOLS))
    if found is None:
        pytest.skip("versitygw is not installed: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
    return found


class Server:
    """One gateway. ``folder``: its bucket as files; ``environment``: what clients of it need."""

    def __init__(self, root: Path, port: int | None = None) -> None:
        self.root, self.folder = root, root / "buckets" / BUCKET
        self.folder.mkdir(parents=True, exist_ok=True)
        (root / "meta").mkdir(exist_ok=True)
        self.port = port or _free_port()
        self.environment = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when it answers."""
        command = [gateway(), "--port", f"127.0.0.1:{self.port}", "--access", KEY, "--secret", SECRET]
        command += [
            "--keep-alive",
            "--quiet",
            "posix",
            "--sidecar",
            str(self.root / "meta"),
            str(self.root / "buckets"),
        ]
        with (self.root / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.root)
        deadline = time.monotonic() + 20
        while not _answers(self.port):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"versitygw does not start: {(self.root / 'log').read_text()[-2000:]}")
            time.sleep(0.02)

    def stop(self) -> None:
        """Ends it as a crash would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


@contextmanager
def served(root: Path) -> Iterator[Server]:
    """A gateway that runs; the environment of this process leads to it."""
    server = Server(root)
    before = {name: os.environ.get(name) for name in server.environment}
    server.start()
    os.environ.update(server.environment)
    try:
        yield server
    finally:
        server.stop()
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 0.2).close()
    except OSError:
        return False
    return True

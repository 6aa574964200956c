"""The real service on loopback, in a process of its own, and raw requests to it."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

API = "/api/v1"
READY_SECONDS = 90.0
PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class Raw:
    """An answer: its status, body and the cookies that it sets."""

    status_code: int
    content: bytes
    cookies: str

    @property
    def user(self) -> Any:
        """Who the account route says one is."""
        try:
            return json.loads(self.content).get("user")
        except ValueError:
            return None


class Service:
    """``wavescope serve`` on a store, killed in the end. Options: the environment's names in small letters."""

    def __init__(self, store: Path, *arguments: str, **options: str) -> None:
        self.store, self._arguments, self.port = store, arguments, free_port()
        settings = {"rate_limits": "0", "frontend": str(store / "nowhere"), **options}
        self._environment = {**os.environ, **{f"WAVESCOPE_{name.upper()}": value for name, value in settings.items()}}
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the service
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Service:
        command = [sys.executable, "-m", "wavescope.cli", "serve", "--port", str(self.port), "--store", str(self.store)]
        self._process = subprocess.Popen(
            [*command, *self._arguments],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
        )
        until = time.monotonic() + READY_SECONDS
        with httpx.Client(base_url=self.url) as client:
            while self._process.poll() is None and time.monotonic() < until:
                try:
                    if client.get("/readyz").status_code == 200:
                        return self
                except httpx.TransportError:
                    time.sleep(0.02)  # nobody tells when a port is open
        log = self.log()
        self.__exit__(None, None, None)
        raise RuntimeError(f"the service did not start: {log[-1500:]}")

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        assert self._process is not None
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._log.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def client(self, **headers: str) -> httpx.Client:
        """A browser on the service's own page."""
        return httpx.Client(base_url=self.url, headers={"origin": self.url, **headers}, timeout=30)

    def signed_in(self, name: str) -> httpx.Client:
        """A browser in which this user has signed in."""
        client = self.client()
        answer = client.post(f"{API}/sign-in", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        return client

    def raw(self, method: str, path: str, header: bytes, value: bytes) -> Raw:
        """A request with a header of any bytes, which a client library would refuse to send."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, path)
            for name, text in ((b"Origin", self.url.encode()), (b"Content-Length", b"0"), (header, value)):
                connection.putheader(name, text)
            connection.endheaders()
            answer = connection.getresponse()
            return Raw(answer.status, answer.read(), answer.getheader("set-cookie", ""))
        finally:
            connection.close()

    def log(self) -> str:
        """What it wrote to stdout and stderr so far."""
        return os.pread(self._log.fileno(), 1 << 24, 0).decode(errors="replace")

    def faults(self) -> str:
        """Mistakes of its own that it wrote down: tracebacks, and having ended."""
        if not self.running:
            return f"the service has ended: {self.log()[-500:]}"
        log = self.log()
        at = log.find("Traceback")
        return "" if at < 0 else f"a traceback, which ends: {log.rstrip().splitlines()[-1][:200]}"


def free_port() -> int:
    """A port of loopback that nobody has."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def add_account(store: Path, name: str, role: str) -> None:
    """An account with PASSWORD."""
    command = [sys.executable, "-m", "wavescope.cli", "user", "add", name, "--role", role, "--store", str(store)]
    done = subprocess.run(command, input=f"{PASSWORD}\n", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

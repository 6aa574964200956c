"""Real clusters on loopback, made with the command as a user makes them."""

from __future__ import annotations

import json
import os
import random
import shutil
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from wavescope_lab.cluster.description import is_free
from wavescope_lab.cluster.programs import SOURCES, find_programs
from wavescope_lab.errors import MissingProgram

LOWEST, HIGHEST, NEEDED = 10_000, 28_000, 120  # ports: below those of outgoing connections; of one cluster


@dataclass
class Made:
    """A cluster that runs. ``first``: what the first ``cluster up`` printed on standard error."""

    folder: Path
    port: int
    first: str = ""

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def run(self, *arguments: str, code: int | None = 0) -> subprocess.CompletedProcess[str]:
        """A verb of ``wavescope cluster``; fails unless it ends with ``code``."""
        return command(*arguments, "--dir", str(self.folder), code=code)

    def on_cluster(self, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        """Another command of ``wavescope``, on this cluster."""
        return command("run", "--dir", str(self.folder), *words, code=code)

    def up(self, *arguments: str) -> None:
        self.first += self.run("up", "--port", str(self.port), *arguments).stderr

    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.run("status", "--json", code=None).stdout)
        return found

    def part(self, name: str) -> dict[str, Any]:
        return next(part for part in self.status()["parts"] if part["name"] == name)

    def password(self) -> str:
        """Of the first admin."""
        return self.first.partition("its password ")[2].split()[0]

    def trust(self) -> ssl.SSLContext:
        """The certificate of the balancer."""
        return ssl.create_default_context(cafile=str(self.folder / "balancer" / "certificate.pem"))

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, verify=self.trust(), timeout=30, **options)


def command(*arguments: str, code: int | None = 0) -> subprocess.CompletedProcess[str]:
    """``wavescope cluster`` with these arguments, without settings of this process."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WAVESCOPE_")}
    done = subprocess.run(
        [sys.executable, "-m", "wavescope.cli", "cluster", *arguments],
        capture_output=True, text=True, timeout=240, check=False, env=environment,
    )  # fmt: skip
    assert code is None or done.returncode == code, f"{arguments}: {done.returncode}: {done.stdout}{done.stderr}"
    return done


def require_programs() -> None:
    """Skips where a program is not installed."""
    try:
        find_programs(SOURCES)
    except MissingProgram as missing:
        pytest.skip(str(missing))


def free_ports() -> int:
    """The first of enough ports in a row of which most are free."""
    for _ in range(100):
        first = random.randrange(LOWEST, HIGHEST)
        if all(is_free(port) for port in range(first, first + NEEDED, 7)) and is_free(first):
            return first
    pytest.fail("no free ports")


@contextmanager
def cluster(*arguments: str) -> Iterator[Made]:
    """A cluster made with ``cluster up`` and these arguments, deleted in the end."""
    require_programs()
    folder = Path(tempfile.mkdtemp(prefix="wavescope-cluster-"))  # PostgreSQL's account reaches it
    folder.chmod(0o711)
    made = Made(folder / "c", free_ports())
    try:
        made.up(*arguments)
        yield made
    except BaseException:
        for log in sorted((made.folder / "logs").glob("*.log")):
            print(f"--- {log.name}\n{log.read_text(errors='replace')[-1500:]}")
        raise
    finally:
        made.run("down", "--purge", code=None)
        shutil.rmtree(folder, ignore_errors=True)

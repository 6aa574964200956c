"""Servers, caches and links of the classroom, each a process of its own on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from setting import ROOT, WAVESCOPE, await_port, free_port

TESTS = ROOT / "backend" / "tests"
DEPLOY = ROOT / "shared" / "deploy"


@dataclass(frozen=True)
class Program:
    """A running server: where it listens, and its process."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cpu_seconds(self) -> float:
        """User and system time of the process and of those it has started."""
        return sum(_cpu(pid) for pid in (self.pid, *_children(self.pid)))


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def program(command: Sequence[object], port: int) -> Iterator[Program]:
    """A server on a port, ended afterwards."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([str(part) for part in command], stdout=quiet, stderr=quiet)
    try:
        await_port(port, process)
        yield Program(port, process.pid)
    finally:
        process.terminate()
        process.wait()


def _behind() -> list[str]:
    """For a service behind a cache on the same machine, which states the address of its client."""
    settings = ("OPEN_TO_ALL=1", "TRUSTED_PROXIES=127.0.0.1", "RATE_LIMITS=0")
    return ["env", *(f"WAVESCOPE_{setting}" for setting in settings)]


@contextmanager
def origin(store: Path) -> Iterator[Program]:
    """The service."""
    port = free_port()
    behind = [
        "env",
        "WAVESCOPE_OPEN_TO_ALL=1",
        "WAVESCOPE_TRUSTED_PROXIES=127.0.0.1",
    ]  # caches state the client's address
    with program([*behind, WAVESCOPE, "serve", "--port", port, "--store", store], port) as running:
        yield running


def nginx(folder: Path, inside: str) -> list[object]:
    """The command of an nginx whose files are in a new folder. ``inside``: of its block ``http``."""
    folder.mkdir()
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    head = f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/log; events {{}}"
    (folder / "nginx.conf").write_text(
        f"{head}\nhttp {{ access_log off; keepalive_requests 100000;\n{temporary}{inside}}}\n"
    )
    return ["nginx", "-p", folder, "-c", folder / "nginx.conf"]


@contextmanager
def files(folder: Path, root: Path) -> Iterator[Program]:
    """nginx over a folder of files, which any cache may store."""
    port = free_port()
    lasting = "add_header Cache-Control 'public, max-age=31536000';"
    inside = f"sendfile on; server {{ listen 127.0.0.1:{port}; root {root}; {lasting} }}"
    with program(nginx(folder, inside), port) as running:
        yield running


@contextmanager
def nginx_cache(folder: Path, upstream: str, every_path: bool = False) -> Iterator[Program]:
    """The shipped nginx edge without TLS. ``every_path``: it stores the answers of all paths, for DZI."""
    port = free_port()
    text = (DEPLOY / "nginx-edge.conf").read_text()
    changes = {
        "192.0.2.10:8000": upstream,
        "listen 443 ssl": f"listen 127.0.0.1:{port}",
        "/var/cache/nginx/wavescope": f"{folder}/cache",
        "    ssl_certificate     /etc/ssl/wavescope/fullchain.pem;\n": "",
        "    ssl_certificate_key /etc/ssl/wavescope/key.pem;\n": "",
        "proxy_set_header Host $http_host;": f"proxy_set_header Host {upstream};",
    }
    if every_path:
        changes["^/(assets/|api/v1/slides/[^/]+/v/[0-9a-f]+/(?!push$))"] = "^/."
    for old, new in changes.items():
        if old not in text:
            raise SystemExit(f"{DEPLOY / 'nginx-edge.conf'} has no {old!r}")
        text = text.replace(old, new)
    with program(nginx(folder, text), port) as running:
        yield running


@cache
def edge_options() -> str:
    """The help of ``wavescope edge``; empty if this version has no such command."""
    done = subprocess.run([WAVESCOPE, "edge", "--help"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


@contextmanager
def wavescope_edge(folder: Path, upstream: str, policy: str, size: int) -> Iterator[Program]:
    """Rung two, with an empty cache of ``size`` bytes in memory and nothing on disk."""
    port = free_port()
    command = [*_behind(), WAVESCOPE, "edge", "--origin", f"http://{upstream}", "--host", "127.0.0.1", "--port", port]
    limits = ["--policy", policy, "--memory", size, "--disk", 0, "--cache", folder]
    with program([*command, *limits], port) as running:
        yield running


class Link:
    """The wide-area link, as a process."""

    def __init__(self, listen: str, control: str, pid: int) -> None:
        self.listen, self._control, self.pid = listen, control, pid

    def bytes(self) -> int:
        """Bytes from the origin to the clients so far."""
        with urllib.request.urlopen(f"http://{self._control}/", timeout=10) as answer:
            return int(json.loads(answer.read())["down_bytes"])


@contextmanager
def link(target: Program, rate: str, delay: str) -> Iterator[Link]:
    """A link to a server; ``delay`` is one way."""
    command = [
        sys.executable,
        "-m",
        "links.proxy",
        "--rate",
        rate,
        "--delay",
        delay,
        "--to",
        f"127.0.0.1:{target.port}",
    ]
    process = subprocess.Popen(command, cwd=TESTS, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        addresses = json.loads(process.stdout.readline())
        yield Link(addresses["listen"], addresses["control"], process.pid)
    finally:
        process.terminate()
        process.wait()

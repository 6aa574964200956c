"""Databases to try the catalog on: SQLite always, PostgreSQL where its programs are installed."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


@dataclass
class Server:
    """A PostgreSQL server; ``url`` has no database's name."""

    url: str
    data: str
    options: str

    def start(self) -> None:
        _run("pg_ctl", "-D", self.data, "-w", "-l", f"{self.data}.log", "-o", self.options, "start")

    def stop(self, mode: str = "fast") -> None:
        """``fast``: transactions are rolled back, connections closed; ``immediate``: as if it were killed."""
        _run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")


@contextmanager
def postgresql() -> Iterator[str]:
    """A server on a free port of loopback, for as long as the context lasts; its URL without a database's name."""
    with postgresql_server() as server:
        yield server.url


@contextmanager
def postgresql_server() -> Iterator[Server]:
    """As ``postgresql``, a server that can be stopped and started again."""
    if not PROGRAMS:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    folder = Path(tempfile.mkdtemp(prefix="wavescope-pg-"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    try:
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(folder, "postgres")
        data = str(folder / "data")
        _run("initdb", "-D", data, "-U", "wavescope", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -c fsync=off -c max_connections=400"
        server = Server(f"postgresql+psycopg://wavescope@127.0.0.1:{port}", data, options)
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_database(server: str, name: str) -> str:
    """An empty database of a server; its URL."""
    engine = create_engine(f"{server}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}"'))
    engine.dispose()
    return f"{server}/{name}"


def _run(program: str, *arguments: str) -> None:
    command: Sequence[str] = (str(PROGRAMS[-1] / program), *arguments)
    if os.getuid() == 0:
        command = ("runuser", "-u", "postgres", "--", *command)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd="/", timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()

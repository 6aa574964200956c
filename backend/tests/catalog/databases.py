"""Databases to try the catalog on: SQLite always, PostgreSQL where its programs are installed."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from wavescope.catalog import database

SHARED = "TESTS_SHARED_WORLD"  # in the environment of a run of the tests: a folder for all its processes
PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


def from_template() -> None:
    """From now on, a new SQLite catalog of this process is a copy of one that the migrations made, and its commits do
    not wait for a disk. The template is made once in a run of the tests.
    """
    database.SYNCHRONOUS = "OFF"
    close_files = database._close_files

    def copied_and_closed(database: str | None) -> None:
        if database not in (None, "", ":memory:") and (shared := os.environ.get(SHARED)):
            _copy_template(Path(shared), Path(str(database)))
        close_files(database)

    database._close_files = copied_and_closed


def _copy_template(shared: Path, path: Path) -> None:
    """Where there is no file yet and its folder is there; what is below ``shared`` is made by the migrations."""
    if path.exists() or not path.parent.is_dir() or path.is_relative_to(shared):
        return
    template, new = shared / "catalog.sqlite", path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    with _locked(shared / "catalog-lock"):
        if not template.exists():
            database.open_engine(f"sqlite:///{template}").dispose()
    with suppress(OSError):  # a full disk: SQLite says so itself
        try:
            shutil.copy(template, new)
            os.link(new, path)  # whole, unless another process was quicker
        finally:
            new.unlink(missing_ok=True)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """What one process of a run of the tests does at a time."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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
        _make_cluster(data)
        options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -c fsync=off -c max_connections=400"
        server = Server(f"postgresql+psycopg://wavescope@127.0.0.1:{port}", data, options)
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_cluster(data: str) -> None:
    """An empty cluster in the folder ``data``: made once in a run of the tests, and copied."""
    if (shared := os.environ.get(SHARED)) is None:
        return _initdb(data)
    template = Path(shared) / "postgresql"
    with _locked(Path(shared) / "postgresql-lock"):
        if not template.exists():
            _initdb(data)
            subprocess.run(("cp", "-a", data, template), check=True)  # the owner stays
            return None
    subprocess.run(("cp", "-a", template, data), check=True)
    return None


def _initdb(data: str) -> None:
    _run("initdb", "-D", data, "-U", "wavescope", "-A", "trust", "-E", "UTF8", "--no-sync")


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

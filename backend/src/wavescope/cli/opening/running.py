"""The service that already runs on a store, found by the file in which ``wavescope open`` notes its address."""

from __future__ import annotations

import contextlib
import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from wavescope.errors import StoreBusy
from wavescope.store.durable import locked, write_file

SECONDS = 5.0
NOTE = "open.json"
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # loopback needs no proxy


def address_of(port: int) -> str:
    """The service on this port of this machine."""
    return f"http://127.0.0.1:{port}"


def is_served(store: Path) -> bool:
    """Whether a service runs the jobs of this store."""
    if not store.is_dir():
        return False
    try:
        with locked(store / "jobs.lock", "the jobs of this store"):
            return False
    except StoreBusy:
        return True


def is_ready(address: str) -> bool:
    """Whether a service at this address answers and is ready."""
    try:
        with _DIRECT.open(f"{address}/readyz", timeout=SECONDS) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def running_address(store: Path) -> str | None:
    """The address of a ``wavescope open`` on this store that answers."""
    try:
        address = address_of(int(json.loads((store / NOTE).read_bytes())["port"]))
        return address if is_ready(address) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


@contextlib.contextmanager
def noted(store: Path, port: int) -> Iterator[None]:
    """Others find this service while it runs."""
    write_file(store / NOTE, [json.dumps({"port": port}).encode()], private=True)
    try:
        yield
    finally:
        (store / NOTE).unlink(missing_ok=True)

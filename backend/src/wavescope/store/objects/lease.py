"""A lease on a slide version in an object store: one process publishes or removes it at a time (ST84).

The lease is an object that only one process can create (If-None-Match) or take over (If-Match). Its holder renews it;
one that was not renewed for LEASE_SECONDS belongs to a process that is gone. Its content is random: by it a process
knows its own lease again if the answer to its request was lost.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from wavescope.errors import StoreBusy, Unavailable
from wavescope.store.objects.client import Objects

LEASE_SECONDS = 300.0
"""Far more than clocks differ and than a store is away."""
RENEW_SECONDS = 30.0
_POLL_SECONDS = 1.0
_BYTES = 16


class Lease:
    """One that this process has; ``check`` before what nobody else may do at the same time."""

    def __init__(self, objects: Objects, path: str, tag: str) -> None:
        self._objects, self._path, self._tag = objects, path, tag
        self._renewed, self._lost = time.monotonic(), False
        self._turn = threading.Lock()

    def check(self) -> None:
        """Raises StoreBusy if the lease may have been taken over."""
        if self._lost or time.monotonic() - self._renewed > LEASE_SECONDS / 2:
            raise StoreBusy("the slide version")

    def renew(self) -> None:
        """Keeps the lease; an outage of the store is no loss as long as ``check`` allows."""
        began = time.monotonic()
        with self._turn:
            mine = secrets.token_bytes(_BYTES)
            try:
                self._objects.replace(self._path, mine, self._tag)
                tag = _tag_if_owner(self._objects, self._path, mine)
            except Unavailable:
                return
            if tag is None:
                self._lost = True
            else:
                self._tag, self._renewed = tag, began

    def end(self) -> None:
        with self._turn:
            if not self._lost and (found := self._objects.find(self._path)) is not None and found.tag == self._tag:
                self._objects.delete([self._path])


@contextmanager
def leased(objects: Objects, digest: str, *, wait: float = 0.0) -> Iterator[Lease]:
    """The lease on a version. StoreBusy if another process has it after ``wait`` seconds. Raises Unavailable."""
    path = f"leases/{digest}"
    lease = Lease(objects, path, _acquired(objects, path, time.monotonic() + wait))
    ended = threading.Event()

    def renewing() -> None:
        while not ended.wait(RENEW_SECONDS):
            lease.renew()

    thread = threading.Thread(target=renewing, name="wavescope-lease", daemon=True)
    thread.start()
    try:
        yield lease
    finally:
        ended.set()
        thread.join()
        lease.end()


def _acquired(objects: Objects, path: str, deadline: float) -> str:
    """The tag of the lease, which is now that of this process."""
    mine = secrets.token_bytes(_BYTES)
    while True:
        if not objects.create(path, mine):
            found = objects.find(path)
            if found is not None and (datetime.now(UTC) - found.modified).total_seconds() > LEASE_SECONDS:
                objects.replace(path, mine, found.tag)
        if (tag := _tag_if_owner(objects, path, mine)) is not None:
            return tag
        if time.monotonic() >= deadline:
            raise StoreBusy("the slide version")
        time.sleep(_POLL_SECONDS)


def _tag_if_owner(objects: Objects, path: str, mine: bytes) -> str | None:
    """The tag of the lease, if it is that with this content."""
    found = objects.find(path)
    try:
        return found.tag if found is not None and objects.whole_blocking(path, _BYTES) == mine else None
    except (FileNotFoundError, ValueError):
        return None

"""The local disk of a worker: copies of uploads while they are read, and folders of unfinished work (CL54)."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wavescope.errors import UnreadableSource
from wavescope.ingest.cluster.orders import SharedSource
from wavescope.source.open import SPECIMEN
from wavescope.store.durable import make_private_directory, remove_tree
from wavescope.store.objects.client import Objects
from wavescope.store.objects.uploads import UploadObjects
from wavescope.store.space import StoreSpace

COPIES = 2
"""Copies of uploads that stay when nobody reads them: superblocks of one slide come one after another."""


class Scratch:
    """One folder of one worker process. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._turn = threading.Lock()
        self._fetching: dict[str, threading.Lock] = {}
        self._readers: dict[str, int] = {}  # by upload, those least recently read first

    @contextmanager
    def source(self, source: SharedSource) -> Iterator[Path]:
        """The path of a source on this machine, as long as it is read.

        Raises UnreadableSource (it is not there), NotEnoughSpace, StoreFull, Unavailable.
        """
        if not source.job:
            path = Path(source.path)
            if not (source.path.startswith(SPECIMEN) or path.exists()):
                raise UnreadableSource(
                    path, "a worker of the ingest cluster does not see this file; use a shared folder"
                )
            yield path
            return
        with self._turn:
            self._readers[source.job] = self._readers.pop(source.job, 0) + 1
            fetching = self._fetching.setdefault(source.job, threading.Lock())
        try:
            with fetching:
                path = self._fetched(source)
            yield path
        finally:
            self._done(source.job)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """A folder for unfinished work, removed in the end."""
        make_private_directory(self._folder)
        made = Path(tempfile.mkdtemp(prefix="work-", dir=self._folder))
        try:
            yield made
        finally:
            remove_tree(made)

    def _fetched(self, source: SharedSource) -> Path:
        target = self._folder / "uploads" / source.job
        path = target / Path(source.path).name
        if not target.exists():
            objects = UploadObjects(Objects.at(source.location, source.seconds))
            space = StoreSpace(self._folder, source.reserve, source.reserve)
            try:
                objects.fetch(source.job, target, space.check)
            except FileNotFoundError as cause:
                raise UnreadableSource(path, "its file is no longer in the object store") from cause
        return path

    def _done(self, job: str) -> None:
        """The copies that were read last stay."""
        with self._turn:
            self._readers[job] -= 1
            unread = [one for one, readers in self._readers.items() if not readers]
            for one in unread[: max(0, len(unread) - COPIES)]:
                del self._readers[one], self._fetching[one]
                shutil.rmtree(self._folder / "uploads" / one, ignore_errors=True)

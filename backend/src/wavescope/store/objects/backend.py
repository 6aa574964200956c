"""Slide versions in one place, a folder or an object store: read file by file, written all or nothing (ST80, ST83)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from wavescope.store.durable import (
    full_disk_reported,
    locked,
    make_directory,
    put_in_place,
    remove_tree,
    sync_tree_directories,
    write_file,
)
from wavescope.store.layout import StorePaths
from wavescope.store.objects.client import CHUNK, Objects
from wavescope.store.objects.contents import MANIFEST, MAX_MANIFEST
from wavescope.store.objects.lease import leased

SLIDES = "slides"
WAIT_SECONDS = 600.0
"""How long a process waits until another one has published or removed the same version."""


def folder_of(digest: str) -> str:
    """The folder of a version's objects: that of a store on disk (ST1)."""
    return f"{SLIDES}/{digest}"


class Files(Protocol):
    """The files of one version by their paths. FileNotFoundError, ValueError (too short or long), Unavailable."""

    def size(self, path: str) -> int | None:
        """Bytes of a file, None if there is none."""
        ...

    def chunks(self, path: str) -> Iterator[bytes]: ...

    def read(self, path: str, start: int, length: int) -> bytes: ...

    def whole(self, path: str, max_bytes: int) -> bytes: ...


class Target(Files, Protocol):
    """A version that is being written: what an interrupted copy has written is there."""

    def put(self, path: str, chunks: Iterable[bytes]) -> None: ...

    def publish(self, manifest: bytes) -> None:
        """From now on readers see the version, complete. Nothing was visible before."""
        ...


class VersionBackend(Protocol):
    """A place with slide versions."""

    def digests(self) -> list[str]: ...

    def files(self, digest: str) -> Files: ...

    def writing(self, digest: str) -> AbstractContextManager[Target]:
        """One process at a time writes a version. Raises StoreBusy."""
        ...


# --- an object store -----------------------------------------------------------------------------------------------


class ObjectBackend:
    """Slide versions in an object store. A version exists as soon and as long as its manifest does."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects

    def digests(self) -> list[str]:
        return [one for one in self.objects.folders(SLIDES) if self.objects.find(f"{folder_of(one)}/{MANIFEST}")]

    def files(self, digest: str) -> ObjectFiles:
        return ObjectFiles(self.objects, folder_of(digest))

    @contextmanager
    def writing(self, digest: str) -> Iterator[ObjectFiles]:
        with leased(self.objects, digest, wait=WAIT_SECONDS) as lease:
            yield ObjectFiles(self.objects, folder_of(digest), lease.check)

    def signed(self, digest: str, paths: Sequence[str], seconds: int) -> dict[str, str]:
        """For files of a version: URLs with which anyone may read them for so long."""
        folder = folder_of(digest)
        urls = self.objects.signed([f"{folder}/{path}" for path in paths], seconds)
        return dict(zip(paths, urls, strict=True))

    def remove(self, digest: str) -> None:
        """Removes a version: its manifest first, so that no reader sees a part of it. StoreBusy while it is written."""
        with leased(self.objects, digest):
            folder = folder_of(digest)
            self.objects.delete([f"{folder}/{MANIFEST}"])
            self.objects.delete([path for path, _ in self.objects.under(folder)])


class ObjectFiles:
    """The objects of one version. ``allowed`` raises if it may not be published any more."""

    def __init__(self, objects: Objects, folder: str, allowed: Callable[[], None] = lambda: None) -> None:
        self._objects, self._folder, self._allowed = objects, folder, allowed

    def size(self, path: str) -> int | None:
        found = self._objects.find(self._path(path))
        return None if found is None else found.size

    def chunks(self, path: str) -> Iterator[bytes]:
        return self._objects.chunks(self._path(path))

    def read(self, path: str, start: int, length: int) -> bytes:
        return self._objects.read_blocking(self._path(path), start, length)

    def whole(self, path: str, max_bytes: int) -> bytes:
        return self._objects.whole_blocking(self._path(path), max_bytes)

    def paths(self) -> Iterator[str]:
        """Of all objects of the version, also of those that should not exist."""
        return (path[len(self._folder) + 1 :] for path, _ in self._objects.under(self._folder))

    def put(self, path: str, chunks: Iterable[bytes]) -> None:
        self._objects.put(self._path(path), chunks)

    def publish(self, manifest: bytes) -> None:
        """The manifest is the last object. One that is there already is the same, or damaged: then it is replaced."""
        self._allowed()
        path = self._path(MANIFEST)
        if not self._objects.create(path, manifest) and self._objects.whole_blocking(path, MAX_MANIFEST) != manifest:
            self._objects.put(path, [manifest])

    def _path(self, path: str) -> str:
        return f"{self._folder}/{path}"


# --- a folder ------------------------------------------------------------------------------------------------------


class FolderBackend:
    """Slide versions of a store on disk."""

    def __init__(self, store: Path) -> None:
        self._paths = self.paths = StorePaths(store)

    def digests(self) -> list[str]:
        return sorted(path.parent.name for path in self._paths.slides.glob(f"*/{MANIFEST}"))

    def files(self, digest: str) -> FolderFiles:
        return FolderFiles(self._paths.version(digest).root)

    @contextmanager
    def writing(self, digest: str) -> Iterator[FolderTarget]:
        work = self._paths.ingest / f"copy-{digest}"
        lock = work.with_name(work.name + ".lock")
        with locked(lock, "the slide version"):
            yield FolderTarget(self._paths, digest, work)
            lock.unlink(missing_ok=True)


class FolderFiles:
    """The files of one version."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def size(self, path: str) -> int | None:
        try:
            return os.stat(self._root / path).st_size
        except FileNotFoundError:
            return None

    def chunks(self, path: str) -> Iterator[bytes]:
        with (self._root / path).open("rb") as stream:
            while chunk := stream.read(CHUNK):
                yield chunk

    def read(self, path: str, start: int, length: int) -> bytes:
        with (self._root / path).open("rb") as stream:
            stream.seek(start)
            data = stream.read(length)
        if len(data) != length:
            raise ValueError(f"the file ends at byte {start + len(data)}, {start + length} were expected")
        return data

    def whole(self, path: str, max_bytes: int) -> bytes:
        if (size := (self._root / path).stat().st_size) > max_bytes:
            raise ValueError(f"it has {size} bytes, {max_bytes} are allowed")
        return (self._root / path).read_bytes()


class FolderTarget(FolderFiles):
    """A version that is written beside the store's slides and moved there in one step (ST54)."""

    def __init__(self, paths: StorePaths, digest: str, work: Path) -> None:
        super().__init__(work)
        self._paths, self._digest, self._work = paths, digest, work

    def put(self, path: str, chunks: Iterable[bytes]) -> None:
        make_directory((self._work / path).parent)
        write_file(self._work / path, chunks)

    def publish(self, manifest: bytes) -> None:
        target = self._paths.version(self._digest).root
        self.put(MANIFEST, [manifest])
        for leftover in self._work.rglob("*.tmp"):
            leftover.unlink()
        sync_tree_directories(self._work)
        with locked(self._paths.lock, "the store", wait=True), full_disk_reported(target):
            put_in_place(self._work, target)
        remove_tree(self._work)


def sha256_of(chunks: Iterable[bytes]) -> bytes:
    """Of a file, piece by piece."""
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.digest()

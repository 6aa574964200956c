"""Uploaded files in an object store, where every node can ingest them (CL45): ``uploads/JOB/``.

uploads/JOB/files/NAME       the files, as they lay in the folder of the job
uploads/JOB/contents.json    their paths, sizes and hashes: stored last; without it there is no upload
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from wavescope.errors import StoreBusy, Unavailable
from wavescope.store.durable import full_disk_reported, make_private_directory, remove_tree, write_file
from wavescope.store.objects.client import CHUNK, Objects
from wavescope.store.objects.lease import leased

UPLOADS = "uploads"
CONTENTS = "contents.json"
MAX_CONTENTS = 64 << 20
"""Bytes of the list of an upload's files: 20,000 paths of the longest kind."""
FETCHING = ".fetching-"
JOB = re.compile(r"[0-9a-f]{32}")


class UploadedFile(NamedTuple):
    """``path`` in the folder of its job; ``sha256`` in hexadecimal."""

    path: str
    size: int
    sha256: str


class UploadObjects:
    """The uploads in one object store. Blocking, thread-safe. Every method raises Unavailable."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    def send(self, job_id: str, folder: Path) -> None:
        """Stores all files of a folder; hidden ones directly in it are notes of the service. Raises OSError."""
        files = []
        for path in sorted(one for one in folder.rglob("*") if one.is_file()):
            relative = path.relative_to(folder).as_posix()
            if not relative.startswith("."):
                digest = hashlib.sha256()
                size = path.stat().st_size
                self._objects.put(f"{_folder(job_id)}/files/{relative}", _hashed(path, digest.update), size)
                files.append(UploadedFile(relative, size, digest.hexdigest()))
        self._objects.put(f"{_folder(job_id)}/{CONTENTS}", [json.dumps(files).encode()])

    def files(self, job_id: str) -> list[UploadedFile]:
        """The files of an upload. Raises FileNotFoundError: there is none."""
        try:
            found = json.loads(self._objects.whole_blocking(f"{_folder(job_id)}/{CONTENTS}", MAX_CONTENTS))
            files = [UploadedFile(str(path), int(size), str(sha256)) for path, size, sha256 in found]
        except (ValueError, TypeError) as cause:
            raise Unavailable("the upload", "the list of its files is damaged") from cause
        if any(PurePosixPath(one.path).is_absolute() or ".." in PurePosixPath(one.path).parts for one in files):
            raise Unavailable("the upload", "the list of its files is damaged")
        return files

    def fetch(self, job_id: str, target: Path, check_space: Callable[[int], None]) -> None:
        """The files of an upload in the folder ``target``, which appears complete or not at all. One caller
        at a time.

        Raises NotEnoughSpace (by ``check_space``, before the first byte), StoreFull, FileNotFoundError.
        """
        files = self.files(job_id)
        check_space(sum(one.size for one in files))
        make_private_directory(target.parent)
        made = target.with_name(f"{FETCHING}{target.name}")
        remove_tree(made)
        try:
            with full_disk_reported(target.parent):
                make_private_directory(made)
                for one in files:
                    path = made.joinpath(*PurePosixPath(one.path).parts)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    write_file(path, self._checked(job_id, one), private=True)
                made.rename(target)
        finally:
            remove_tree(made)

    def remove(self, job_id: str) -> None:
        """Removes an upload; nothing if there is none."""
        self._objects.delete([f"{_folder(job_id)}/{CONTENTS}"])
        self._objects.delete([path for path, _ in self._objects.under(_folder(job_id))])

    def sweep(self, needed: Callable[[], Collection[str]], seconds: float) -> tuple[str, ...]:
        """Removes the uploads, of which ``needed`` has no job, that were stored longer than ``seconds`` ago; their
        jobs. One node of a cluster does it at a time.
        """
        try:
            with leased(self._objects, UPLOADS):
                found = [one for one in self._objects.folders(UPLOADS) if JOB.fullmatch(one)]
                unneeded = set(found) - set(needed()) if found else set()
                left = tuple(sorted(one for one in unneeded if self._age(one) > seconds))
                for job_id in left:
                    self.remove(job_id)
                return left
        except StoreBusy:
            return ()

    def _age(self, job_id: str) -> float:
        """Seconds since the last object of an upload was stored."""
        paths = [f"{_folder(job_id)}/{CONTENTS}", *(path for path, _ in self._objects.under(_folder(job_id)))]
        times = [found.modified for path in paths if (found := self._objects.find(path)) is not None]
        return (datetime.now(UTC) - max(times)).total_seconds() if times else 0.0

    def _checked(self, job_id: str, file: UploadedFile) -> Iterator[bytes]:
        """The bytes of a file. Raises Unavailable at the end if they are not those that were sent."""
        digest = hashlib.sha256()
        for chunk in self._objects.chunks(f"{_folder(job_id)}/files/{file.path}"):
            digest.update(chunk)
            yield chunk
        if digest.hexdigest() != file.sha256:
            raise Unavailable("the upload", "a file of it is damaged in the object store")


def _folder(job_id: str) -> str:
    return f"{UPLOADS}/{job_id}"


def _hashed(path: Path, update: Callable[[bytes], None]) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            update(chunk)
            yield chunk

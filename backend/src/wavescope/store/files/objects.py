"""Files in an object store: ``PREFIX/originals/SHA256/``, apart from what may be public (ST91)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wavescope.store.files.stored import (
    CHUNK,
    CONTENT,
    MAX_RECORD,
    SHA256,
    Kind,
    Note,
    Settle,
    Staged,
    StoredFile,
)
from wavescope.store.objects.backend import WAIT_SECONDS, sha256_of
from wavescope.store.objects.client import Objects
from wavescope.store.objects.lease import leased


class ObjectStoredFiles:
    """Those of one bucket and prefix. A lease prevents that one is stored and removed at the same time (ST84)."""

    moves = False

    def __init__(self, objects: Objects, kind: Kind) -> None:
        self._objects, self.kind = objects, kind

    @contextmanager
    def storing(self, staged: Staged, note: Note) -> Iterator[Settle]:
        """The file is sent, unless it is there, and read again; its record is the last object."""
        file = staged.file
        with leased(self._objects, self._lease(file.sha256), wait=WAIT_SECONDS) as lease:
            note(file)
            if not self._is_whole(file):
                self._objects.put(self._content(file.sha256), _chunks(staged.path))
                if not self._is_whole(file):
                    raise self.kind.damaged(file.sha256, "what was stored of it is not what was sent")
            lease.check()
            self._objects.put(self._record(file.sha256), [file.to_json()])
            yield lease.check

    @contextmanager
    def removing(self, sha256: str) -> Iterator[None]:
        with leased(self._objects, self._lease(sha256)):
            yield

    def remove(self, sha256: str) -> None:
        self._objects.delete([self._record(sha256), self._content(sha256)])

    def size(self, sha256: str) -> int | None:
        found = self._objects.find(self._content(sha256))
        return None if found is None else found.size

    async def read(self, sha256: str, start: int, length: int) -> bytes:
        return await self._objects.read(self._content(sha256), start, length)

    def read_blocking(self, sha256: str, start: int, length: int) -> bytes:
        return self._objects.read_blocking(self._content(sha256), start, length)

    def chunks(self, sha256: str) -> Iterator[bytes]:
        return self._objects.chunks(self._content(sha256))

    def records(self) -> Iterator[StoredFile]:
        for sha256 in filter(SHA256.fullmatch, self._objects.folders(self.kind.folder)):
            with contextlib.suppress(FileNotFoundError, ValueError):
                found = StoredFile.from_json(self._objects.whole_blocking(self._record(sha256), MAX_RECORD))
                if found.sha256 == sha256:
                    yield found

    def _is_whole(self, file: StoredFile) -> bool:
        if self.size(file.sha256) != file.size:
            return False
        return sha256_of(self.chunks(file.sha256)).hex() == file.sha256

    def _content(self, sha256: str) -> str:
        return f"{self.kind.folder}/{sha256}/{CONTENT}"

    def _record(self, sha256: str) -> str:
        return f"{self.kind.folder}/{sha256}/{self.kind.record}"

    def _lease(self, sha256: str) -> str:
        return f"{self.kind.name}-{sha256}"


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            yield chunk

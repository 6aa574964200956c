"""Files in the folder of a store: ``originals/SHA256/``, ``overlays/SHA256/``, for its owner alone (ST90, PR45)."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wavescope.store.durable import full_disk_reported, make_private_directory, put_in_place, remove_tree
from wavescope.store.files.stored import CHUNK, CONTENT, SHA256, Kind, Note, Settle, Staged, StoredFile
from wavescope.store.layout import StorePaths


class FolderStoredFiles:
    """Those of one store. Who stores or removes one holds the store's lock."""

    moves = True

    def __init__(self, paths: StorePaths, kind: Kind) -> None:
        self._paths, self.kind = paths, kind

    @contextmanager
    def storing(self, staged: Staged, note: Note) -> Iterator[Settle]:
        """The file is moved by ``settle``, in one step; an equal older one is replaced: it may be damaged."""
        assert staged.folder is not None
        made, target = staged.folder, self._folder(staged.file.sha256)

        def settle() -> None:
            note(staged.file)
            with full_disk_reported(self._paths.root):
                make_private_directory(target.parent)
                put_in_place(made, target)
            remove_tree(made)

        yield settle

    @contextmanager
    def removing(self, sha256: str) -> Iterator[None]:
        yield

    def remove(self, sha256: str) -> None:
        grave = self._paths.ingest / f"removed-{self.kind.name}-{sha256}"
        make_private_directory(self._paths.ingest)
        remove_tree(grave)
        with contextlib.suppress(FileNotFoundError):
            self._folder(sha256).rename(grave)  # out of sight at once
        remove_tree(grave)

    def size(self, sha256: str) -> int | None:
        try:
            return self._content(sha256).stat().st_size
        except FileNotFoundError:
            return None

    async def read(self, sha256: str, start: int, length: int) -> bytes:
        return await asyncio.to_thread(self.read_blocking, sha256, start, length)

    def read_blocking(self, sha256: str, start: int, length: int) -> bytes:
        with self._content(sha256).open("rb", buffering=0) as stream:
            data = os.pread(stream.fileno(), length, start)
        if len(data) != length:
            raise ValueError(f"the file ends at byte {start + len(data)}, {start + length} were expected")
        return data

    def chunks(self, sha256: str) -> Iterator[bytes]:
        with self._content(sha256).open("rb") as stream:
            while chunk := stream.read(CHUNK):
                yield chunk

    def records(self) -> Iterator[StoredFile]:
        for path in sorted(self._paths.files(self.kind.folder).glob(f"*/{self.kind.record}")):
            with contextlib.suppress(OSError, ValueError):
                found = StoredFile.from_json(path.read_bytes())
                if found.sha256 == path.parent.name and SHA256.fullmatch(found.sha256):
                    yield found

    def _content(self, sha256: str) -> Path:
        return self._folder(sha256) / CONTENT

    def _folder(self, sha256: str) -> Path:
        return self._paths.files(self.kind.folder) / sha256

"""What is known of a stored file, and how its record is stored beside it (ST90, OV22)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from wavescope.errors import CorruptOverlay, OriginalDamaged, WavescopeError

CONTENT = "content"
MAX_RECORD = 1 << 16
"""Bytes of a record that are read."""
SHA256 = re.compile(r"[0-9a-f]{64}")
CHUNK = 4 << 20
"""Bytes of a stored file that are in memory at once."""


@dataclass(frozen=True)
class Kind:
    """What a file is stored as. ``title``: what it is called; ``folder``: of all these files; ``record``: the name of
    the file with what is known of one; ``damaged``: the error of a damaged one, of its SHA-256 and what is wrong.
    """

    name: str
    title: str
    folder: str
    record: str
    damaged: Callable[[str, str], WavescopeError]


def _overlay_damaged(sha256: str, reason: str) -> CorruptOverlay:
    return CorruptOverlay(f"the overlay with SHA-256 {sha256[:12]}... is damaged: {reason}")


ORIGINALS = Kind("original", "original file", "originals", "original.json", OriginalDamaged)
OVERLAYS = Kind("overlay", "overlay", "overlays", "overlay.json", _overlay_damaged)
KINDS = (ORIGINALS, OVERLAYS)


@dataclass(frozen=True)
class StoredFile:
    """``sha256``: 64 hexadecimal digits; ``size``: bytes; ``files``: 1, or how many are in it, a ZIP;
    ``fingerprint``: of the source of the slide that it belongs to.
    """

    sha256: str
    name: str
    size: int
    files: int
    fingerprint: str

    def to_json(self) -> bytes:
        """The record."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True).encode()

    @classmethod
    def from_json(cls, data: bytes) -> StoredFile:
        """Raises ValueError."""
        found = json.loads(data)
        kinds = {"sha256": str, "name": str, "size": int, "files": int, "fingerprint": str}
        if not isinstance(found, dict) or {name: type(value) for name, value in found.items()} != kinds:
            raise ValueError("it is no record of a stored file")
        return cls(**found)


NO_ORIGINAL = StoredFile("", "", 0, 0, "")
"""For an import after which the slide has none."""


@dataclass(frozen=True)
class NewVersion:
    """A version to be published. ``original``: the file of the slide from now on; None: the one that it has, if the
    version was made of the same source; NO_ORIGINAL: none.
    """

    digest: str
    manifest: Mapping[str, Any]
    original: StoredFile | None = None


@dataclass(frozen=True)
class Staged:
    """A file before it is stored. ``folder``: has it as ``content``; None: it is read where it lies."""

    file: StoredFile
    path: Path
    folder: Path | None


Note = Callable[[StoredFile], None]
"""Called before anything is stored: what is stored and not published later is collected."""
Settle = Callable[[], None]
"""Called last, before the catalog gets the slide. Raises StoreBusy, StoreFull, OSError."""


class StoredFiles(Protocol):
    """Files of one kind in one place, a folder or an object store, by their SHA-256."""

    @property
    def kind(self) -> Kind: ...

    @property
    def moves(self) -> bool:
        """Whether a staged file is moved here, so that it has to lie on the same disk."""
        ...

    def storing(self, staged: Staged, note: Note) -> AbstractContextManager[Settle]:
        """Stores a file; inside, the catalog gets it. Raises StoreBusy, StoreFull, Unavailable, the kind's error."""
        ...

    def removing(self, sha256: str) -> AbstractContextManager[None]:
        """Nobody stores this file meanwhile. Raises StoreBusy."""
        ...

    def remove(self, sha256: str) -> None:
        """Inside ``removing``; what does not exist is no error."""
        ...

    def size(self, sha256: str) -> int | None:
        """Bytes of a file, None if there is none."""
        ...

    async def read(self, sha256: str, start: int, length: int) -> bytes:
        """Raises FileNotFoundError, ValueError (it is shorter), Unavailable, OSError."""
        ...

    def read_blocking(self, sha256: str, start: int, length: int) -> bytes:
        """``read`` for a thread."""
        ...

    def chunks(self, sha256: str) -> Iterator[bytes]:
        """Raises FileNotFoundError, Unavailable, OSError."""
        ...

    def records(self) -> Iterator[StoredFile]:
        """Every complete file. Records that cannot be read are left out."""
        ...

"""Errors of slide files, codestreams, the store and the catalog's database."""

from __future__ import annotations

from pathlib import Path

from wavescope.errors.base import Unavailable, WavescopeError
from wavescope.geometry import Address

LARGEST_FILE = 1 << 43
"""No slide file has so many bytes: what names more is damaged, not cut off."""


def _size(count: int) -> str:
    """As a reader says it: ``62 bytes``, ``58 kB``, ``1.9 MB``, ``2,147 MB``."""
    if count < 1000:
        return f"{count} bytes"
    value, unit = (count / 1e3, "kB") if count < 999_500 else (count / 1e6, "MB")
    return f"{value:,.{1 if value < 9.95 else 0}f} {unit}"


class SourceError(WavescopeError):
    """A slide file that cannot become a slide."""

    def __init__(self, path: Path | str, reason: str) -> None:
        super().__init__(f"{Path(str(path)).name}: {reason}")
        self.path, self.reason = str(path), reason


class UnsupportedSource(SourceError):
    """A file of an unsupported kind."""


class UnreadableSource(SourceError):
    """A file of a known kind that is damaged, truncated or implausible."""

    @classmethod
    def cut_off(cls, path: Path | str, there: int, needed: int) -> UnreadableSource:
        """A file that ends after ``there`` bytes, although what it names ends at ``needed`` or later."""
        if needed > LARGEST_FILE:
            return cls(path, "the file is damaged: it names parts that lie far beyond its end")
        return cls(path, f"the file is cut off: {_size(there)} of at least {_size(needed)}; copy or export it again")


class CodecError(WavescopeError):
    """Bytes that are not a valid layer. ``code`` is the kernel's name for the cause, for example ``checksum``."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}{': ' + detail if detail else ''}")
        self.code = code


class CorruptBlock(WavescopeError):
    """A block that the layer index lists and the store cannot return intact."""

    def __init__(self, address: Address, reason: str) -> None:
        super().__init__(f"block {tuple(address)} is corrupt: {reason}")
        self.address, self.reason = address, reason


class CorruptStore(WavescopeError):
    """A damaged manifest, layer index, approximation or shard index of a slide version."""

    def __init__(self, digest: str, part: str, reason: str) -> None:
        super().__init__(f"slide version {digest}: {part} is corrupt: {reason}")
        self.digest, self.part, self.reason = digest, part, reason


class CorruptOverlay(WavescopeError):
    """A file or tile of an overlay that is damaged (OV21)."""


class OriginalDamaged(WavescopeError):
    """A stored original file that is missing or is not the one that was stored (ST94)."""

    def __init__(self, sha256: str, reason: str) -> None:
        super().__init__(f"the original file with SHA-256 {sha256[:12]}... is damaged: {reason}")
        self.sha256, self.reason = sha256, reason


class UnsupportedVersion(CorruptStore):
    """A slide version that this version of the software cannot read, and what of it (ST79). It may be undamaged."""

    def __init__(self, digest: str, reason: str) -> None:
        WavescopeError.__init__(self, f"slide version {digest} cannot be read: {reason}")
        self.digest, self.part, self.reason = digest, "the manifest", reason


class CatalogDamaged(WavescopeError):
    """The catalog's database exists and cannot be read."""

    def __init__(self, place: Path | str, reason: str) -> None:
        super().__init__(
            f"the catalog {place} is damaged ({reason}): restore it with wavescope restore-backup FILE --replace, "
            "or, without a backup, rebuild it from the stored slides with wavescope rebuild-catalog --replace"
        )
        self.place, self.reason = str(place), reason


class CatalogAway(Unavailable):
    """The catalog's database does not answer now: it is stopped, restarted, out of reach or too busy. ``cause``: what
    its driver says, for the log of the service only, because it names hosts.
    """

    def __init__(self, cause: str, reason: str = "its database does not answer") -> None:
        super().__init__("the catalog", reason)
        self.cause = cause


class CatalogMissing(WavescopeError):
    """The store contains slides, and there is no catalog."""

    def __init__(self, place: Path | str, slides: int) -> None:
        super().__init__(
            f"the store contains {slides} slide version(s), but its catalog {place} is missing: restore it with "
            "wavescope restore-backup FILE, rebuild it from the stored slides with wavescope rebuild-catalog, "
            "or start with an empty one with wavescope serve --new-catalog (or WAVESCOPE_NEW_CATALOG=1)"
        )
        self.place, self.slides = str(place), slides


class StoreFull(WavescopeError):
    """The disk of the store is full."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(f"no space left on the disk of {path}")
        self.path = str(path)


class NotEnoughSpace(StoreFull):
    """A file that would not leave enough space on the disk of the store. ``needed`` and ``available`` in bytes."""

    def __init__(self, needed: int, available: int) -> None:
        size = f"this file has {needed / 1e9:.2f} GB, and " if needed else ""
        WavescopeError.__init__(
            self,
            f"there is not enough space for this upload: {size}{available / 1e9:.2f} GB are available; delete slides "
            "and empty the trash, or ask an administrator for more space",
        )
        self.needed, self.available = needed, available


class MemoryLimit(WavescopeError):
    """A process needed more memory than it may use. ``limit`` in bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"this file needs more memory than the limit of {limit / (1 << 30):.2f} GiB; fewer workers need less, "
            "WAVESCOPE_INGEST_MEMORY sets the limit"
        )
        self.limit = limit


class StoreBusy(WavescopeError):
    """Another process is working on the same object."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is in use by another process")
        self.what = what


class IngestCancelled(WavescopeError):
    """The user stopped this ingest; finished parts stay, and a later ingest resumes."""

    def __init__(self) -> None:
        super().__init__("the ingest was cancelled")

"""What is sent to workers and back: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from wavescope.errors import (
    NotEnoughSpace,
    SourceError,
    StoreFull,
    Unavailable,
    UnreadableSource,
    UnsupportedSource,
    WavescopeError,
)
from wavescope.ingest.plan import Plan, Unit
from wavescope.ingest.strip import Encoded
from wavescope.kernel.codec import Codec
from wavescope.source.base import Limits

FULL = (StoreFull.__name__, NotEnoughSpace.__name__)


class SharedSource(NamedTuple):
    """A source as a worker finds it: ``path``, which it sees too; or the upload ``job`` in the object store at
    ``location``, of which ``path`` names the file. ``seconds``: for which a request there is repeated; ``reserve``:
    bytes that the worker leaves free on its disk.
    """

    path: str
    job: str = ""
    location: str = ""
    seconds: float = 0.0
    reserve: int = 0


@dataclass(frozen=True)
class Superblock:
    """One superblock. ``kernel``: SHA-256 of the kernel whose bytes are expected."""

    source: SharedSource
    fingerprint: str
    limits: Limits
    plan: Plan
    codecs: tuple[Codec, ...]
    root: Unit
    kernel: str


@dataclass(frozen=True)
class Slide:
    """A whole slide, to be published at ``source.location``."""

    source: SharedSource
    quality: str
    channel_quality: str
    deidentify: bool
    limits: Limits
    kernel: str


@dataclass(frozen=True)
class MadeSlide:
    """A version in the object store, with its identifying data, which no catalog knows yet."""

    digest: str
    fingerprint: str
    manifest: Mapping[str, Any]
    tiles: int
    notices: tuple[str, ...]


class Rejected(NamedTuple):
    """Why a worker did not do it: the name of an error and its message, without paths of the worker's disk."""

    cause: str
    detail: str
    worker: str

    @classmethod
    def of(cls, error: WavescopeError, worker: str) -> Rejected:
        """Errors do not travel: only their words do."""
        detail = error.reason if isinstance(error, SourceError | Unavailable) else str(error)
        return cls(type(error).__name__, detail, worker)

    @property
    def full(self) -> bool:
        """Whether the worker's disk is full: another one may do it."""
        return self.cause in FULL

    def error(self, path: str, limits: Limits) -> WavescopeError:
        """The error that this machine would have raised for the file."""
        kinds: dict[str, type[SourceError]] = {one.__name__: one for one in (UnsupportedSource, UnreadableSource)}
        if self.cause in kinds:
            return kinds[self.cause](Path(path), self.detail)
        if self.full:
            return StoreFull("the workers of the ingest cluster")
        if self.cause == Unavailable.__name__:
            return Unavailable("a worker of the ingest cluster", self.detail)
        return UnreadableSource(path, f"{self.cause}: {self.detail}")


UnitMade = tuple[Unit, list[Encoded]]

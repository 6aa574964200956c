"""What goes into the table of annotations and what comes out: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from wavescope.annotations.content import Color
from wavescope.annotations.geometry import Box


class AnnotationRecord(NamedTuple):
    """A stored annotation; ``content`` is canonical JSON, empty for a deleted one. Times in seconds since 1970."""

    id: str
    revision: int
    sequence: int
    deleted: bool
    content: str
    author: str
    editor: str  # of the last change
    created: float
    updated: float
    locked: str = ""  # who locked it; empty: it is not locked
    imported: str = ""  # the name of the document that added it; empty: none did


class Change(NamedTuple):
    """A change of one object: its new content, or None to delete it. ``base``: the revision it was made on."""

    id: str
    base: int
    content: str | None
    box: Box | None = None
    z: int = 0


class Outcome(NamedTuple):
    """What became of a change, and the object as it is now (None: there is none)."""

    status: Literal["saved", "conflict", "locked"]
    record: AnnotationRecord | None


@dataclass(frozen=True)
class Query:
    """Objects changed after ``since``, ended ones too (None: all that live); touching ``box``; on plane ``z``."""

    since: int | None = None
    limit: int = 1000
    box: Box | None = None
    z: int | None = None


@dataclass(frozen=True)
class AnnotationPage:
    """Objects in the order of their changes. The next request uses ``since=sequence``; at once if there is ``more``."""

    records: tuple[AnnotationRecord, ...]
    sequence: int
    more: bool
    objects: int  # that live on the slide
    classes: Mapping[str, Color]
    comments: int = 0  # the sequence of the slide's comments

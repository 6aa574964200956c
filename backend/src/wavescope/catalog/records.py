"""What the catalog answers with: plain values, no rows of a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

JobState = Literal["queued", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True)
class SlideRecord:
    """A slide as the catalog knows it. ``manifest`` is the stored manifest of the current version."""

    id: str
    title: str
    digest: str
    manifest: Mapping[str, Any]
    created: float
    updated: float


@dataclass(frozen=True)
class SlidePage:
    """One page of a listing; ``page`` counts from 1."""

    slides: tuple[SlideRecord, ...]
    total: int
    page: int
    page_size: int

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // self.page_size))


@dataclass(frozen=True)
class JobRecord:
    """An ingest job. ``options`` are what the ingest was asked for; ``error`` is {type, title, detail}."""

    id: str
    state: JobState
    filename: str
    options: Mapping[str, Any]
    slide_id: str | None
    done: int
    total: int
    error: Mapping[str, str] | None
    created: float
    updated: float

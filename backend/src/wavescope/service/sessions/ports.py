"""What a room needs of the service ports it: a clock, a thread for SQL, answers about slides and annotations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, Protocol, TypeVar

from wavescope.access.principal import Principal
from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.catalog.sessions.sessions import SessionTable

P = ParamSpec("P")
Result = TypeVar("Result")
SessionAct = Literal["session recorded", "session ended", "shared"]


class Recorded(Protocol):
    """Adds an entry to the audit log."""

    def __call__(
        self, principal: Principal, action: SessionAct, slide_id: str | None = None, **detail: str | int | bool | None
    ) -> object: ...


class Answers(Protocol):
    """What the rest of the service tells a room."""

    async def presentable(self, principal: Principal, slides: Sequence[str]) -> Mapping[str, str]:
        """The titles of those slides that the principal may show to others."""
        ...

    async def tour_seen(self, principal: Principal, tour_id: str) -> bool:
        """Whether the principal may view the tour."""
        ...

    async def annotations(self, slide_id: str, since: int | None) -> tuple[Sequence[Mapping[str, Any]], int]:
        """The slide's annotations changed after ``since`` (None: all that live), and its newest change."""
        ...


@dataclass(frozen=True)
class SessionPorts:
    """``clock``: milliseconds since 1970."""

    sessions: SessionTable
    recordings: RecordingTable
    answers: Answers
    clock: Callable[[], int]
    audit: Recorded
    writer: ThreadPoolExecutor

    async def elsewhere(self, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """SQL waits in a thread of its own, not on the event loop, nor behind others' work."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.writer, lambda: work(*args, **kwargs))

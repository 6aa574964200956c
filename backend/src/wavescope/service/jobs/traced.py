"""A runner whose jobs have spans (OP65)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wavescope.service.jobs.runs import IngestResult, JobFailed, Report, Runner

if TYPE_CHECKING:
    from wavescope.logs.spans import Spans

PARTS = 4  # spans of tiles of one job


class TracedRunner:
    """Runs ``inner``. A job is a span in the trace of the request that queued it; each quarter of its tiles is one."""

    def __init__(self, inner: Runner, spans: Spans) -> None:
        self._inner, self._spans = inner, spans

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        """See Runner."""
        with self._spans.work("job", job=path.parent.name) as span:
            tiles = _Tiles(self._spans)

            def watched(done: int, total: int) -> None:
                tiles.reach(done, total)
                report(done, total)

            try:
                return await self._inner.run(path, options, watched)
            except JobFailed as failure:
                span.set_attribute("cause", failure.cause)
                raise
            finally:
                span.set_attribute("tiles", tiles.done)

    async def discard(self, path: Path) -> None:
        """See Runner."""
        await self._inner.discard(path)


class _Tiles:
    """Makes a span whenever another quarter of the tiles is done."""

    def __init__(self, spans: Spans) -> None:
        self._spans, self._since, self._first, self.done = spans, time.time_ns(), 0, 0

    def reach(self, done: int, total: int) -> None:
        self.done = done
        if done <= self._first or done * PARTS // max(1, total) == self._first * PARTS // max(1, total):
            return
        self._spans.past("tiles", self._since, first=self._first, last=done - 1)
        self._since, self._first = time.time_ns(), done

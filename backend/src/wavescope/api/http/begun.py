"""Beginning work at once: what does not have to wait is done without a task."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


class Waiting(Generic[Result]):
    """Work that has begun and waits for ``first``. It is awaited, once, or cancelled."""

    def __init__(self, work: Coroutine[Any, Any, Result], first: Any) -> None:
        self._work, self._first = work, first

    def __await__(self) -> Generator[Any, Any, Result]:
        waits_for, work = self._first, self._work
        while True:
            try:
                try:
                    came = yield waits_for
                except GeneratorExit:
                    work.close()
                    raise
                except BaseException as error:
                    waits_for = work.throw(error)
                else:
                    waits_for = work.send(came)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    def cancel(self) -> asyncio.Task[None]:
        """Cancels it, as a task would; the task ends when it has ended."""
        if isinstance(self._first, asyncio.Future):
            self._first.cancel()
        return asyncio.ensure_future(self._end())

    async def _end(self) -> None:
        try:
            self._first = self._work.throw(asyncio.CancelledError())
            await self
        except (StopIteration, asyncio.CancelledError):
            pass


def begin(work: Coroutine[Any, Any, Result]) -> Result | Waiting[Result]:
    """The result of ``work`` if it does not wait for anything. Raises what it raises until then."""
    try:
        return Waiting(work, work.send(None))
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]

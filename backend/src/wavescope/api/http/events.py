"""Following something by server-sent events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

from fastapi.responses import StreamingResponse
from pydantic import BaseModel

View = TypeVar("View")

EVENT_STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}
}
"""What a route that answers with events says of itself."""


def event_stream(name: str, views: AsyncIterator[View], body: Callable[[View], BaseModel]) -> StreamingResponse:
    """An event ``name`` with the body of each view as JSON, at once; proxies may neither store nor buffer it."""
    return StreamingResponse(
        _written(name, views, body),
        media_type="text/event-stream",
        headers={"cache-control": "no-cache", "x-accel-buffering": "no"},
    )


async def _written(name: str, views: AsyncIterator[View], body: Callable[[View], BaseModel]) -> AsyncIterator[str]:
    async for view in views:
        yield f"event: {name}\ndata: {body(view).model_dump_json()}\n\n"

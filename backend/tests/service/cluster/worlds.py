"""Nodes of a cluster on a real PostgreSQL and a real object store."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from object_stores import BUCKET
from service.test_jobs import FakeRunner
from service.world import running_service
from wavescope.config import Limits
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.composition import Services
from wavescope.service.jobs.uploads import UploadOptions
from wavescope.service.jobs.views import JobView

NUMBERS = count()
VISUAL = UploadOptions(quality="visual")
SECONDS = 240.0  # a wait that takes longer has failed


class Cluster:
    """Nodes in this process, each with a folder of its own; ``url``: of their database."""

    def __init__(self, root: Path, url: str) -> None:
        self.root, self.url = root, url
        self.place = f"s3://{BUCKET}/{os.getpid()}-{next(NUMBERS)}"
        self._stack: dict[str, AsyncExitStack] = {}

    async def start(self, name: str, runner: FakeRunner | None = None, **options: Any) -> Services:
        stack = self._stack[name] = AsyncExitStack()
        options.setdefault("limits", Limits(database_request_seconds=5))
        given: dict[str, Any] = {} if runner is None else {"runner": runner}
        service = running_service(
            self.root / name, catalog=self.url, slide_store=self.place, node_name=name, **given, **options
        )
        return await stack.enter_async_context(service)

    async def stop(self, name: str) -> None:
        await self._stack.pop(name).aclose()

    async def close(self) -> None:
        for name in list(self._stack):
            await self.stop(name)


async def chunks_of(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def upload(
    node: Services, content: bytes = b"slide", name: str = "a.svs", options: UploadOptions = VISUAL, **hold: Any
) -> str:
    """A job of this node's; its id."""
    made = await node.jobs.upload(LOCAL_USER, name, options, chunks_of(content), **hold)
    assert isinstance(made, JobView)
    return made.record.id


async def view_of(node: Services, job_id: str) -> JobView:
    """The job as this node shows it to a client now."""
    return await node.jobs.get(LOCAL_USER, job_id)


async def ended(node: Services, job_id: str) -> JobView:
    """The last event of a job on this node."""
    async with asyncio.timeout(SECONDS):
        return [view async for view in node.jobs.events(LOCAL_USER, job_id)][-1]


async def until(condition: Callable[[], bool]) -> None:
    """Returns when it holds; looks often, as no event says so."""
    async with asyncio.timeout(SECONDS):
        while not condition():
            await asyncio.sleep(0.02)


async def until_jobs(node: Services, condition: Callable[[tuple[JobView, ...]], bool]) -> None:
    """Returns when it holds of the jobs."""
    async with asyncio.timeout(SECONDS):
        while not condition(await node.jobs.list(LOCAL_USER)):
            await asyncio.sleep(0.02)


async def answered(client: httpx.AsyncClient, path: str, wanted: Callable[[Any], bool]) -> Any:
    """The JSON of a route as soon as it is as wanted."""
    async with asyncio.timeout(SECONDS):
        while not wanted(body := (await client.get(path)).json()):
            await asyncio.sleep(0.1)
    return body

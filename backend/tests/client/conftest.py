"""A service in a thread of its own, so that ordinary code can call it; and the same slides in its store."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from edge.edges import served
from service.world import World, make_world, running_service
from wavescope.api.app import build_app

Wrap = Callable[[Any], Any]

STOP_SECONDS = 60.0


@contextmanager
def service_of(store: Path, wrap: Wrap = lambda app: app, **options: Any) -> Iterator[str]:
    """The address of a service of a store. ``wrap``: an ASGI middleware."""
    found: list[str] = []
    started, ended = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def work() -> None:
        async with running_service(store, **options) as services:
            app = build_app(services)
            wrapped = wrap(app)
            wrapped.state = app.state
            async with served(wrapped) as url:
                found.append(url)
                started.set()
                await ended.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(work()), daemon=True)
    thread.start()
    try:
        while not started.wait(0.1):
            assert thread.is_alive()
        yield found[0]
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(STOP_SECONDS)
        if thread.is_alive():
            pytest.fail(f"the service does not stop:\n{tasks_of(loop)}")
        loop.close()


def tasks_of(loop: asyncio.AbstractEventLoop) -> str:
    """Where the tasks of a loop wait."""
    stacks = io.StringIO()
    for task in asyncio.all_tasks(loop):
        task.print_stack(file=stacks)
    return stacks.getvalue()


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Its store may get annotations and slides; the slides of the world do not change."""
    return make_world(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="session")
def service(world: World) -> Iterator[str]:
    """The address of a service of the world."""
    with service_of(world.store) as url:
        yield url


@pytest.fixture
def slide_url(service: str) -> str:
    """The lossless slide."""
    return f"{service}/api/v1/slides/lossless"

"""A service that has nothing but the blocks of a store, at a real address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from wavescope.access.principal import LOCAL_USER, Principal
from wavescope.api.app import exception_handlers
from wavescope.api.metrics.registry import Metrics
from wavescope.api.routes.slides import blocks, colour
from wavescope.api.state import ApiState
from wavescope.blocks.base import BlockSource
from wavescope.blocks.local import LocalStore
from wavescope.blocks.remote.client import Permit, Permits
from wavescope.config import Config
from wavescope.errors import UnknownSlide
from wavescope.main import server_config
from wavescope.pixels.colour import ColourService
from wavescope.pixels.renderer import PixelRenderer
from wavescope.service.access.authenticator import Credentials
from wavescope.service.push.service import PushService
from wavescope.service.version_opener import Opened
from wavescope.service.version_services import VersionServices


class Everyone:
    """Everyone may see everything."""

    def __init__(self, blocks: BlockSource) -> None:
        self._blocks = blocks

    def of(self, credentials: Credentials) -> Principal:
        return LOCAL_USER

    async def open(self, credentials: Credentials, slide_id: str, digest: str) -> Opened:
        return Opened(LOCAL_USER, await self._blocks.version(digest), True, lambda: False)

    async def current(self, credentials: Credentials, slide_id: str) -> str:
        raise UnknownSlide(slide_id)  # it has versions only

    def is_public(self, slide_id: str) -> bool:
        return True


@dataclass
class Origin:
    """``app`` may be wrapped before the first request; ``blocks`` may be damaged."""

    url: str
    app: Any
    server: uvicorn.Server


@asynccontextmanager
async def origin(store: Path, source: BlockSource | None = None, wrap: Any = None) -> AsyncIterator[Origin]:
    """Serves a store, or ``source``, on loopback until the context ends. ``wrap``: an ASGI middleware."""
    found = source or LocalStore(store)
    config = Config(store=store)
    everyone = Everyone(found)
    services = VersionServices(
        config=config,
        blocks=found,
        authenticator=everyone,
        versions=everyone,
        push=PushService(everyone.open, found, config.limits),
        visibility=everyone,
        pixels=PixelRenderer(found, config.limits),
        colours=ColourService(found, config.limits.colour_cache),
    )
    metrics = Metrics()
    app = FastAPI(exception_handlers=exception_handlers(metrics), openapi_url=None)
    app.state.api = ApiState(services, metrics)
    app.router.routes.extend([*blocks.router.routes, *colour.router.routes])
    if wrap is not None:
        app.add_middleware(wrap)
    server = uvicorn.Server(server_config(app, "127.0.0.1", 0))
    running = asyncio.ensure_future(server.serve())
    async with asyncio.timeout(10):
        while not server.started:
            await asyncio.sleep(0.001)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Origin(f"http://127.0.0.1:{port}", app, server)
    finally:
        server.should_exit = True
        await running
        services.pixels.close()
        if source is None:
            await found.close()


class AnyPermit(Permits):
    """Everything is found under one name."""

    def of(self, digest: str) -> Permit:
        return Permit("s", {}, 0.0)

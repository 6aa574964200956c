"""Edges in front of real services on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn

from wavescope.config import Config
from wavescope.edge.app import build_edge
from wavescope.edge.composition import EdgeServices, compose_edge
from wavescope.main import server_config


@asynccontextmanager
async def served(app: Any, port: int = 0) -> AsyncIterator[str]:
    """The address of an application that runs already."""
    config = server_config(app, "127.0.0.1", port)
    config.lifespan = "off"
    server = uvicorn.Server(config)
    running = asyncio.ensure_future(server.serve())
    async with asyncio.timeout(10):
        while not server.started:
            assert not running.done(), running.result()
            await asyncio.sleep(0.001)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await running


@asynccontextmanager
async def edge(cache: Path, *origins: str, **options: Any) -> AsyncIterator[tuple[EdgeServices, Any]]:
    """The parts and the application of an edge of these origins."""
    given = {"edge_memory": 8 << 20, "edge_disk": 32 << 20, "edge_silence_seconds": 5.0, **options}
    services = compose_edge(Config(edge_origins=origins, edge_cache=cache, **given))
    try:
        yield services, build_edge(services)
    finally:
        await services.close()

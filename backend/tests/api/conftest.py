"""The world these tests look at."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from api.asking import running_client
from service.world import World, make_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Shared by all tests: look, but do not damage."""
    return make_world(tmp_path_factory.mktemp("world"))


@pytest.fixture
def damaged(world: World, tmp_path: Path) -> World:
    """A copy that may be damaged."""
    return world.copy(tmp_path / "store")


@pytest.fixture
async def client(world: World) -> AsyncIterator[httpx.AsyncClient]:
    """Asks the application of the shared world."""
    async with running_client(world.store) as opened:
        yield opened

"""The world these tests look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.world import World, make_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Shared by all tests: look, but do not damage."""
    return make_world(tmp_path_factory.mktemp("world"))


@pytest.fixture
def damaged(world: World, tmp_path: Path) -> World:
    """A copy that may be damaged."""
    return world.copy(tmp_path / "store")

"""The slides behind the caches."""

from __future__ import annotations

import pytest

from service.world import World, make_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Each test serves a copy of it."""
    return make_world(tmp_path_factory.mktemp("world"))

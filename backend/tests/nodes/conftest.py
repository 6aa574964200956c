"""One PostgreSQL for all tests of nodes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from catalog.databases import Server, postgresql_server
from service.world import World, make_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Shared by all tests: look, but do not damage."""
    return make_world(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with postgresql_server() as running:
        yield running

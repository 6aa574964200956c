"""One real PostgreSQL and one real S3 server for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from catalog.databases import postgresql
from object_stores import Server, served


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgresql() as url:
        yield url


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("s3")) as server:
        yield server

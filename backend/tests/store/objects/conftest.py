"""A published slide, and a real S3 server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.worlds import ingested, tissue, write_tiff
from object_stores import BUCKET, Server, served
from wavescope.store.objects.backend import ObjectBackend
from wavescope.store.objects.client import Objects

LOCATION = f"s3://{BUCKET}/hospital/a"


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("copied")
    return folder, ingested(write_tiff(folder / "s.tif", tissue(1300, 700), b"a profile"), folder).digest


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with served(tmp_path / "s3") as running:
        yield running


@pytest.fixture
def objects(server: Server) -> Objects:
    return Objects.at(LOCATION, 5.0)


@pytest.fixture
def place(objects: Objects) -> ObjectBackend:
    return ObjectBackend(objects)

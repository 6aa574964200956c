"""One slide that all tests look at; damage is done to copies."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ingest.worlds import ingested, tissue, write_tiff
from wavescope.store.reader import StoreReader


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store and the digest of its slide: 4200 x 1100, two shards on level 0, glass at the right and below."""
    folder = tmp_path_factory.mktemp("store")
    source = write_tiff(folder / "s.tif", tissue(4200, 1100))
    return folder, ingested(source, folder, steps="even").digest


@pytest.fixture(scope="session")
def reader(published: tuple[Path, str]) -> StoreReader:
    return StoreReader.open(*published)


@pytest.fixture
def copy(published: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """The same, to be damaged."""
    store, digest = published
    shutil.copytree(store / "slides", tmp_path / "slides")
    return tmp_path, digest

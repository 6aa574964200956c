"""Slides of a service, and QuPath with the extension."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tifffile
from PIL import Image

from client.conftest import service_of
from ingest.worlds import ingested, tissue
from qupath.java import HERE, QUPATH, Program, built, compiled, jars, running
from service.world import make_world


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Slides of colours, planes, grey and channels."""
    folder = tmp_path_factory.mktemp("qupath")
    found = make_world(folder).store
    ingested("specimen:2500x1703?seed=4", found, "odd", quality="lossless")
    Image.fromarray(tissue(601, 333, 1)[..., 0]).save(folder / "grey.png")
    ingested(folder / "grey.png", found, "grey", quality="lossless")
    chance = np.random.default_rng(1)
    names = {"axes": "CYX", "Channel": {"Name": ["DAPI", "CD3", "CD8", "Ki67", "PanCK"]}}
    for name, low, high, kind in (("cells", 0, 65535, np.uint16), ("signed", -3000, 3000, np.int16)):
        values = chance.integers(low, high, (5, 570, 701), dtype=kind, endpoint=True)
        tifffile.imwrite(folder / f"{name}.ome.tif", values, metadata=names, photometric="minisblack", tile=(256, 256))
        ingested(folder / f"{name}.ome.tif", found, name, quality="lossless")
    return found


@pytest.fixture(scope="session")
def service(store: Path) -> Iterator[str]:
    with service_of(store) as url:
        yield url


@pytest.fixture(scope="session")
def jar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of the extension."""
    return built(tmp_path_factory.mktemp("jar"))


@pytest.fixture(scope="session")
def classpath(tmp_path_factory: pytest.TempPathFactory, jar: Path) -> str:
    """QuPath with the extension, and the program that tries it."""
    return with_program("Trial", jar, tmp_path_factory.mktemp("trial"))


@pytest.fixture(scope="session")
def scripting(tmp_path_factory: pytest.TempPathFactory, jar: Path) -> str:
    """The same with a program that runs scripts; skips where the jars are those of qupath-core alone."""
    for name in ("qupath-core-processing-", "groovy-"):
        if not any(jars().glob(f"{name}*.jar")):
            pytest.skip(f"{QUPATH} has no {name}VERSION.jar")
    return with_program("Scripting", jar, tmp_path_factory.mktemp("scripting"))


def with_program(name: str, jar: Path, folder: Path) -> str:
    """The class path of QuPath, the extension and a program of this folder."""
    extended = os.pathsep.join([str(jars() / "*"), str(jar)])
    return os.pathsep.join([extended, str(compiled([HERE / f"{name}.java"], folder, extended))])


@pytest.fixture(scope="session")
def qupath(classpath: str) -> Iterator[Program]:
    with running(classpath, "Trial") as program:
        yield program

"""The smallest world of slides that the service's tests need: made by the real ingest, once per session."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavescope.catalog.catalog import Catalog
from wavescope.config import Config, Limits
from wavescope.ingest.pipeline import Options, ingest
from wavescope.service.composition import Services, compose
from wavescope.service.lifecycle import Lifecycle

WIDTH, HEIGHT = 1300, 1100  # levels 0, 1, 2 and L = 3; odd border tiles
TISSUE = 900  # right of it there is glass
SHARED = "TESTS_SHARED_WORLD"  # in the environment of a run of the tests: a folder for all its processes


@dataclass(frozen=True)
class World:
    """A store with two slides of one picture, and a third one with two planes."""

    store: Path
    picture: NDArray[np.uint8]
    digests: dict[str, str]

    def copy(self, target: Path) -> World:
        """The same, to be damaged. Hard links are not used: a damaged file must not be the original."""
        shutil.copytree(self.store, target)
        return World(target, self.picture, self.digests)

    def without_log(self) -> World:
        """Empties the audit log, in which what other tests did may stand."""
        connection = sqlite3.connect(self.store / "catalog.sqlite", isolation_level=None)
        connection.execute("DELETE FROM audit")
        connection.close()
        return self

    def shards(self, slide_id: str, level: int) -> list[Path]:
        """The shard files of a level."""
        return sorted((self.store / "slides" / self.digests[slide_id] / "levels" / str(level)).glob("c.*"))


def picture() -> NDArray[np.uint8]:
    """Noise on waves, then pure glass."""
    random = np.random.default_rng(7)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    waves = np.stack([128 + 90 * np.sin(x / 23 + k) * np.cos(y / (31 + 5 * k)) for k in range(3)], axis=2)
    pixels = np.clip(waves + random.integers(-20, 21, waves.shape), 0, 255).astype(np.uint8)
    pixels[:, TISSUE:] = 244
    return pixels


def make_world(folder: Path) -> World:
    """The slides ``lossless``, ``visual`` and ``planes``, ingested once in a run of the tests however many
    processes it has, and copied to ``folder``.
    """
    if (shared := os.environ.get(SHARED)) is None:
        return ingest_world(folder)
    template = Path(shared)
    with (template / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = template / "digests.json"
        if not known.exists():
            known.write_text(json.dumps(ingest_world(template).digests))
    shutil.copytree(template / "store", folder / "store")
    shutil.copy(template / "picture.png", folder)
    return World(folder / "store", picture(), json.loads(known.read_text()))


def ingest_world(folder: Path) -> World:
    """Ingests the slides."""
    store, pixels = folder / "store", picture()
    Image.fromarray(pixels).save(folder / "picture.png")
    catalog = Catalog.open(store)
    digests = {}
    profiles: dict[str, tuple[str, Literal["visual", "lossless"]]] = {
        "lossless": (str(folder / "picture.png"), "lossless"),
        "visual": (str(folder / "picture.png"), "visual"),
        "planes": ("specimen:700x600x2", "visual"),
    }
    for slide_id, (source, profile) in profiles.items():
        options = Options(slide_id, f"The {slide_id} one", profile)
        digests[slide_id] = ingest(source, store, catalog, options).digest
    catalog.close()
    return World(store, pixels, digests)


@asynccontextmanager
async def running_service(store: Path, *, limits: Limits | None = None, **options: Any) -> AsyncIterator[Services]:
    """A started service; options of ``compose`` (gate, runner) and of Config may be given."""
    own = {name: options.pop(name) for name in ("gate", "runner") if name in options}
    options.setdefault("frontend", store / "nowhere")
    options.setdefault("rate_limits", False)
    config = Config(store=store, catalog_seconds=0.01, limits=limits or Limits(), **options)
    services = compose(config, **own)
    lifecycle = Lifecycle(services)
    await lifecycle.start()
    try:
        yield services
    finally:
        await lifecycle.stop()

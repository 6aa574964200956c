"""The layout of a store (rules ST1, ST2). Names and numbers only; nothing here touches the disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wavescope.geometry import Pyramid, ceil_div

SHARD = 16
"""Blocks per side of a shard."""
SHARD_BLOCKS = SHARD * SHARD
PAGE = 32
"""Blocks per side of a layer-index page."""
BANDS = 3
BLOCK_CODEC = "wavescope.block"
APPROXIMATION_CODEC = "wavescope.approximation"
PUBLISHED = "published"
"""The file of a work directory that names the digest, written just before the version is moved into place."""


@dataclass(frozen=True)
class StorePaths:
    """The directories of one store."""

    root: Path

    @property
    def slides(self) -> Path:
        return self.root / "slides"

    @property
    def ingest(self) -> Path:
        return self.root / "ingest"

    @property
    def lock(self) -> Path:
        """Held while a version is published or collected."""
        return self.root / "store.lock"

    @property
    def identities(self) -> Path:
        """Identifying data, apart from the slides (PR41)."""
        return self.root / "identity"

    def identity(self, digest: str) -> Path:
        return self.identities / digest

    def files(self, folder: str) -> Path:
        """Whole files of one kind, apart from the slides (ST90, OV22)."""
        return self.root / folder

    def version(self, digest: str) -> VersionPaths:
        return VersionPaths(self.slides / digest)


@dataclass(frozen=True)
class VersionPaths:
    """The files of one slide version, published or unfinished."""

    root: Path

    @property
    def manifest(self) -> Path:
        return self.root / "manifest.json"

    @property
    def layer_index(self) -> Path:
        return self.root / "layer-index"

    @property
    def group(self) -> Path:
        return self.root / "zarr.json"

    @property
    def icc(self) -> Path:
        return self.root / "icc"

    @property
    def levels(self) -> Path:
        return self.root / "levels"

    def level(self, level: int) -> Path:
        return self.levels / str(level)

    @property
    def approximation(self) -> Path:
        return self.root / "approximation"

    def shard(self, z: int, c: int, level: int, sx: int, sy: int) -> Path:
        return self.root / shard_name(z, c, level, sx, sy)

    def approximation_plane(self, z: int, c: int) -> Path:
        return self.approximation / f"c.{z}.{c}.0.0"


def shard_name(z: int, c: int, level: int, sx: int, sy: int) -> str:
    """The path of a shard in the folder of its version."""
    return f"levels/{level}/c.{z}.{c}.0.{sy}.{sx}"


def shard_grid(pyramid: Pyramid, level: int) -> tuple[int, int]:
    """Columns and rows of shards on a level."""
    columns, rows = pyramid.tiles(level)
    return ceil_div(columns, SHARD), ceil_div(rows, SHARD)


def page_grid(pyramid: Pyramid, level: int) -> tuple[int, int]:
    """Columns and rows of layer-index pages on a level."""
    columns, rows = pyramid.tiles(level)
    return ceil_div(columns, PAGE), ceil_div(rows, PAGE)


def page_size(pyramid: Pyramid, level: int, page: int) -> tuple[int, int]:
    """Columns and rows of blocks that a layer-index page covers."""
    page_columns, _ = page_grid(pyramid, level)
    columns, rows = pyramid.tiles(level)
    px, py = page % page_columns, page // page_columns
    return min(PAGE, columns - PAGE * px), min(PAGE, rows - PAGE * py)

"""The disk of a store: what is free, what slides use, and when it is too little (OP20 to OP23)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wavescope.errors import NotEnoughSpace

SpaceState = Literal["ok", "low", "full"]


@dataclass(frozen=True)
class Space:
    """Bytes of the disk. ``state``: full, if uploads are refused; low, if that is near."""

    free: int
    total: int
    state: SpaceState


class StoreSpace:
    """``reserve``: bytes that uploads leave free; ``low``: free bytes below which the state is low."""

    def __init__(self, store: Path, reserve: int, low: int) -> None:
        self._store, self.reserve, self.low = store, reserve, low
        self._sizes: dict[str, int] = {}
        self._originals: dict[str, int] = {}
        self._overlays: dict[str, int] = {}

    def now(self) -> Space:
        """The disk now. Raises OSError if it is not there."""
        usage = shutil.disk_usage(existing(self._store))
        state: SpaceState = "full" if usage.free <= self.reserve else "low" if usage.free < self.low else "ok"
        return Space(usage.free, usage.total, state)

    def is_there(self) -> bool:
        """Whether the folder of the store exists."""
        return self._store.is_dir()

    def check(self, needed: int) -> None:
        """Returns if a file of ``needed`` bytes leaves the reserve free. Raises NotEnoughSpace."""
        available = self.now().free - self.reserve
        if needed > available or available <= 0:
            raise NotEnoughSpace(needed, max(0, available))

    @property
    def stored(self) -> int:
        """Bytes of all slide versions, as ``measure`` has found them."""
        return sum(self._sizes.values())

    @property
    def originals(self) -> int:
        """Bytes of all original files, as ``measure`` has found them."""
        return sum(self._originals.values())

    @property
    def overlays(self) -> int:
        """Bytes of all overlays, as ``measure`` has found them."""
        return sum(self._overlays.values())

    def measure(self) -> int:
        """Measures the slide versions, original files and overlays that are new, and drops those that are gone; bytes
        of all. Waits for the disk.
        """
        self._sizes = _measured(self._store / "slides", self._sizes)
        self._originals = _measured(self._store / "originals", self._originals)
        self._overlays = _measured(self._store / "overlays", self._overlays)
        return self.stored + self.originals + self.overlays


def existing(path: Path) -> Path:
    """The path itself, or the nearest folder above it that exists."""
    found = path.absolute()
    while not found.exists():
        found = found.parent
    return found


def _measured(folder: Path, known: Mapping[str, int]) -> dict[str, int]:
    """Bytes of each folder in a folder; those that are known do not change."""
    names = [entry.name for entry in os.scandir(folder) if entry.is_dir()] if folder.is_dir() else []
    return {name: known.get(name) or sum(_sizes(folder / name)) for name in names}


def _sizes(folder: Path) -> Iterator[int]:
    for parent, _, files in os.walk(folder):
        for name in files:
            try:
                yield os.stat(os.path.join(parent, name)).st_size
            except FileNotFoundError:  # deleted meanwhile
                continue

"""What a receipt is compared with: a version of a slide, or a file (PF12, PF15)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from wavescope.channels.mixing import Mixture, rgb
from wavescope.channels.mixing import Shown as Mixed
from wavescope.client.slide import Slide
from wavescope.pixels.images import Pixels
from wavescope.proof.receipt import Shown, ShownChannel
from wavescope.source.file_levels import FileLevels
from wavescope.source.open import fingerprint


class Stored(Protocol):
    """Where the pixels come from."""

    @property
    def levels(self) -> Sequence[tuple[int, int]]:
        """Width and height, the finest first."""
        ...

    @property
    def planes(self) -> int: ...

    def is_of(self, shown: Shown) -> bool:
        """Whether it is what was shown."""
        ...

    def has(self, channels: Sequence[ShownChannel] | None) -> bool:
        """Whether it can be mixed so. None: it is a picture."""
        ...

    def read(self, shown: Shown, first: int, rows: int) -> Pixels:
        """RGB of so many rows of the rectangle (rows, width, 3)."""
        ...


class StoredSlide:
    """A version of a slide."""

    def __init__(self, slide: Slide) -> None:
        self._slide = slide
        self.levels, self.planes = slide.level_dimensions, slide.version.manifest.planes

    def is_of(self, shown: Shown) -> bool:
        return self._slide.version.digest == shown.slide.digest

    def has(self, channels: Sequence[ShownChannel] | None) -> bool:
        described = self._slide.version.manifest.descriptions
        if channels is None:
            return not described
        ranges = [one.stored for one in described]
        return all(
            one.c < len(ranges) and ranges[one.c].low <= one.low < one.high <= ranges[one.c].high for one in channels
        )

    def read(self, shown: Shown, first: int, rows: int) -> Pixels:
        view = shown.view
        box = view.x, view.y + first, view.width, rows
        if shown.channels is None:
            pixels = self._slide.read_array(view.level, *box, plane=view.plane)
            return np.broadcast_to(pixels, (rows, view.width, 3))
        mixture = Mixture(rows, view.width)
        for one in shown.channels:
            samples = self._slide.read_channel(one.c, view.level, box, plane=view.plane)
            mixture.add(samples, Mixed(one.c, rgb(one.colour), one.low, one.high, one.gamma))
        return mixture.picture()


class StoredFile:
    """A file, whose levels are those of the page. Raises SourceError kinds, MissingPackage."""

    def __init__(self, path: Path) -> None:
        self._path, self._file = path, FileLevels(path)
        pyramid = self._file.pyramid
        self.levels = [pyramid.level_size(level) for level in range(pyramid.top + 1)]
        self.planes = self._file.planes

    def close(self) -> None:
        self._file.close()

    def is_of(self, shown: Shown) -> bool:
        return shown.slide.file is not None and fingerprint(self._path) == shown.slide.file.sha256

    def has(self, channels: Sequence[ShownChannel] | None) -> bool:
        return channels is None

    def read(self, shown: Shown, first: int, rows: int) -> Pixels:
        view = shown.view
        return self._file.read(view.level, view.x, view.y + first, view.width, rows)

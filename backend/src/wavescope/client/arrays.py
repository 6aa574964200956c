"""A level as an array, a dask array, and a data set for torch. Dask is imported when it is needed, torch never."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from wavescope.client.patches import Position
from wavescope.errors import MissingPackage, OutOfRange
from wavescope.pixels.images import Pixels
from wavescope.store.version import SlideVersion


class ReadableSlide(Protocol):
    """What a slide of ``wavescope.client`` has, as far as arrays need it."""

    @property
    def version(self) -> SlideVersion: ...

    def read_array(self, level: int, x: int, y: int, w: int, h: int, *, plane: int | None = None) -> Pixels: ...

    def read_arrays(self, level: int, boxes: Sequence[tuple[int, int, int, int]]) -> list[Pixels]: ...


class LevelArray:
    """A level (height, width, channels) in the type of the slide; slicing reads pixels. Steps are 1."""

    ndim = 3

    def __init__(self, slide: ReadableSlide, level: int, plane: int | None = None) -> None:
        version = slide.version
        width, height = version.pyramid.level_size(version.level(level))
        if plane is not None:
            version.plane(plane)
        self.shape = (height, width, version.manifest.channels)
        self.dtype = version.manifest.dtype
        self._slide, self._level, self._plane = slide, level, plane

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        """Slices and numbers, as of a numpy array. Raises IndexError for others."""
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) > self.ndim:
            raise IndexError(f"{len(keys)} indices of an array of 3 dimensions")
        rows, columns = (*keys, slice(None), slice(None))[:2]
        y, height = _span(rows, self.shape[0])
        x, width = _span(columns, self.shape[1])
        if height and width:
            found = self._slide.read_array(self._level, x, y, width, height, plane=self._plane)
        else:
            found = np.empty((height, width, self.shape[2]), self.dtype)
        inner = tuple(0 if not isinstance(each, slice) else slice(None) for each in (rows, columns))
        return found[(*inner, *keys[2:])]

    def to_dask(self, chunk: int = 1024) -> Any:
        """As a dask array whose chunks have ``chunk`` pixels a side. Raises MissingPackage, OutOfRange."""
        if chunk < 1:
            raise OutOfRange("chunk", chunk, "at least 1")
        try:
            import dask.array as da
        except ImportError as cause:
            raise MissingPackage("dask", "a level as a dask array", "dask") from cause
        name = f"wavescope-{self._slide.version.digest}-{self._level}-{self._plane}-{chunk}"
        return da.from_array(  # type: ignore[no-untyped-call]
            self, chunks=(chunk, chunk, self.shape[2]), name=name, asarray=False, lock=False
        )


def _span(key: Any, size: int) -> tuple[int, int]:
    """Where a slice or a number begins, and how long it is."""
    if isinstance(key, slice):
        start, stop, step = key.indices(size)
        if step != 1:
            raise IndexError(f"a step of {step}; steps are 1")
        return start, max(0, stop - start)
    number = int(key)
    if not -size <= number < size:
        raise IndexError(f"{number} of {size}")
    return number % size, 1


class PatchDataset:
    """Patches as a map-style data set: ``len``, and by index {"image": (channels, size, size), "x", "y"}, the
    corner in level-0 pixels. ``transform`` replaces the image by what it returns. It can be pickled, also open.
    """

    def __init__(
        self,
        slide: ReadableSlide,
        level: int,
        size: int,
        positions: Sequence[Position],
        transform: Callable[[Pixels], Any] | None = None,
    ) -> None:
        self.slide, self.level, self.size = slide, level, size
        self.positions, self.transform = positions, transform

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.__getitems__([index])[0]

    def __getitems__(self, indices: Sequence[int]) -> list[dict[str, Any]]:
        """A whole batch, whose blocks are fetched together: what a DataLoader calls if it is there."""
        corners = [self.positions[index] for index in indices]
        boxes = [(x, y, self.size, self.size) for x, y in corners]
        pictures = self.slide.read_arrays(self.level, boxes)
        return [self._item(corner, pixels) for corner, pixels in zip(corners, pictures, strict=True)]

    def _item(self, corner: Position, pixels: Pixels) -> dict[str, Any]:
        image: Any = np.ascontiguousarray(pixels.transpose(2, 0, 1))
        if self.transform is not None:
            image = self.transform(image)
        return {"image": image, "x": corner.ln_x << self.level, "y": corner.ln_y << self.level}

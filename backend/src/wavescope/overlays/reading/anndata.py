"""AnnData (``.h5ad``) with coordinates of its observations in ``obsm/spatial`` (OV36)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter, MissingPackage, UnreadableSource, UnsupportedSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import Transform, add_points
from wavescope.overlays.reading.points import CLASS
from wavescope.overlays.reading.skipped import NO_CLASS, Skipped
from wavescope.overlays.shapes import MAX_CLASSES

ROWS = 100_000
COORDINATES = ("spatial", "X_spatial")
Progress = Callable[[int], None]


def read_anndata(
    path: Path, builder: Builder, score: str | None, transform: Transform | None, progress: Progress
) -> Skipped:
    """Adds a point for each observation. Raises UnreadableSource, UnsupportedSource, MissingPackage."""
    try:
        import h5py
    except ImportError as error:
        raise MissingPackage("h5py", "this AnnData file", "anndata") from error
    skipped, size = Skipped("observation"), path.stat().st_size
    try:
        with h5py.File(path, "r") as file:
            found = [file["obsm"][one] for one in COORDINATES if one in file.get("obsm", ())]
            if not found or not isinstance(found[0], h5py.Dataset) or len(found[0].shape) != 2 or found[0].shape[1] < 2:
                raise UnsupportedSource(path, "it has no coordinates in obsm/spatial")
            places, obs = found[0], file["obs"]
            count = places.shape[0]
            classes = _Classes(builder, obs)
            for begin in range(0, count, ROWS):
                end = min(count, begin + ROWS)
                points = np.asarray(places[begin:end, :2], np.float64)
                values = np.asarray(obs[score][begin:end], np.float64) if score else np.zeros(end - begin)
                kept = np.isfinite(points).all(axis=1) & np.isfinite(values)
                for one in np.flatnonzero(~kept).tolist():
                    skipped.add(begin + one + 1, "its numbers are not finite")
                add_points(builder, points[kept], classes.numbers(begin, end)[kept], values[kept], transform)
                progress(size * end // count)
    except (OSError, KeyError, IndexError, TypeError, ValueError, RuntimeError, InvalidParameter) as error:
        raise UnreadableSource(path, f"it is no AnnData file, or damaged: {error}") from error
    return skipped


class _Classes:
    """The first categorical column of the observations that has a known name."""

    def __init__(self, builder: Builder, obs: Any) -> None:
        names = {one.lower(): one for one in obs}
        found = next((obs[names[one]] for one in CLASS if one in names and "categories" in obs[names[one]]), None)
        self._codes: Any = None if found is None else found["codes"]
        self._numbers = np.zeros(1, np.uint8)
        if found is None:
            builder.class_number(NO_CLASS, "999999")
            return
        if found["categories"].shape[0] > MAX_CLASSES:
            raise ValueError(f"it has more than {MAX_CLASSES} classes")
        texts = found["categories"].asstr()[:]
        numbers = [builder.class_number(str(one)[:200] or NO_CLASS) for one in texts.tolist()]
        if np.asarray(found["codes"]).min(initial=0) < 0:
            numbers.append(builder.class_number(NO_CLASS, "999999"))  # the code -1: none
        self._numbers = np.array(numbers, np.uint8)

    def numbers(self, begin: int, end: int) -> NDArray[np.uint8]:
        if self._codes is None:
            return np.full(end - begin, self._numbers[0])
        numbers: NDArray[np.uint8] = self._numbers[np.asarray(self._codes[begin:end], np.int64)]
        return numbers

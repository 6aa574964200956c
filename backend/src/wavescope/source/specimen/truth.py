"""Where the tissue and the cells of a specimen are: as it painted them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from wavescope.geometry import ceil_div
from wavescope.source.specimen.cells import looks
from wavescope.source.specimen.hashing import Floats, uniform
from wavescope.source.specimen.painter import PATCH, Painter
from wavescope.source.specimen.spec import Spec
from wavescope.source.specimen.sprites import KINDS, sprites_of

CLASSES = tuple(kind.name for kind in KINDS)


class Outlines(NamedTuple):
    """n cells: corners (n, CORNERS, 2) float64 in pixels of level 0, the number of the class in CLASSES (n,) int64, and
    a seeded value of 0 to 1 for each (n,), such as a model's probability would be.
    """

    corners: Floats
    classes: np.ndarray
    scores: Floats


def tissue_shares(spec: Spec, side: int) -> Floats:
    """How much of each square of ``side`` pixels (rows, columns) is tissue; ``side`` divides PATCH."""
    painter, count = Painter(spec), PATCH // side
    columns, rows = ceil_div(spec.width, PATCH), ceil_div(spec.height, PATCH)
    shares = np.zeros((rows * count, columns * count))
    for row in range(rows):
        for column in range(columns):
            tissue = painter.tissue(column, row)
            if tissue is not None:
                found = tissue.reshape(count, side, count, side).mean(axis=(1, 3))
                shares[row * count : (row + 1) * count, column * count : (column + 1) * count] = found
    return shares[: ceil_div(spec.height, side), : ceil_div(spec.width, side)]


def outlines(spec: Spec) -> Iterator[Outlines]:
    """The cells of a stained section, patch by patch, of all focal planes; those whose middle lies in the slide."""
    painter = Painter(spec)
    for row in range(ceil_div(spec.height, PATCH)):
        for column in range(ceil_div(spec.width, PATCH)):
            found = [one for one in _of_patch(painter, spec, column, row) if len(one.corners)]
            if found:
                yield Outlines(*(np.concatenate(values) for values in zip(*found, strict=True)))


def _of_patch(painter: Painter, spec: Spec, column: int, row: int) -> Iterator[Outlines]:
    for kind, cells in painter.cells(column, row):
        inside = (cells.x < spec.width) & (cells.y < spec.height)
        angle, variant = (values[inside] for values in looks(cells))
        middles = np.floor(np.stack([cells.x[inside], cells.y[inside]], axis=1))
        corners = middles[:, None, :] + sprites_of(kind, spec.seed).outlines[angle, variant]
        scores = 1.0 - 0.5 * uniform(cells.hashes[inside], 10) ** 2
        yield Outlines(corners, np.full(len(corners), KINDS.index(kind)), scores)

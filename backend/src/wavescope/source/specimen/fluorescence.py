"""A synthetic fluorescence specimen: cells with known places and intensities, shot and read noise, 16 bits.

Every sample depends on the seed, its place, plane and channel alone, so that any region can be painted by itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.channels.channel import Channel, with_defaults
from wavescope.geometry import ceil_div
from wavescope.source.base import SourceInfo
from wavescope.source.channels import Channels, with_contrast
from wavescope.source.specimen.hashing import Floats, place_hash, uniform
from wavescope.source.specimen.noise import noise_grid, upsample
from wavescope.source.specimen.spec import Spec

SITE = 24
"""Pixels of a square that has at most one cell."""
REACH = 10
"""Pixels from the middle of a cell to where nothing of it is left, at most."""
DENSITY = 0.7
POSITIVE = 0.3
"""Of the cells, those that a marker stains; the first marker stains every one."""
OFFSET, BACKGROUND = 100.0, 150.0
DIMMEST, BRIGHTEST = 400.0, 9000.0
GAIN = 2.0
"""Counts for an electron: shot noise has the variance GAIN * signal."""
READ_NOISE = 6.0
"""Counts, its standard deviation."""
STEP = 64
"""Pixels between the nodes of the background."""
SAMPLES, SAMPLE_SIDE = 8, 512
NOISE, FIELD, CELL = 202, 303, 404  # salts
MARKERS = ("DAPI", "CD3", "CD8", "CD20", "CD68", "PanCK", "Ki67", "FOXP3")


class Cell(NamedTuple):
    """``x``, ``y``: its middle, whole pixels of level 0; ``intensities``: counts above the background by channel."""

    x: int
    y: int
    radius: float
    intensities: tuple[float, ...]


class _Cells(NamedTuple):
    x: NDArray[np.int64]
    y: NDArray[np.int64]
    radius: Floats
    hashes: NDArray[np.uint64]


class Fluorescence:
    """The counts of a specimen and the truth about its cells."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec

    def read(self, z: int, c: int, l0_x: int, l0_y: int, width: int, height: int) -> NDArray[np.uint16]:
        """The counts (height, width) of a region of one plane and channel."""
        signal = self.signal(z, c, l0_x, l0_y, width, height)
        columns, rows = np.arange(l0_x, l0_x + width)[None, :], np.arange(l0_y, l0_y + height)[:, None]
        noise = _normal(place_hash(columns, rows, self._salt(NOISE, z, c)))
        noise *= np.sqrt(GAIN * signal + READ_NOISE**2)
        noise += signal
        noise += OFFSET + 0.5
        counts: NDArray[np.uint16] = np.clip(noise, 0, 65535, out=noise).astype(np.uint16)
        return counts

    def signal(self, z: int, c: int, l0_x: int, l0_y: int, width: int, height: int) -> NDArray[np.float32]:
        """What the counts are without noise and offset."""
        sheet = self._background(c, l0_x, l0_y, width, height)
        cells = self._cells(l0_x - REACH, l0_y - REACH, width + 2 * REACH, height + 2 * REACH)
        blur = 1.0 + 0.25 * abs(z - self.spec.planes // 2)
        heights = self._intensities(cells, c) / blur
        stained = heights > 0
        x, y = cells.x[stained] - l0_x, cells.y[stained] - l0_y
        radius, heights = cells.radius[stained], heights[stained]
        padded = np.zeros((height + 4 * REACH, width + 4 * REACH), np.float32)
        for dy in range(-REACH, REACH + 1):  # cells have different sites: at one offset no pixel comes twice
            for dx in range(-REACH, REACH + 1):
                share = np.clip((radius - np.hypot(dx, dy)) / 2.0 + 0.5, 0.0, 1.0)
                near = share > 0
                place = (y[near] + dy + 2 * REACH, x[near] + dx + 2 * REACH)
                padded[place] = np.maximum(padded[place], heights[near] * share[near])
        sheet += padded[2 * REACH : 2 * REACH + height, 2 * REACH : 2 * REACH + width]
        return sheet

    def cells(self, l0_x: int, l0_y: int, width: int, height: int) -> list[Cell]:
        """The cells whose middle lies in a region, with their intensities in focus."""
        found = self._cells(l0_x, l0_y, width, height)
        intensities = np.stack([self._intensities(found, c) for c in range(self.spec.channels)], axis=1)
        rows = zip(found.x.tolist(), found.y.tolist(), found.radius.tolist(), intensities.tolist(), strict=True)
        return [Cell(x, y, radius, tuple(heights)) for x, y, radius, heights in rows]

    def _cells(self, l0_x: int, l0_y: int, width: int, height: int) -> _Cells:
        columns = np.arange(l0_x // SITE, (l0_x + width - 1) // SITE + 1)
        rows = np.arange(l0_y // SITE, (l0_y + height - 1) // SITE + 1)
        column, row = (one.ravel() for one in np.meshgrid(columns, rows))
        hashes = place_hash(column, row, self._salt(CELL, 0, 0))
        x = SITE * column + (SITE * uniform(hashes, 0)).astype(np.int64)
        y = SITE * row + (SITE * uniform(hashes, 1)).astype(np.int64)
        radius = 5.0 + 4.0 * uniform(hashes, 2)
        inside = (uniform(hashes, 3) < DENSITY) & (x >= l0_x) & (x < l0_x + width) & (y >= l0_y) & (y < l0_y + height)
        return _Cells(x[inside], y[inside], radius[inside], hashes[inside])

    def _intensities(self, cells: _Cells, c: int) -> Floats:
        """Of one channel; 0: the marker does not stain the cell."""
        heights = DIMMEST * (BRIGHTEST / DIMMEST) ** uniform(cells.hashes, 2 * c + 5)
        return np.where((uniform(cells.hashes, 2 * c + 4) < POSITIVE) | (c == 0), heights, 0.0)

    def _background(self, c: int, l0_x: int, l0_y: int, width: int, height: int) -> NDArray[np.float32]:
        left, top = l0_x // STEP, l0_y // STEP
        xs = STEP * np.arange(left, ceil_div(l0_x + width, STEP) + 1).astype(np.float64)
        ys = STEP * np.arange(top, ceil_div(l0_y + height, STEP) + 1).astype(np.float64)
        nodes = (BACKGROUND * noise_grid(xs, ys, 900.0, self._salt(FIELD, 0, c))).astype(np.float32)
        field = upsample(nodes, STEP)
        x, y = l0_x - STEP * left, l0_y - STEP * top
        return field[y : y + height, x : x + width].copy()

    def _salt(self, purpose: int, z: int, c: int) -> int:
        return ((self.spec.seed * 1009 + purpose) * 64 + c) * 64 + z


def _normal(hashes: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Mean 0 and deviation 1: the sum of the four 16-bit parts of each hash."""
    parts = hashes.view(np.uint16).reshape(*hashes.shape, 4)
    sums: NDArray[np.float32] = parts.sum(axis=-1, dtype=np.float32)
    sums -= np.float32(2 * 65535)
    sums *= np.float32(3**0.5 / 65536)
    return sums


def fluorescence_source(spec: Spec) -> Channels:
    """The specimen as a source of ``spec.channels`` channels."""
    painter = Fluorescence(spec)
    names = [MARKERS[c] if c < len(MARKERS) else f"Marker {c + 1}" for c in range(spec.channels)]
    described = [_described(painter, c, name) for c, name in enumerate(names)]
    descriptions = with_defaults(described)
    info = SourceInfo(
        width=spec.width,
        height=spec.height,
        channels=spec.channels,
        format="specimen",
        source_bytes=0,
        properties={},
        planes=spec.planes,
        plane_spacing_um=1.0 if spec.planes > 1 else None,
        mpp_x=0.5,
        mpp_y=0.5,
        objective_power=20.0,
        vendor="wavescope",
        descriptions=descriptions,
        bits=16,
    )
    return Channels(info, painter.read)


def _described(painter: Fluorescence, c: int, name: str) -> Channel:
    spec = painter.spec
    width, height = min(SAMPLE_SIDE, spec.width), min(SAMPLE_SIDE, spec.height)
    places = [
        ((spec.width - width) * i // SAMPLES, (spec.height - height) * (5 * i % SAMPLES) // SAMPLES)
        for i in range(SAMPLES)
    ]
    middle = spec.planes // 2
    emission = 450.0 + 350.0 * c / max(1, spec.channels - 1)
    described = Channel(
        name,
        "",
        bits=16,
        significant_bits=14,
        emission_nm=round(emission, 1),
        excitation_nm=round(emission - 40, 1),
        exposure_ms=100.0,
    )
    return with_contrast(described, (painter.read(middle, c, x, y, width, height) for x, y in dict.fromkeys(places)))

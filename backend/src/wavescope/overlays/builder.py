"""Builds an overlay of shapes that arrive in any order, with bounded memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pmtiles.tile import zxy_to_tileid

from wavescope.errors import TooLarge
from wavescope.overlays.archive import ArchiveWriter
from wavescope.overlays.manifest import OverlayClass, OverlayManifest, Score
from wavescope.overlays.pyramid import combined, counted, levels_of, tiles_of, top_level
from wavescope.overlays.shapes import MAX_CLASSES, Longs, Shapes, joined, middles
from wavescope.overlays.tile import COUNTS_FROM, SYMBOLS_LEVEL, Counts, Place, Tile, encoded, symbols_of

SPILL_CORNERS = 4_000_000
"""Corners that are held before they are written to the work folder: some 50 MB."""
Key = tuple[int, int, int]
PALETTE = ("377EB8", "E41A1C", "4DAF4A", "984EA3", "FF7F00", "A65628", "F781BF", "999999", "66C2A5", "FFD92F")
Floats = NDArray[np.float32]
Progress = Callable[[float], None]


class Builder:
    """Takes shapes and writes an overlay of a slide of ``width`` x ``height`` pixels. ``folder`` is an empty one for
    what waits; the caller removes it.

    Shapes wait in files, one for each tile of level 3 (or of the top, if it is lower), and for each level above.
    """

    def __init__(self, folder: Path, width: int, height: int, score: str | None = None) -> None:
        self._folder, self._width, self._height = folder, width, height
        self._score = score
        self.top = top_level(width, height)
        self._base = min(COUNTS_FROM, self.top)
        self._classes: dict[str, tuple[str, int]] = {}
        self._counts = np.zeros(MAX_CLASSES, np.int64)
        self._waiting: list[tuple[Shapes, Floats]] = []
        self._corners = 0
        self._keys: set[Key] = set()
        self._least, self._most = np.inf, -np.inf

    def class_number(self, name: str, color: str | None = None) -> int:
        """The number of a class, a new one for a new name. Raises TooLarge."""
        known = self._classes.get(name)
        if known is None:
            number = len(self._classes)
            if number >= MAX_CLASSES:
                raise TooLarge("classes of an overlay", MAX_CLASSES + 1, MAX_CLASSES)
            known = self._classes[name] = (color or PALETTE[number % len(PALETTE)], number)
        return known[1]

    def add(self, shapes: Shapes, scores: Floats | None = None) -> None:
        """``scores`` (n,) float32 in the source's unit, if the overlay has them; finite."""
        if len(shapes) == 0:
            return
        values = np.zeros(len(shapes), np.float32) if scores is None else scores.astype(np.float32)
        self._least, self._most = min(self._least, float(values.min())), max(self._most, float(values.max()))
        self._counts += np.bincount(shapes.classes, minlength=MAX_CLASSES)
        self._waiting.append((shapes, values))
        self._corners += len(shapes.corners)
        if self._corners >= SPILL_CORNERS:
            self._spill()

    def finish(self, path: Path, progress: Progress = lambda _: None) -> tuple[str, OverlayManifest]:
        """Writes the overlay to ``path``; its digest and its manifest."""
        self._spill()
        manifest = self._manifest()
        writer = ArchiveWriter(self._folder, self.top)
        try:
            counts = self._write_base(writer, manifest, progress)
            for level in range(self._base + 1, self.top + 1):
                counts = self._write_level(writer, manifest, level, counts)
            if manifest.shapes == 0:
                writer.add(self.top, 0, 0, encoded(Tile(joined([])), Place(self.top, 0, 0, manifest.score is not None)))
            return writer.finish(path, manifest), manifest
        finally:
            writer.close()

    def _manifest(self) -> OverlayManifest:
        score = None
        if self._score is not None:
            least, most = (self._least, self._most) if self._least <= self._most else (0.0, 1.0)
            if least >= 0 and most <= 1:
                least, most = 0.0, 1.0  # a probability
            score = Score(self._score, least, most if most > least else least + 1)
        classes = [OverlayClass(name, color, int(self._counts[n])) for name, (color, n) in self._classes.items()]
        total = int(self._counts.sum())
        return OverlayManifest(
            self._width, self._height, self.top, total, tuple(classes) or (OverlayClass("", PALETTE[0], 0),), score
        )

    def _spill(self) -> None:
        """Appends what is held to the files of its tiles."""
        if not self._waiting:
            return
        shapes = joined([one for one, _ in self._waiting])
        values = np.concatenate([values for _, values in self._waiting])
        self._waiting, self._corners = [], 0
        levels = np.maximum(levels_of(shapes, self.top), self._base)
        points = middles(shapes)
        for level in np.unique(levels).tolist():
            of_level = np.flatnonzero(levels == level)
            for (x, y), chosen in _groups(tiles_of(points[of_level], level, self._width, self._height)):
                self._keys.add((level, x, y))
                part, own = shapes.select(of_level[chosen]), values[of_level[chosen]]
                with self._file((level, x, y)).open("ab") as file:
                    for column in (part.corners, part.ring_ends, part.shape_ends, part.classes, own):
                        np.save(file, column)

    def _held(self, key: Key, score: Score | None) -> Shapes:
        """The shapes of a file, in the order in which they were added, with their scores as stored."""
        parts: list[Shapes] = []
        with self._file(key).open("rb") as file:
            while file.peek(1):
                corners, ring_ends, shape_ends, classes, values = (np.load(file) for _ in range(5))
                parts.append(Shapes(corners, ring_ends, shape_ends, classes, _stored(values, score)))
        return joined(parts)

    def _file(self, key: Key) -> Path:
        return self._folder / "shapes-{}-{}-{}".format(*key)

    def _write_base(
        self, writer: ArchiveWriter, manifest: OverlayManifest, progress: Progress
    ) -> dict[tuple[int, int], Counts]:
        """The tiles up to the base level, from one file each. A shape of a level above is counted there too."""
        large = self._large(manifest.score)
        zoom = self.top - self._base
        places = {(x, y) for level, x, y in self._keys if level == self._base} | set(large)
        counts: dict[tuple[int, int], Counts] = {}
        for done, (x, y) in enumerate(sorted(places, key=lambda at: zxy_to_tileid(zoom, *at))):
            key = (self._base, x, y)
            shapes = self._held(key, manifest.score) if key in self._keys else joined([])
            counts[x, y] = self._write_tiles(writer, manifest, shapes, large.get((x, y)), x, y)
            progress((done + 1) / len(places))
        return counts

    def _write_tiles(
        self, writer: ArchiveWriter, manifest: OverlayManifest, shapes: Shapes, large: Shapes | None, x: int, y: int
    ) -> Counts:
        scored = manifest.score is not None
        points, levels = middles(shapes), levels_of(shapes, self.top)
        base = Place(self._base, x, y, scored)
        counts = counted(joined([shapes, large]) if large else shapes, base, self._width, self._height)
        for level in range(self._base + 1):
            zoom = self.top - level
            of_level = np.flatnonzero(levels == level)
            outlined = dict(_groups(tiles_of(points[of_level], level, self._width, self._height)))
            small = np.flatnonzero(levels < SYMBOLS_LEVEL) if level == SYMBOLS_LEVEL else np.zeros(0, np.int64)
            marked = dict(_groups(tiles_of(points[small], level, self._width, self._height)))
            keys = set(outlined) | set(marked) | ({(x, y)} if level == self._base and level >= COUNTS_FROM else set())
            for at in sorted(keys, key=lambda one: zxy_to_tileid(zoom, *one)):
                tile = Tile(
                    shapes.select(of_level[outlined[at]] if at in outlined else np.zeros(0, np.int64)),
                    symbols_of(shapes.select(small[marked[at]])) if at in marked else None,
                    counts,
                )
                writer.add(level, *at, encoded(tile, Place(level, *at, scored)))
        return counts

    def _large(self, score: Score | None) -> dict[tuple[int, int], Shapes]:
        """The shapes of levels above the base, by the tile of the base level that contains their middle."""
        parts: defaultdict[tuple[int, int], list[Shapes]] = defaultdict(list)
        for key in sorted(key for key in self._keys if key[0] > self._base):
            shapes = self._held(key, score)
            tiles = tiles_of(middles(shapes), self._base, self._width, self._height)
            for at, chosen in _groups(tiles):
                parts[at].append(_middles_only(shapes.select(chosen)))
        return {at: joined(shapes) for at, shapes in parts.items()}

    def _write_level(
        self, writer: ArchiveWriter, manifest: OverlayManifest, level: int, below: dict[tuple[int, int], Counts]
    ) -> dict[tuple[int, int], Counts]:
        children: defaultdict[tuple[int, int], dict[tuple[int, int], Counts]] = defaultdict(dict)
        for (x, y), counts in below.items():
            children[x // 2, y // 2][x % 2, y % 2] = counts
        above: dict[tuple[int, int], Counts] = {}
        zoom = self.top - level
        for at in sorted(children, key=lambda one: zxy_to_tileid(zoom, *one)):
            above[at] = combined(children[at])
            key = (level, *at)
            shapes = self._held(key, manifest.score) if key in self._keys else joined([])
            writer.add(level, *at, encoded(Tile(shapes, None, above[at]), Place(*key, manifest.score is not None)))
        return above


def _stored(values: Floats, score: Score | None) -> NDArray[np.uint8]:
    """Scores as stored (OV3)."""
    if score is None:
        return np.zeros(len(values), np.uint8)
    steps = (values.astype(np.float64) - score.least) * (255 / (score.most - score.least))
    return np.clip(np.floor(steps + 0.5), 0, 255).astype(np.uint8)


def _middles_only(shapes: Shapes) -> Shapes:
    """One point for each shape: enough to count it."""
    ends = np.arange(1, len(shapes) + 1)
    return Shapes(middles(shapes), ends, ends, shapes.classes, shapes.scores)


def _groups(tiles: Longs) -> Iterator[tuple[tuple[int, int], Longs]]:
    """Equal rows of tiles (n, 2), and which rows those are, in order."""
    if len(tiles) == 0:
        return
    order = np.lexsort(tiles.T[::-1])
    ordered = tiles[order]
    begins = np.flatnonzero(np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)]))
    for begin, end in zip(begins.tolist(), [*begins[1:].tolist(), len(tiles)], strict=True):
        x, y = ordered[begin].tolist()
        yield (x, y), np.sort(order[begin:end])

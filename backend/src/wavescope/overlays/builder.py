"""Builds an overlay of shapes that arrive in any order, with bounded memory."""

from __future__ import annotations

import io
from collections import Counter
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
from wavescope.overlays.tile import (
    COUNTS_FROM,
    MAX_PARTS,
    SYMBOLS_LEVEL,
    Counts,
    Place,
    Tile,
    encoded,
    symbols_of,
)

SPILL_CORNERS = 4_000_000
"""Corners that are held before they are written to the work folder: some 50 MB."""
BASE_CORNERS = 4 * MAX_PARTS
"""Corners of the shapes of one tile of the base level, with all below it, at most: they are in memory together."""
Position = tuple[int, int]
Key = tuple[int, int, int]
PALETTE = ("377EB8", "E41A1C", "4DAF4A", "984EA3", "FF7F00", "A65628", "F781BF", "999999", "66C2A5", "FFD92F")
Floats = NDArray[np.float32]
Progress = Callable[[float], None]


class Builder:
    """Takes shapes and writes an overlay of a slide of ``width`` x ``height`` pixels. ``folder`` is an empty one for
    what waits; the caller removes it.

    Shapes wait in files, one for each tile of level 3 (or of the top, if it is lower), and for each level above. Tiles
    are written in Hilbert's order, so that of the counts of each level those of one tile are in memory.
    """

    def __init__(self, folder: Path, width: int, height: int, score: str | None = None) -> None:
        self._folder, self._width, self._height = folder, width, height
        self._score = score
        self.top = top_level(width, height)
        self._base = min(COUNTS_FROM, self.top)
        self._classes: dict[str, tuple[str, int]] = {}
        self._counts = np.zeros(MAX_CLASSES, np.int64)
        self._outlines = np.zeros(self.top + 1, np.int64)
        self._waiting: list[tuple[Shapes, Floats]] = []
        self._corners = 0
        self._held_corners: Counter[Key] = Counter()
        self._large: set[Position] = set()
        self._least, self._most = np.inf, -np.inf

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the slide."""
        return self._width, self._height

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
            self._write(writer, manifest, progress)
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
            self._width,
            self._height,
            self.top,
            total,
            tuple(classes) or (OverlayClass("", PALETTE[0], 0),),
            score,
            tuple(self._outlines.tolist()),
        )

    def _spill(self) -> None:
        """Appends what is held to the files of its tiles."""
        if not self._waiting:
            return
        shapes = joined([one for one, _ in self._waiting])
        values = np.concatenate([values for _, values in self._waiting])
        self._waiting, self._corners = [], 0
        own_levels = levels_of(shapes, self.top)
        self._outlines += np.bincount(own_levels, minlength=self.top + 1)
        levels = np.maximum(own_levels, self._base)
        points = middles(shapes)
        for level in np.unique(levels).tolist():
            of_level = np.flatnonzero(levels == level)
            for (x, y), chosen in _groups(tiles_of(points[of_level], level, self._width, self._height)):
                part, own = shapes.select(of_level[chosen]), values[of_level[chosen]]
                self._count_held((level, x, y), len(part.corners))
                _append(self._file((level, x, y)), part, own)
        large = np.flatnonzero(levels > self._base)
        for at, chosen in _groups(tiles_of(points[large], self._base, self._width, self._height)):
            self._large.add(at)
            _append(self._file_of_large(at), _middles_only(shapes.select(large[chosen])), values[large[chosen]])

    def _count_held(self, key: Key, corners: int) -> None:
        """Raises TooLarge for more corners in one place than a tile may have, before they are in memory."""
        self._held_corners[key] += corners
        limit = BASE_CORNERS if key[0] == self._base else MAX_PARTS
        if self._held_corners[key] > limit:
            raise TooLarge("the number of corners in one tile of the overlay", self._held_corners[key], limit)

    def _held(self, path: Path, score: Score | None) -> Shapes:
        """The shapes of a file, in the order in which they were added, with their scores as stored."""
        parts: list[Shapes] = []
        if not path.exists():
            return joined(parts)
        with path.open("rb") as file:
            while file.peek(1):
                corners, ring_ends, shape_ends, classes, values = (np.load(file) for _ in range(5))
                parts.append(Shapes(corners, ring_ends, shape_ends, classes, _stored(values, score)))
        return joined(parts)

    def _file(self, key: Key) -> Path:
        return self._folder / "shapes-{}-{}-{}".format(*key)

    def _file_of_large(self, at: Position) -> Path:
        """Points in the place of shapes of levels above the base, by the tile of the base that counts them."""
        return self._folder / "large-{}-{}".format(*at)

    def _write(self, writer: ArchiveWriter, manifest: OverlayManifest, progress: Progress) -> None:
        """The tiles up to the base level, from one file each, and those above as soon as their four are complete."""
        zoom = self.top - self._base
        places = {(x, y) for level, x, y in self._held_corners if level == self._base} | self._large
        above = _Above(self._base, self.top, lambda key, counts: self._write_above(writer, manifest, key, counts))
        for done, at in enumerate(sorted(places, key=lambda one: zxy_to_tileid(zoom, *one))):
            above.add(self._base, at, self._write_tiles(writer, manifest, *at))
            progress((done + 1) / len(places))
        above.end()

    def _write_above(self, writer: ArchiveWriter, manifest: OverlayManifest, key: Key, counts: Counts) -> None:
        shapes = self._held(self._file(key), manifest.score)
        writer.add(*key, encoded(Tile(shapes, None, counts), Place(*key, manifest.score is not None)))

    def _write_tiles(self, writer: ArchiveWriter, manifest: OverlayManifest, x: int, y: int) -> Counts:
        """The tiles of one file; the counts of all shapes whose middle lies there."""
        shapes = self._held(self._file((self._base, x, y)), manifest.score)
        large = self._held(self._file_of_large((x, y)), manifest.score)
        scored = manifest.score is not None
        points, levels = middles(shapes), levels_of(shapes, self.top)
        base = Place(self._base, x, y, scored)
        counts = counted(joined([shapes, large]), base, self._width, self._height)
        for level in range(self._base + 1):
            zoom = self.top - level
            of_level = np.flatnonzero(levels == level)
            outlined = dict(_groups(tiles_of(points[of_level], level, self._width, self._height)))
            small = np.flatnonzero(levels < SYMBOLS_LEVEL) if level == SYMBOLS_LEVEL else np.zeros(0, np.int64)
            symbols = symbols_of(shapes.select(small))
            marked = dict(_groups(tiles_of(points[small], level, self._width, self._height)))
            keys = set(outlined) | set(marked) | ({(x, y)} if level == self._base and level >= COUNTS_FROM else set())
            for at in sorted(keys, key=lambda one: zxy_to_tileid(zoom, *one)):
                tile = Tile(
                    shapes.select(of_level[outlined[at]] if at in outlined else np.zeros(0, np.int64)),
                    symbols.select(marked[at]) if at in marked else None,
                    counts,
                )
                writer.add(level, *at, encoded(tile, Place(level, *at, scored)))
        return counts


class _Above:
    """Adds up counts from the base level to the top. They come in Hilbert's order, in which the four tiles of one
    follow each other, so that one tile of each level waits. ``write`` gets each complete tile.
    """

    def __init__(self, base: int, top: int, write: Callable[[Key, Counts], None]) -> None:
        self._base, self._top, self._write = base, top, write
        self._waiting: dict[int, tuple[Position, dict[Position, Counts]]] = {}

    def add(self, level: int, at: Position, counts: Counts) -> None:
        """A complete tile."""
        if level == self._top:
            return
        parent, place = (at[0] // 2, at[1] // 2), (at[0] % 2, at[1] % 2)
        waiting = self._waiting.get(level + 1)
        if waiting is not None and waiting[0] != parent:
            self._complete(level + 1)
            waiting = None
        if waiting is None:
            waiting = self._waiting[level + 1] = (parent, {})
        waiting[1][place] = counts

    def end(self) -> None:
        """No more tiles come."""
        for level in range(self._base + 1, self._top + 1):
            if level in self._waiting:
                self._complete(level)

    def _complete(self, level: int) -> None:
        at, children = self._waiting.pop(level)
        counts = combined(children)
        self._write((level, *at), counts)
        self.add(level, at, counts)


def _append(path: Path, shapes: Shapes, values: Floats) -> None:
    with path.open("ab") as file:
        for column in (shapes.corners, shapes.ring_ends, shapes.shape_ends, shapes.classes, values):
            plain = io.BytesIO()  # what NumPy writes to a file itself says nothing of a full disk
            np.save(plain, column)
            file.write(plain.getbuffer())


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

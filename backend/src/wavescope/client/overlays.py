"""Overlays of a remote slide: files of shapes are added, and shapes of regions come as arrays (PC43, PC44)."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from wavescope.client.http import Response, ServiceConnection, segment
from wavescope.client.problems import BadAnswer
from wavescope.client.uploads import AsyncUpload, Progress
from wavescope.errors import InvalidParameter, TooLarge, UnknownOverlay
from wavescope.overlays.manifest import OverlayClass, OverlayManifest, Score, manifest_of
from wavescope.overlays.raster import Affine, Raster, decoded_raster, paste
from wavescope.overlays.raster_region import numbers_of, part_of
from wavescope.overlays.region import Region
from wavescope.overlays.selection import tile_ranges, touching
from wavescope.overlays.shapes import QUARTERS, Longs, Shapes, joined
from wavescope.overlays.tile import Place, decoded

MAX_TILES = 1 << 16
"""Of one region."""
MAX_PIXELS = 1 << 28
"""Of one region of a raster."""
AT_ONCE = 16
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class ShapeArrays:
    """n shapes of r rings and c corners. ``corners`` (c, 2) float64 in pixels of level 0; ``ring_ends`` (r,) and
    ``shape_ends`` (n,) int64: the number of corners up to the end of each ring, the number of rings up to the end of
    each shape. ``classes`` (n,) uint8: numbers of ``class_names``; ``scores`` (n,) float64, None without scores.
    """

    corners: NDArray[np.float64]
    ring_ends: Longs
    shape_ends: Longs
    classes: NDArray[np.uint8]
    class_names: tuple[str, ...]
    scores: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.shape_ends)

    def outlines(self) -> Iterator[list[NDArray[np.float64]]]:
        """The rings (corners, 2) of each shape."""
        rings = np.split(self.corners, self.ring_ends[:-1]) if len(self) else []
        begin = 0
        for end in self.shape_ends.tolist():
            yield rings[begin:end]
            begin = end


@dataclass(frozen=True)
class RasterArrays:
    """A part of a raster. ``samples`` (rows, columns): float64 values, NaN where there is none, or uint16 labels, 0
    where there is none; ``transform``: (a, b, c, d, e, f), from columns and rows of the array to pixels of level 0,
    x' = a x + b y + c, y' = d x + e y + f; ``names``: of labels that have one.
    """

    samples: NDArray[np.float64] | NDArray[np.uint16]
    transform: Affine
    names: Mapping[int, str]


class AsyncOverlay:
    """An overlay of a slide, as it was listed."""

    def __init__(self, connection: ServiceConnection, path: str, fields: Any, url: str) -> None:
        self._connection = connection
        try:
            self.id, self.name, self.digest, self.author = (
                str(fields[name]) for name in ("id", "name", "digest", "author")
            )
            self.manifest: OverlayManifest = manifest_of({"format": "wavescope-overlay", "version": 1, **fields})
        except (KeyError, TypeError) as error:
            raise BadAnswer(url, "an entry is no overlay") from error
        self._path = f"{path}/{segment(self.id)}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {described(self.manifest)})"

    def __len__(self) -> int:
        return self.manifest.shapes

    @property
    def classes(self) -> tuple[OverlayClass, ...]:
        return self.manifest.classes

    @property
    def score(self) -> Score | None:
        return self.manifest.score

    async def region(self, x: float, y: float, width: float, height: float, *, level: int = 0) -> Any:
        """ShapeArrays: the shapes whose bounding box touches the region, in pixels of level 0. Of a raster,
        RasterArrays: the pixels of a level of the raster that the region touches. Raises InvalidParameter, TooLarge,
        CorruptOverlay.
        """
        region = Region(x, y, width, height)
        if self.manifest.raster is not None:
            return await self._raster_region(self.manifest.raster, region, level)
        if level:
            raise InvalidParameter("level", str(level), "0 for shapes")
        return await self._shapes(region)

    async def _shapes(self, region: Region) -> ShapeArrays:
        ranges = tile_ranges(self.manifest, region)
        count = sum(len(xs) * len(ys) for _, xs, ys in ranges)
        if count > MAX_TILES:
            raise TooLarge("the number of tiles of the region", count, MAX_TILES)
        places = [(level, column, row) for level, xs, ys in ranges for row in ys for column in xs]

        async def fetched(place: tuple[int, int, int]) -> Shapes | None:
            return touching(await self._tile(*place), region)

        found = await _all(fetched, places)
        return self._arrays(joined([shapes for shapes in found if shapes is not None and len(shapes)]))

    async def _raster_region(self, raster: Raster, region: Region, level: int) -> RasterArrays:
        part = part_of(raster, region, level, MAX_PIXELS)

        async def fetched(place: tuple[int, int]) -> None:
            member = await self._member(level, *place)
            if member:
                paste(part.samples, part.begin, decoded_raster(member, raster, level, *place), place)

        await _all(fetched, part.tiles)
        names = {label: one.name for label, one in zip(raster.labels, self.classes, strict=False)}
        return RasterArrays(numbers_of(part.samples, raster, self.score), part.transform, names)

    async def all(self) -> Any:
        """All shapes, or all pixels of a raster."""
        edge = float(max(self.manifest.width, self.manifest.height) << 1)
        return await self.region(-edge, -edge, 4 * edge, 4 * edge)

    async def delete(self) -> None:
        """Deletes the overlay; it can be restored (OV31)."""
        await self._connection.request("DELETE", self._path)

    async def _tile(self, level: int, x: int, y: int) -> Shapes:
        member = await self._member(level, x, y)
        return decoded(member, Place(level, x, y, self.score is not None)).shapes if member else joined([])

    async def _member(self, level: int, x: int, y: int) -> bytes:
        """The bytes of a tile; empty: it is not stored."""
        query = [("v", self.digest)]
        response = await self._connection.request("GET", f"{self._path}/tiles/{level}/{x}/{y}", query=query)
        return b"" if response.status == 204 else response.body

    def _arrays(self, shapes: Shapes) -> ShapeArrays:
        values = None if self.score is None else self.score.values(shapes.scores)
        ends = shapes.ring_ends, shapes.shape_ends
        names = tuple(one.name for one in self.classes)
        return ShapeArrays(shapes.corners / np.float64(QUARTERS), *ends, shapes.classes, names, values)


class HowRead(TypedDict, total=False):
    """How a file is read. ``score``: the measurement or column that is the score. ``content``: what a picture of
    numbers becomes, ``shapes``, ``values`` or ``labels``. ``element``: the part of a ZIP archive of a SpatialData or
    OME-Zarr, such as ``shapes/cells`` (OV62).
    """

    score: str
    content: str
    element: str


class AsyncOverlays:
    """The overlays of one slide."""

    def __init__(self, connection: ServiceConnection, slide: str) -> None:
        self._connection, self._slide = connection, slide
        self._path = f"/slides/{segment(slide)}/overlays"

    async def list(self) -> AsyncIterator[AsyncOverlay]:
        """In their order."""
        response = await self._connection.request("GET", self._path)
        for each in response.member("overlays", list):
            yield self._overlay(each, response)

    async def get(self, name: str) -> AsyncOverlay:
        """The overlay of this id or name, of several with the name the first. Raises UnknownOverlay."""
        found = [one async for one in self.list()]
        chosen = [one for one in found if one.id == name] or [one for one in found if one.name == name]
        if not chosen:
            raise UnknownOverlay(self._slide, name)
        return chosen[0]

    async def add(
        self,
        source: Any,
        *,
        name: str = "",
        transform: Sequence[float] = (),
        progress: Progress | None = None,
        **reading: Unpack[HowRead],
    ) -> AsyncOverlay:
        """Sends a file of shapes (OV24) or a raster (OV66) and waits for its import. ``source``: a path, a
        GeoDataFrame, or a DataFrame with the columns ``x`` and ``y``. Raises IngestFailed, IngestCancelled,
        InvalidParameter, and what the service refuses it with.
        """
        if unknown := reading.keys() - HowRead.__annotations__.keys():
            raise InvalidParameter("argument", ", ".join(sorted(unknown)), ", ".join(HowRead.__annotations__))
        with tempfile.TemporaryDirectory() as folder:
            path = await asyncio.to_thread(_file_of, source, Path(folder))
            upload = AsyncUpload(self._connection, progress)
            given = {"title": name, "transform": ",".join(map(repr, map(float, transform))), **reading}
            metadata = {key: str(value) for key, value in given.items() if value}
            await upload.send(path, {"overlay_of": self._slide, **metadata})
        await upload.wait()
        assert upload.job is not None  # what names a slide becomes a job
        return await self.get(upload.job)

    def _overlay(self, each: Any, response: Response) -> AsyncOverlay:
        return AsyncOverlay(self._connection, self._path, each, response.url)


def described(manifest: OverlayManifest) -> str:
    """What an overlay has, for people."""
    raster = manifest.raster
    return (
        f"{manifest.shapes:,} shapes"
        if raster is None
        else f"{raster.kind} of {raster.width:,} x {raster.height:,} pixels"
    )


async def _all(fetched: Callable[[T], Awaitable[R]], places: Sequence[T]) -> list[R]:
    """What is fetched for each place, some at once."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(place: T) -> R:
        async with turns:
            return await fetched(place)

    return await asyncio.gather(*map(one, places))


def _file_of(source: Any, folder: Path) -> Path:
    """Raises InvalidParameter."""
    if isinstance(source, str | os.PathLike):
        return Path(source)
    if hasattr(source, "geometry") and hasattr(source, "to_parquet"):
        path = folder / "shapes.parquet"
        source.to_parquet(path)
    elif hasattr(source, "to_csv"):
        path = folder / "points.csv"
        source.to_csv(path, index=False)
    else:
        raise InvalidParameter("source", type(source).__name__, "a path, a GeoDataFrame or a DataFrame")
    return path

"""Which reader reads a file, found from its content (OV24)."""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, cast, get_args

from wavescope.errors import InvalidParameter, UnreadableSource, UnsupportedSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.anndata import read_anndata
from wavescope.overlays.reading.columns import Transform
from wavescope.overlays.reading.dicom_annotations import read_annotations
from wavescope.overlays.reading.geojson import read_geojson
from wavescope.overlays.reading.geoparquet import read_geoparquet
from wavescope.overlays.reading.points import read_points
from wavescope.overlays.reading.skipped import Skipped

HEAD = 4096
READERS = {b"PAR1": read_geoparquet, b"\x89HDF\r\n\x1a\n": read_anndata}
Progress = Callable[[int], None]
Content = Literal["", "shapes", "values", "labels"]
CONTENTS: tuple[Content, ...] = get_args(Content)


@dataclass(frozen=True)
class Reading:
    """How a file is read. ``score``: the name of the measurement or column that is the score, empty: none;
    ``transform``: (a, b, c, d, e, f), applied to its coordinates: x' = a x + b y + c, y' = d x + e y + f. ``content``:
    what a picture of numbers becomes, empty: found from the file (OV66).
    """

    score: str = ""
    transform: Transform | None = None
    content: Content = ""


def parse_element(text: str) -> str:
    """The path of an element in a folder, such as shapes/cells; empty: none is named. Raises InvalidParameter."""
    if (text and not all(part.isprintable() and part.strip(". ") for part in text.split("/"))) or "\\" in text:
        raise InvalidParameter("element", text[:80], "a path in the folder, such as shapes/cells")
    return text


def parse_content(text: str) -> Content:
    """Raises InvalidParameter."""
    if text not in CONTENTS:
        raise InvalidParameter("content", text[:80], f"one of {', '.join(filter(None, CONTENTS))}")
    return text


def parse_transform(text: str) -> Transform | None:
    """``scale``, ``scale,x,y`` or ``a,b,c,d,e,f`` as a transform; None for an empty text. Raises InvalidParameter."""
    if not text:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) in (1, 3):
        scale, x, y = numbers if len(numbers) == 3 else (numbers[0], 0.0, 0.0)
        numbers = [scale, 0.0, x, 0.0, scale, y]
    if len(numbers) != 6 or not all(map(math.isfinite, numbers)):
        raise InvalidParameter("transform", text[:80], "scale; scale,x,y; or a,b,c,d,e,f")
    a, b, c, d, e, f = numbers
    if abs(a * e - b * d) < 1e-12:
        raise InvalidParameter("transform", text[:80], "one that can be inverted")
    return a, b, c, d, e, f


def read_shapes(path: Path, builder: Builder, reading: Reading, progress: Progress = lambda _: None) -> Skipped:
    """Adds all shapes of a file; what was left out. ``progress`` gets the bytes that were read.

    Raises UnsupportedSource for a file of another kind, UnreadableSource for a damaged one, TooLarge, MissingPackage.
    """
    if path.is_dir():
        raise UnsupportedSource(path, "it is a folder, neither a label image of OME-Zarr nor SpatialData")
    score, transform = reading.score or None, reading.transform
    with path.open("rb") as file:
        head = file.read(HEAD)
        try:
            for magic, read in READERS.items():
                if head.startswith(magic):
                    return read(path, builder, score, transform, progress)
            if head[128:132] == b"DICM":
                return read_annotations(path, builder, score, transform, progress)
            file.seek(0)
            if not head.startswith(b"\x1f\x8b"):
                return _read_text(file, head, path.name, builder, reading, progress)
            stream = cast(BinaryIO, gzip.GzipFile(fileobj=file))
            inner = stream.read(HEAD)
            stream.seek(0)
            return _read_text(stream, inner, path.name, builder, reading, lambda _: progress(file.tell()))
        except InvalidParameter as error:
            raise UnreadableSource(path, str(error)) from error
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UnreadableSource(path, f"its compression is damaged: {error}") from error


def _read_text(
    stream: BinaryIO, head: bytes, name: str, builder: Builder, reading: Reading, progress: Progress
) -> Skipped:
    score, transform = reading.score or None, reading.transform
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if first in (b"{", b"["):
        return read_geojson(stream, name, builder, score, progress, transform)
    if b"\0" in head or not first:
        raise UnsupportedSource(
            name,
            "unrecognised format. Supported: GeoJSON, CSV, GeoParquet, DICOM annotations and segmentations, AnnData, "
            "SpatialData, and masks as TIFF, PNG or OME-Zarr",
        )
    return read_points(stream, name, builder, score, transform, progress)

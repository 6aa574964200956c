"""SpatialData: shapes and points of a folder of Zarr, with classes and scores of the table about them (OV61)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wavescope.errors import InvalidParameter, UnreadableSource, UnsupportedSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import Transform
from wavescope.overlays.reading.files import Reading
from wavescope.overlays.reading.geoparquet import Table, add_rows, geometry_column, rings_of_cell, tables_of
from wavescope.overlays.reading.points import CLASS
from wavescope.overlays.reading.skipped import Skipped
from wavescope.overlays.shapes import MAX_CLASSES, Floats
from wavescope.source.base import Limits
from wavescope.source.ome_zarr.columns import Column, read_column
from wavescope.source.ome_zarr.metadata import V3, is_ome_zarr, read_json, zarr_files

KINDS = ("shapes", "points")
MARK = "spatialdata_attrs"
CIRCLE_CORNERS = 32
Facts = Mapping[Any, tuple[Any, Any]]
"""Class and score by the name of an instance."""


class Element(NamedTuple):
    """``root``: the folder of the whole; ``kind``: shapes or points."""

    root: Path
    kind: str
    name: str

    @property
    def folder(self) -> Path:
        return self.root / self.kind / self.name


def is_spatial_data(path: Path) -> bool:
    """Whether a folder is one, or an element of one with shapes or points. Raises UnreadableSource, OSError."""
    attributes = _attributes(path) if path.is_dir() and is_ome_zarr(path) else {}
    return MARK in attributes and not {"ome", "multiscales"} & set(attributes)


def read_spatial_data(path: Path, builder: Builder, reading: Reading, share: Callable[[float], None]) -> Skipped:
    """Adds the shapes or points of an element: of the one that ``path`` names, else of the only one. Circles have 32
    corners. Raises SourceError kinds, MissingPackage, TooLarge.
    """
    zarr_files(path)  # raises for links
    element = _element(path)
    transform = combined(reading.transform, _placed(path, _attributes(element.folder)))
    facts = _facts(path, element, reading.score)
    skipped, files = Skipped("row"), _files(path, element)
    own_score = reading.score if reading.score and facts is None else None
    number = 1
    try:
        of_class = _feature_key(element, files, skipped) if facts is None else None
        wanted = partial(_geometry if element.kind == "shapes" else _place, path)
        for done, file in enumerate(files):
            for table in tables_of(file, own_score, lambda _: None, wanted, of_class):
                rows = _rows(table, element.kind, facts, own_score)
                add_rows(rows, number, builder, transform, skipped)
                number += len(table)
            share((done + 1) / len(files))
    except InvalidParameter as error:
        raise UnreadableSource(path, str(error)) from error
    return skipped


def combined(outer: Transform | None, inner: Transform | None) -> Transform | None:
    """The transform that applies ``inner``, then ``outer``."""
    if outer is None or inner is None:
        return outer or inner
    a, b, c, d, e, f = (_matrix(outer) @ _matrix(inner))[:2].ravel().tolist()
    return a, b, c, d, e, f


def _matrix(transform: Transform) -> Floats:
    return np.array([*transform, 0, 0, 1], np.float64).reshape(3, 3)


def _attributes(folder: Path) -> Mapping[str, Any]:
    file = folder / V3 if (folder / V3).is_file() else folder / ".zattrs"
    document = read_json(folder, file) if file.is_file() else {}
    attributes = document.get("attributes") if file.name == V3 else document
    return attributes if isinstance(attributes, dict) else {}


def _element(path: Path) -> Element:
    """Raises UnsupportedSource."""
    if path.parent.name in KINDS:
        return Element(path.parent.parent, path.parent.name, path.name)
    found = [
        Element(path, kind, one.name)
        for kind in KINDS
        for one in sorted((path / kind).glob("*"))
        if one.is_dir() and MARK in _attributes(one)
    ]
    shapes = [one for one in found if one.kind == "shapes"]
    chosen = shapes if len(shapes) == 1 else found
    if len(chosen) != 1:
        each = ", ".join(f"{path.name}/{one.kind}/{one.name}" for one in found[:5])
        raise UnsupportedSource(
            path, f"it has several elements; name one of them: {each}" if each else "it has no shapes or points"
        )
    return chosen[0]


def _files(path: Path, element: Element) -> list[Path]:
    """The Parquet files of an element. Raises UnreadableSource."""
    whole = element.folder / f"{element.kind}.parquet"
    files = sorted(whole.glob("*.parquet")) if whole.is_dir() else [whole] if whole.is_file() else []
    if not files:
        raise UnreadableSource(path, f"its element {element.name} has no {whole.name}")
    return files


def _feature_key(element: Element, files: list[Path], skipped: Skipped) -> str | None:
    """The column that names the feature of each point, such as its gene, if an overlay can have so many classes."""
    about = _attributes(element.folder).get(MARK)
    key = about.get("feature_key") if isinstance(about, dict) else None
    if element.kind != "points" or not isinstance(key, str):
        return None
    found = set[Any]()
    for file in files:
        for table in tables_of(file, None, lambda _: None, lambda schema: [key] if key in schema.names else []):
            found.update(table.column(key) if table.wanted else ())
            if len(found) > MAX_CLASSES:
                skipped.notes.append(
                    f"its points have no class: column {key[:60]!r} has more than {MAX_CLASSES} features"
                )
                return None
    return key if found else None


def _geometry(path: Path, schema: Any) -> list[str]:
    radius = ["radius"] if "radius" in schema.names else []
    return [geometry_column(path, schema), *radius, *_index(schema)]


def _place(path: Path, schema: Any) -> list[str]:
    if not {"x", "y"} <= set(schema.names):
        raise UnreadableSource(path, "its points have no columns x and y")
    return ["x", "y", *_index(schema)]


def _index(schema: Any) -> list[str]:
    """The column that names the rows, as pandas writes it, if it is one."""
    try:
        (name,) = json.loads((schema.metadata or {})[b"pandas"])["index_columns"]
    except (KeyError, TypeError, ValueError):
        return []
    return [name] if isinstance(name, str) and name in schema.names else []


def _rows(
    table: Table, kind: str, facts: Facts | None, score: str | None
) -> Iterator[tuple[list[Floats] | None, Any, Any]]:
    columns = {name: table.column(name) for name in table.wanted}
    count = 2 if kind == "points" or "radius" in columns else 1
    if kind == "points":
        outlines: Iterator[list[Floats] | None] = (
            _point(x, y) for x, y in zip(columns["x"], columns["y"], strict=True)
        )
    else:
        outlines = map(rings_of_cell, columns[table.wanted[0]])
        if "radius" in columns:
            outlines = map(_circle, outlines, columns["radius"])
    names = (
        columns[table.wanted[-1]] if len(table.wanted) > count else range(table.first - 1, table.first - 1 + len(table))
    )
    if facts is not None:
        none = (None, 0.0)
        yield from ((rings, *facts.get(name, none)) for rings, name in zip(outlines, names, strict=True))
        return
    texts = table.column(table.of_class) if table.of_class else [None] * len(table)
    values = table.column(score) if score else [0.0] * len(table)
    yield from zip(outlines, texts, values, strict=True)


def _point(x: Any, y: Any) -> list[Floats] | None:
    return None if x is None or y is None else [np.array([[x, y]], np.float64)]


def _circle(rings: list[Floats] | None, radius: Any) -> list[Floats] | None:
    if not rings or len(rings[0]) != 1 or not isinstance(radius, int | float):
        return rings
    angles = np.arange(CIRCLE_CORNERS) * (2 * np.pi / CIRCLE_CORNERS)
    return [rings[0] + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)]


def _placed(path: Path, attributes: Mapping[str, Any]) -> Transform | None:
    """Where an element lies in the system ``global``, taken for pixels of level 0. Raises UnsupportedSource."""
    given = attributes.get("coordinateTransformations") or ()
    try:
        chosen = [one for one in given if (one.get("output") or {}).get("name", "global") == "global"]
        whole = np.eye(3)
        for one in chosen[:1]:
            whole = _transformation(one)
        a, b, c, d, e, f = whole[:2].ravel().tolist()
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise UnsupportedSource(path, f"its coordinateTransformations are not read: {error!r}") from error
    return None if (whole == np.eye(3)).all() else (a, b, c, d, e, f)


def _transformation(one: Mapping[str, Any]) -> Floats:
    """(3, 3) of x, y and 1."""
    kind, axes = one["type"], _axes(one)
    whole = np.eye(3)
    if kind == "identity":
        return whole
    if kind == "sequence":
        for part in one["transformations"]:
            whole = _transformation(part) @ whole
        return whole
    if kind not in ("scale", "translation", "affine"):
        raise ValueError(f"the kind {kind}")
    at = [axes.index("x"), axes.index("y")]
    values = np.array(one[kind], np.float64)
    if not np.isfinite(values).all():
        raise ValueError("numbers that are not finite")
    if kind == "scale":
        whole[[0, 1], [0, 1]] = values[at]
    elif kind == "translation":
        whole[:2, 2] = values[at]
    else:
        whole[:2, :2], whole[:2, 2] = values[np.ix_(at, at)], values[at, -1]
    return whole


def _axes(one: Mapping[str, Any]) -> list[str]:
    axes = (one.get("input") or {}).get("axes") or [{"name": "x"}, {"name": "y"}]
    return [str(axis["name"]) for axis in axes]


def _facts(path: Path, element: Element, score: str) -> Facts | None:
    """Class and score of each instance of the table about an element; None: there is none. Raises SourceError kinds,
    MissingPackage.
    """
    for table in sorted((element.root / "tables").glob("*")):
        about = _attributes(table)
        regions = about.get("region")
        if element.name in ([regions] if isinstance(regions, str) else regions or ()):
            return _table(path, table / "obs", element.name, about, score)
    return None


def _table(path: Path, obs: Path, region: str, about: Mapping[str, Any], score: str) -> Facts:
    def column(name: str) -> Column:
        if Path(name).name != name:
            raise UnreadableSource(path, f"its table has no column {name[:60]!r}")
        return read_column(path, obs / name, Limits())

    names = [one.name for one in obs.iterdir() if one.is_dir()]
    of_class = next((one for known in CLASS for one in names if one.lower() == known), None)
    own = column(str(about.get("region_key"))) == region
    instances = column(str(about.get("instance_key")))[own].tolist()
    texts = column(of_class)[own].tolist() if of_class else [None] * len(instances)
    values = column(score)[own].tolist() if score else [0.0] * len(instances)
    return dict(zip(instances, zip(texts, values, strict=True), strict=True))

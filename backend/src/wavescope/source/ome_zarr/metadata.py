"""What an OME-Zarr says of itself: OME-NGFF 0.4 in Zarr 2, 0.5 in Zarr 3. It needs no library."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavescope.channels.channel import Channel, Display
from wavescope.errors import UnreadableSource, UnsupportedSource

V2, V3 = (".zgroup", ".zattrs"), "zarr.json"
MAX_JSON = 16 << 20
MAX_IMAGES = 1 << 10
AXES = "tczyx"
RGB = {"FF0000": ("r", "red"), "00FF00": ("g", "green"), "0000FF": ("b", "blue")}
"""Colours and names of the samples of a picture."""
MICROMETRES = {
    "angstrom": 1e-4,
    "nanometer": 1e-3,
    "micrometer": 1.0,
    "millimeter": 1e3,
    "centimeter": 1e4,
    "meter": 1e6,
}


@dataclass(frozen=True)
class Image:
    """One image: the folder of its largest level, the names of its axes, micrometres by axis, its channels."""

    level: Path
    axes: str
    scale: Mapping[str, float]
    omero: Sequence[Mapping[str, Any]]


def is_ome_zarr(folder: Path) -> bool:
    """Whether a folder is a group of Zarr."""
    return any((folder / name).is_file() for name in (*V2, V3))


def zarr_files(folder: Path) -> list[Path]:
    """All files of a group, by their paths. Raises UnsupportedSource for links, whose content may lie elsewhere and has
    no part in the fingerprint (ST97), and for what is no file; OSError.
    """
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            raise UnsupportedSource(folder, f"{path.relative_to(folder)} is a link; copy what it names into the folder")
        if path.is_file():
            found.append(path)
        elif not path.is_dir():
            raise UnsupportedSource(folder, f"{path.relative_to(folder)} is neither a file nor a folder")
    return found


def images_of(path: Path) -> list[Image]:
    """The images of a group: itself, or those of a collection. Raises UnsupportedSource, UnreadableSource."""
    attributes = attributes_of(path)
    for kind in ("plate", "well"):
        if kind in attributes:
            raise UnsupportedSource(
                path, f"it is a {kind} of many images; name one of them, for example {path.name}/A/1/0"
            )
    if "multiscales" in attributes:
        return [_image(path, path, attributes)]
    if "bioformats2raw.layout" not in attributes:
        raise UnsupportedSource(path, "it is a Zarr group without an image (multiscales)")
    folders = [path / str(number) for number in range(MAX_IMAGES)]
    found = [_image(path, folder, attributes_of(folder)) for folder in folders if is_ome_zarr(folder)]
    if not found:
        raise UnsupportedSource(path, "it is a collection of images without one")
    return found


def read_json(path: Path, file: Path) -> dict[str, Any]:
    """``path``: what the user named. Raises UnreadableSource."""
    size = file.stat().st_size
    if size > MAX_JSON:
        raise UnreadableSource(path, f"its {file.name} has {size:,} bytes; the limit is {MAX_JSON:,}")
    try:
        value = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise UnreadableSource(path, f"its {file.name} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UnreadableSource(path, f"its {file.name} is no object")
    return value


def attributes_of(folder: Path) -> Mapping[str, Any]:
    """What a group says as OME-Zarr. Raises UnreadableSource."""
    if (folder / V3).is_file():
        attributes = read_json(folder, folder / V3).get("attributes") or {}
        ome = attributes.get("ome") if isinstance(attributes, dict) else None
        return ome if isinstance(ome, dict) else {}
    file = folder / ".zattrs"
    return read_json(folder, file) if file.is_file() else {}


def _image(path: Path, folder: Path, attributes: Mapping[str, Any]) -> Image:
    try:
        scales = attributes["multiscales"][0]
        axes = "".join(axis if isinstance(axis, str) else str(axis["name"]) for axis in scales["axes"])
        units = [axis.get("unit") if isinstance(axis, dict) else None for axis in scales["axes"]]
        first = scales["datasets"][0]
        name = str(first["path"])
        steps = [_scale(one.get("coordinateTransformations"), len(units)) for one in (first, scales)]
        channels = (attributes.get("omero") or {}).get("channels") or ()
        omero = [one if isinstance(one, dict) else {} for one in channels]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise UnreadableSource(path, f"its multiscales are damaged: {type(error).__name__}: {error}") from error
    if (
        axes[-2:] != "yx"
        or len(axes) != len(units)
        or list(axes) != sorted(set(axes), key=lambda axis: AXES.find(axis))
    ):
        raise UnsupportedSource(path, f"its axes are {', '.join(axes)[:60]}; read are t, c, z, y, x, in this order")
    if not set(axes) <= set(AXES):
        raise UnsupportedSource(path, f"its axes are {', '.join(axes)[:60]}; read are t, c, z, y, x, in this order")
    level = folder / name
    if not level.resolve().is_relative_to(path.resolve()):
        raise UnsupportedSource(path, f"its level {name[:60]!r} lies outside of its folder")
    scale = {
        axis: own * outer * MICROMETRES[str(unit)]
        for axis, unit, own, outer in zip(axes, units, *steps, strict=True)
        if str(unit) in MICROMETRES and 0 < own * outer < float("inf")
    }
    return Image(level, axes, scale, omero)


def _scale(transformations: Any, count: int) -> list[float]:
    for one in transformations or ():
        if one.get("type") == "scale" and len(one["scale"]) == count:
            return [float(factor) for factor in one["scale"]]
    return [1.0] * count


def described(image: Image, count: int, bits: int, signed: bool) -> list[Channel]:
    """The channels; their windows are those of the file where it names good ones, else left to the contrast."""
    channels = []
    for c in range(count):
        said = image.omero[c] if c < len(image.omero) else {}
        colour = str(said.get("color") or "").lstrip("#").upper()
        channel = Channel(
            str(said.get("label") or ""),
            colour if re.fullmatch("[0-9A-F]{6}", colour) else "",
            bits=bits,
            significant_bits=bits,
            signed=signed,
        )
        channels.append(channel)
    return channels


def is_rgb(channels: Sequence[Channel]) -> bool:
    """Whether three channels are the samples of a picture: their colours are red, green and blue, and no name says
    something else; or their names say so, and they have no colours.
    """
    if len(channels) != len(RGB):
        return False
    colours, names = [one.colour for one in channels], [one.name.strip().lower() for one in channels]
    named = all(name in meant for name, meant in zip(names, RGB.values(), strict=True))
    nameless = all(re.fullmatch(r"(channel|ch|c)?[ _:-]*\d{0,2}", name) for name in names)
    return (named or nameless) if colours == list(RGB) else named and not any(colours)


def displays(image: Image, channels: Sequence[Channel]) -> list[Display | None]:
    """How the file shows its channels."""
    return [_display(said, one) for said, one in zip(image.omero, channels, strict=False)]


def _display(said: Mapping[str, Any], channel: Channel) -> Display | None:
    window = said.get("window")
    try:
        low, high = (round(float(window[name])) for name in ("start", "end"))  # type: ignore[index]
    except (KeyError, OverflowError, TypeError, ValueError):
        return None
    least, most = channel.stored
    low, high = max(least, low), min(most, high)
    return Display(low, high, on=bool(said.get("active", True))) if low < high else None

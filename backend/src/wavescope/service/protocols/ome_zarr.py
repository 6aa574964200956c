"""OME-Zarr 0.5: the metadata of a slide as a group of Zarr version 3, and its chunks (OZ1 to OZ6)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wavescope.channels.channel import Channel
from wavescope.channels.mixing import Raw
from wavescope.geometry import TILE
from wavescope.pixels.images import Pixels
from wavescope.pixels.region import Region
from wavescope.pixels.renderer import DerivedImage
from wavescope.store.version import SlideVersion

VERSION = "0.5"
COMPRESSION = 1  # of zstd: three times as fast as its default
COLOURS = (("red", "FF0000"), ("green", "00FF00"), ("blue", "0000FF"))
GREY = (("grey", "FFFFFF"),)


class ChunkAddress(NamedTuple):
    """Column ``x`` and row ``y`` of chunks, each with all channels of a channel group and one focal plane."""

    level: int
    c: int
    z: int
    y: int
    x: int


def group_metadata(version: SlideVersion, name: str) -> dict[str, Any]:
    """``zarr.json`` of the group, with those of its arrays inside."""
    arrays = {str(level): array_metadata(version, level) for level in range(version.top + 1)}
    return {
        "zarr_format": 3,
        "node_type": "group",
        "attributes": {
            "ome": {"version": VERSION, "multiscales": [_multiscale(version, name)], "omero": _omero(version)}
        },
        "consolidated_metadata": {"kind": "inline", "must_understand": False, "metadata": arrays},
    }


def array_metadata(version: SlideVersion, level: int) -> dict[str, Any]:
    """``zarr.json`` of a level. Raises OutOfRange."""
    width, height = version.pyramid.level_size(version.level(level))
    channels = version.manifest.channels
    together = version.manifest.group_channels
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": [channels, version.planes, height, width],
        "data_type": version.manifest.dtype.name,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [together, 1, TILE, TILE]}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 0,
        "codecs": [_bytes(version), {"name": "zstd", "configuration": {"level": COMPRESSION, "checksum": False}}],
        "attributes": {},
        "dimension_names": ["c", "z", "y", "x"],
        "storage_transformers": [],
    }


def _bytes(version: SlideVersion) -> dict[str, Any]:
    little = {"configuration": {"endian": "little"}} if version.manifest.dtype.itemsize > 1 else {}
    return {"name": "bytes", **little}


def chunk_image(version: SlideVersion, chunk: ChunkAddress) -> DerivedImage:
    """How a chunk is made: of one of our tiles. Raises OutOfRange."""
    version.group(chunk.c)
    version.tile(chunk.z, chunk.level, chunk.x, chunk.y)
    region = Region(chunk.z, chunk.level, TILE * chunk.x, TILE * chunk.y, TILE, TILE, "background")
    view = Raw((chunk.c,)) if version.manifest.descriptions else None
    return DerivedImage(region, ("chunk", region, chunk.c), TILE * TILE, encode_chunk, view)


def encode_chunk(pixels: Pixels) -> bytes:
    """The bytes of a chunk (channels, 1, height, width) of a picture (height, width, channels)."""
    planar = np.ascontiguousarray(pixels.transpose(2, 0, 1))
    from numcodecs.zstd import Zstd  # type: ignore[import-untyped]  # a large package, for this alone

    packed: bytes = Zstd(level=COMPRESSION).encode(planar)
    return bytes(packed)


def _multiscale(version: SlideVersion, name: str) -> dict[str, Any]:
    mpp, spacing = version.manifest.mpp, version.manifest.plane_spacing_um
    length: dict[str, str] = {} if mpp is None else {"unit": "micrometer"}
    depth: dict[str, str] = {} if spacing is None else {"unit": "micrometer"}
    axes = [
        {"name": "c", "type": "channel"},
        {"name": "z", "type": "space", **depth},
        {"name": "y", "type": "space", **length},
        {"name": "x", "type": "space", **length},
    ]
    levels = range(version.top + 1)
    datasets = [{"path": str(level), "coordinateTransformations": _transformations(version, level)} for level in levels]
    return {"name": name, "axes": axes, "datasets": datasets, "type": "mean"}


def _transformations(version: SlideVersion, level: int) -> list[dict[str, Any]]:
    """A pixel of a level is the mean of a square of level 0, so its centre is that square's centre (OZ3)."""
    x, y = version.manifest.mpp or (1.0, 1.0)
    depth, scale = version.manifest.plane_spacing_um or 1.0, float(1 << level)
    middle = (scale - 1) / 2
    return [
        {"type": "scale", "scale": [1.0, depth, y * scale, x * scale]},
        {"type": "translation", "translation": [0.0, 0.0, y * middle, x * middle]},
    ]


def _omero(version: SlideVersion) -> dict[str, Any]:
    if version.manifest.descriptions:
        described = [_channel(one) for one in version.manifest.descriptions]
        rendering = {"model": "color", "defaultZ": version.middle_plane}
        return {"version": VERSION, "channels": described, "rdefs": rendering}
    colours = COLOURS if version.manifest.channels > 1 else GREY
    window = {"min": 0.0, "start": 0.0, "end": 255.0, "max": 255.0}
    channels = [{"label": label, "color": colour, "active": True, "window": window} for label, colour in colours]
    model = "color" if version.manifest.channels > 1 else "greyscale"
    return {"version": VERSION, "channels": channels, "rdefs": {"model": model, "defaultZ": version.middle_plane}}


def _channel(channel: Channel) -> dict[str, Any]:
    """A channel as the default mix shows it (OZ4)."""
    low, high, _, on = channel.display
    least, most = channel.stored
    window = {"min": float(least), "start": float(low), "end": float(high), "max": float(most)}
    return {"label": channel.name, "color": channel.colour, "active": on, "window": window}

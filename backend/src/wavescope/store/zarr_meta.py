"""The zarr.json documents of a slide version (rules ST14 to ST16); everything in them follows from the manifest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wavescope.geometry import HALF, TILE
from wavescope.store.layout import APPROXIMATION_CODEC, BANDS, BLOCK_CODEC, SHARD
from wavescope.store.manifest import Manifest


def documents(manifest: Manifest) -> dict[str, bytes]:
    """Relative path -> content of every zarr.json of a version."""
    found = {
        "zarr.json": _document(_group({"wavescope": manifest.stored_json()})),
        "approximation/zarr.json": _document(_approximation(manifest)),
    }
    if manifest.top:
        found["levels/zarr.json"] = _document(_group({}))
    for level in range(manifest.top):
        found[f"levels/{level}/zarr.json"] = _document(_level(manifest, level))
    return found


def _document(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True).encode() + b"\n"


def _group(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {"zarr_format": 3, "node_type": "group", "attributes": attributes}


def _level(manifest: Manifest, level: int) -> dict[str, Any]:
    columns, rows = manifest.pyramid.tiles(level)
    block = [1, manifest.group_channels, BANDS, HALF, HALF]
    sharding = {
        "name": "sharding_indexed",
        "configuration": {
            "chunk_shape": block,
            "codecs": [_codec(BLOCK_CODEC, manifest, level)],
            "index_codecs": [
                {"name": "bytes", "configuration": {"endian": "little"}},
                {"name": "crc32c"},
            ],
            "index_location": "end",
        },
    }
    shape = [manifest.planes, manifest.channels, BANDS, HALF * rows, HALF * columns]
    shard = [1, manifest.group_channels, BANDS, SHARD * HALF, SHARD * HALF]
    return _array(shape, shard, sharding, ["z", "channel", "band", "y", "x"])


def _approximation(manifest: Manifest) -> dict[str, Any]:
    shape = [manifest.planes, manifest.channels, TILE, TILE]
    codec = _codec(APPROXIMATION_CODEC, manifest, manifest.top)
    return _array(shape, [1, manifest.group_channels, *shape[2:]], codec, ["z", "channel", "y", "x"])


def _codec(name: str, manifest: Manifest, level: int) -> dict[str, Any]:
    return {"name": name, "configuration": {"parameters": list(manifest.parameters[level])}}


def _array(shape: list[int], chunk: list[int], codec: Mapping[str, Any], names: list[str]) -> dict[str, Any]:
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": "int16",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "."}},
        "fill_value": 0,
        "codecs": [codec],
        "attributes": {},
        "dimension_names": names,
        "storage_transformers": [],
    }

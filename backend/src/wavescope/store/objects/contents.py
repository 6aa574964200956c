"""Which files a slide version has, with their lengths and hashes: what a copy of it needs (ST83)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from wavescope.errors import CorruptStore
from wavescope.store.layer_index import Directory, IndexShape, decode_directory
from wavescope.store.layout import VersionPaths, shard_name
from wavescope.store.manifest import Manifest
from wavescope.store.version import SlideVersion
from wavescope.store.zarr_meta import documents

MAX_MANIFEST = 16 << 20
"""Bytes of a manifest that are read."""
MAX_PROFILE = 64 << 20
"""Bytes of an ICC profile that are read."""
MAX_DIRECTORY = 1 << 30
"""Bytes of the directory of a layer index that are read: 25 million shards."""
NAMES = VersionPaths(Path())
"""The paths of the files in the folder of a version."""
MANIFEST, LAYER_INDEX, PROFILE = str(NAMES.manifest), str(NAMES.layer_index), str(NAMES.icc)


class Expected(NamedTuple):
    """A file's length, None if only its hash is known, and its SHA-256."""

    length: int | None
    sha256: bytes


def shape_of(version: SlideVersion) -> IndexShape:
    """The number and order of the entries of a version's layer index."""
    manifest = version.manifest
    return IndexShape(manifest.pyramid, manifest.planes, manifest.layers, version.bindings)


def checked_directory_bytes(version: SlideVersion, shape: IndexShape) -> int:
    """Bytes of the directory at the start of the layer index. CorruptStore if this cannot be right."""
    size = shape.directory_bytes
    if size > min(version.manifest.layer_index_bytes, MAX_DIRECTORY):
        raise CorruptStore(version.digest, "the layer index", f"its directory would have {size} bytes")
    return size


def read_directory(version: SlideVersion, read: Callable[[int, int], bytes]) -> Directory:
    """The directory of the layer index that ``read(offset, length)`` reads. CorruptStore if it is damaged."""
    shape = shape_of(version)
    try:
        data = read(0, checked_directory_bytes(version, shape))
        return decode_directory(data, shape, version.manifest.layer_index_bytes)
    except FileNotFoundError as error:
        raise CorruptStore(version.digest, "the layer index", "the file is missing") from error
    except ValueError as error:
        raise CorruptStore(version.digest, "the layer index", str(error)) from error


def contents(manifest: Manifest, directory: Directory) -> dict[str, Expected]:
    """Every file of a version but its manifest, by its path in the version's folder."""
    found = {
        name: Expected(len(document), hashlib.sha256(document).digest())
        for name, document in documents(manifest).items()
    }
    found[LAYER_INDEX] = Expected(manifest.layer_index_bytes, bytes.fromhex(manifest.layer_index_sha256))
    if manifest.icc_sha256 is not None:
        found[PROFILE] = Expected(None, bytes.fromhex(manifest.icc_sha256))
    for (z, c), plane in directory.approximations.items():
        if plane.file.length:
            found[str(NAMES.approximation_plane(z, c))] = Expected(*plane.file)
    for key, file in directory.shards.items():
        if file.length:
            found[shard_name(*key)] = Expected(*file)
    return found

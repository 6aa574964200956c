"""Checks a slide version and lists all damage (rules ST45, ST46)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from wavescope.errors import CorruptBlock, CorruptStore
from wavescope.geometry import Address
from wavescope.store.layer_index import FileRecord, ShardKey
from wavescope.store.layout import SHARD
from wavescope.store.reader import StoreReader
from wavescope.store.zarr_meta import documents

_CHUNK = 1 << 20


@dataclass(frozen=True)
class Damage:
    """One finding: the part of the version, what is wrong, and the block if it concerns just one."""

    part: str
    reason: str
    address: Address | None = None


def verify(
    store: Path, digest: str, progress: Callable[[int, int], None] = lambda done, total: None
) -> Iterator[Damage]:
    """Everything damaged in a version; nothing if every byte matches its digest. StaleVersion if there is none.

    ``progress`` gets the number of finished shards and their total.
    """
    try:
        reader = StoreReader.open(store, digest)
    except CorruptStore as error:
        yield Damage(error.part, error.reason)
        return
    yield from _documents(reader)
    yield from _icc(reader)
    yield from _layer_index(reader)
    try:
        directory = reader.directory
    except CorruptStore as error:
        yield Damage(error.part, error.reason)
        return
    for (z, c), record in directory.approximations.items():
        reason = _file_damage(reader.paths.approximation_plane(z, c), record.file)
        if reason:
            part = f"approximation of plane {z}" + (f", channel {c}" if reader.version.groups > 1 else "")
            yield Damage(part, reason, Address(z, c, reader.manifest.top, 0, 0))
    for done, (key, file) in enumerate(directory.shards.items()):
        progress(done, len(directory.shards))
        yield from _shard(reader, key, file)
    yield from _unknown_files(reader)
    progress(len(directory.shards), len(directory.shards))


def _unknown_files(reader: StoreReader) -> Iterator[Damage]:
    """What lies in the version and is not of it, inside the slide's grid or outside."""
    paths, root = reader.paths, reader.paths.root
    known = {paths.manifest, paths.layer_index, *(root / relative for relative in documents(reader.manifest))}
    known |= {paths.icc} if reader.manifest.icc else set()
    known |= {paths.approximation_plane(z, c) for z, c in reader.shape.pictures()}
    known |= {paths.shard(*key) for key in reader.directory.shards}  # those that should be absent are listed above
    for path in sorted(root.rglob("*")):
        if path not in known and (path.is_symlink() or not path.is_dir()):
            yield Damage(path.relative_to(root).as_posix(), "there should be no such file")


def _documents(reader: StoreReader) -> Iterator[Damage]:
    for relative, expected in documents(reader.manifest).items():
        try:
            damaged = (reader.paths.root / relative).read_bytes() != expected
        except OSError:
            damaged = True
        if damaged:
            yield Damage(relative, "it does not say what follows from the manifest")


def _icc(reader: StoreReader) -> Iterator[Damage]:
    try:
        reader.icc_profile()
    except CorruptStore as error:
        yield Damage(error.part, error.reason)


def _layer_index(reader: StoreReader) -> Iterator[Damage]:
    """The whole file against the manifest, then page by page to say where."""
    manifest = reader.manifest
    expected = FileRecord(manifest.layer_index_bytes, bytes.fromhex(manifest.layer_index_sha256))
    reason = _file_damage(reader.paths.layer_index, expected)
    if not reason:
        return
    yield Damage("layer index", reason)
    for key in reader.shape.pages():
        try:
            reader.page(*key)
        except CorruptStore as error:
            if error.part == "the layer index":
                return
            yield Damage(error.part, error.reason)


def _shard(reader: StoreReader, key: ShardKey, file: FileRecord) -> Iterator[Damage]:
    """The whole shard against the layer index, then block by block to say where."""
    reason = _file_damage(reader.paths.shard(*key), file)
    if not reason:
        return
    yield Damage(f"shard {tuple(key)}", reason)
    columns, rows = reader.manifest.pyramid.tiles(key.level)
    layers = range(reader.manifest.layers)
    for y in range(SHARD * key.sy, min(SHARD * (key.sy + 1), rows)):
        for x in range(SHARD * key.sx, min(SHARD * (key.sx + 1), columns)):
            address = Address(key.z, key.c, key.level, x, y)
            try:
                reader.read(address, layers)
            except CorruptBlock as error:
                yield Damage(f"block {tuple(address)}", error.reason, address)


def _file_damage(path: Path, expected: FileRecord) -> str | None:
    """What is wrong with a file, None if nothing."""
    try:
        size = path.stat().st_size
    except OSError:
        return "the file is missing" if expected.length else None
    if not expected.length:
        return "there should be no such file"
    if size != expected.length:
        return f"it has {size} bytes instead of {expected.length}"
    return None if _sha256(path) == expected.sha256 else "its SHA-256 does not match"


def _sha256(path: Path) -> bytes:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.digest()

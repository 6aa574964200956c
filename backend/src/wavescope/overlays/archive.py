"""The file of an overlay: tiles in a PMTiles archive (OV18)."""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO

from pmtiles.tile import (
    Compression,
    Entry,
    TileType,
    deserialize_directory,
    deserialize_header,
    find_tile,
    tileid_to_zxy,
    zxy_to_tileid,
)
from pmtiles.writer import finalize_header

from wavescope.errors import CorruptOverlay
from wavescope.overlays.columns import decompressed
from wavescope.overlays.manifest import OverlayManifest, manifest_of
from wavescope.overlays.raster import Samples, decoded_raster
from wavescope.overlays.tile import Place, Tile, decoded

HEADER_BYTES = 127
MAX_DIRECTORY = 4 << 20
CACHED_DIRECTORIES = 64

Read = Callable[[int, int], bytes]
"""Bytes from an offset on, so many or fewer at the end of the file."""


class ArchiveWriter:
    """Writes the tiles of each level to a file of its own in ``folder``, and joins them in Hilbert's order."""

    def __init__(self, folder: Path, top: int) -> None:
        self._top = top
        self._files: list[IO[bytes]] = [(folder / f"tiles-{zoom}").open("w+b") for zoom in range(top + 1)]
        self._entries: list[list[Entry]] = [[] for _ in self._files]

    def add(self, level: int, x: int, y: int, member: bytes) -> None:
        zoom = self._top - level
        file = self._files[zoom]
        self._entries[zoom].append(Entry(zxy_to_tileid(zoom, x, y), file.tell(), len(member), 1))
        file.write(member)

    def bytes_of_levels(self) -> tuple[int, ...]:
        """Of all tiles of each level, the lowest first."""
        return tuple(sum(one.length for one in entries) for entries in reversed(self._entries))

    def finish(self, path: Path, manifest: OverlayManifest) -> str:
        """Writes the archive, and answers its SHA-256."""
        entries: list[Entry] = []
        begin = 0
        for of_zoom in self._entries:
            of_zoom.sort(key=lambda one: one.tile_id)
            for one in of_zoom:
                entries.append(Entry(one.tile_id, begin, one.length, 1))
                begin += one.length
        header = {
            "tile_type": TileType.UNKNOWN,
            "tile_compression": Compression.GZIP,
            **dict.fromkeys(("min_lon_e7", "min_lat_e7", "max_lon_e7", "max_lat_e7"), 0),
            **dict.fromkeys(("center_zoom", "center_lon_e7", "center_lat_e7"), 0),
        }
        head = finalize_header(  # type: ignore[no-untyped-call]
            header, len(entries), entries, len(entries), manifest.document(), True, begin
        )
        with path.open("wb") as target:
            for part in head:
                target.write(part)
            for of_zoom, file in zip(self._entries, self._files, strict=True):
                _copy(of_zoom, file, target)
        self.close()
        return digest_of(path)

    def close(self) -> None:
        for file in self._files:
            file.close()


def _copy(entries: list[Entry], file: IO[bytes], target: IO[bytes]) -> None:
    """Copies what the entries name, in their order."""
    file.seek(0)
    if all(one.offset < after.offset for one, after in pairwise(entries)):
        shutil.copyfileobj(file, target)
        return
    for one in entries:
        file.seek(one.offset)
        target.write(file.read(one.length))


class Archive:
    """Reads an archive; threads may share it. Raises CorruptOverlay for what is damaged."""

    def __init__(self, read: Read) -> None:
        self._read = read
        head = read(0, HEADER_BYTES)
        try:
            self._header = deserialize_header(head)
        except Exception as error:  # the library raises several kinds
            raise CorruptOverlay(f"no PMTiles archive of version 3: {error!r}") from error
        if self._header["tile_compression"] != Compression.GZIP:
            raise CorruptOverlay("tiles that are not compressed by gzip")
        metadata = self._inflated(self._header["metadata_offset"], self._header["metadata_length"])
        try:
            self.manifest = manifest_of(json.loads(metadata))
        except ValueError as error:
            raise CorruptOverlay("the manifest is no JSON") from error
        self._directories: OrderedDict[int, list[Entry]] = OrderedDict()
        self._lock = threading.Lock()

    def member(self, level: int, x: int, y: int) -> bytes | None:
        """The bytes of a tile; None if nothing is there."""
        zoom = self.manifest.top - level
        if not (0 <= zoom <= self.manifest.top and 0 <= x < 1 << zoom and 0 <= y < 1 << zoom):
            return None
        number = zxy_to_tileid(zoom, x, y)
        offset, length = self._header["root_offset"], self._header["root_length"]
        for _ in range(4):
            found = find_tile(self._directory(offset, length), number)
            if found is None:
                return None
            if found.run_length > 0:
                return self._bytes(self._header["tile_data_offset"] + found.offset, found.length)
            offset, length = self._header["leaf_directory_offset"] + found.offset, found.length
        raise CorruptOverlay("directories that are nested too deep")

    def tile(self, level: int, x: int, y: int) -> Tile | None:
        member = self.member(level, x, y)
        return None if member is None else decoded(member, Place(level, x, y, self.manifest.score is not None))

    def samples(self, level: int, x: int, y: int) -> Samples | None:
        """The tile of a raster; None: it has zeros alone."""
        member, raster = self.member(level, x, y), self.manifest.raster
        assert raster is not None
        return None if member is None else decoded_raster(member, raster, level, x, y)

    def check(self, level: int, x: int, y: int) -> None:
        """Returns if the tile is right."""
        if self.manifest.raster is None:
            self.tile(level, x, y)
        else:
            self.samples(level, x, y)

    def places(self) -> Iterator[tuple[int, int, int]]:
        """Level, x and y of all tiles, the top first."""
        yield from self._places(self._header["root_offset"], self._header["root_length"], 0)

    def _places(self, offset: int, length: int, depth: int) -> Iterator[tuple[int, int, int]]:
        if depth > 3:
            raise CorruptOverlay("directories that are nested too deep")
        for entry in self._directory(offset, length):
            if entry.run_length == 0:
                yield from self._places(self._header["leaf_directory_offset"] + entry.offset, entry.length, depth + 1)
            for number in range(entry.tile_id, entry.tile_id + entry.run_length):
                zoom, x, y = tileid_to_zxy(number)
                yield self.manifest.top - zoom, x, y

    def _directory(self, offset: int, length: int) -> list[Entry]:
        with self._lock:
            known = self._directories.get(offset)
            if known is not None:
                self._directories.move_to_end(offset)
                return known
        if length > MAX_DIRECTORY:
            raise CorruptOverlay("a directory that is too large")
        try:
            entries: list[Entry] = deserialize_directory(self._bytes(offset, length))
        except Exception as error:  # of gzip, of numbers that end early
            raise CorruptOverlay(f"a directory is damaged: {error!r}") from error
        with self._lock:
            self._directories[offset] = entries
            while len(self._directories) > CACHED_DIRECTORIES:
                self._directories.popitem(last=False)
        return entries

    def _inflated(self, offset: int, length: int) -> bytes:
        if length > MAX_DIRECTORY:
            raise CorruptOverlay("a manifest that is too large")
        try:
            return decompressed(self._bytes(offset, length))
        except CorruptOverlay as error:
            raise CorruptOverlay(f"the manifest is damaged: {error}") from error

    def _bytes(self, offset: int, length: int) -> bytes:
        found = self._read(offset, length)
        if len(found) != length:
            raise CorruptOverlay("the file ends early")
        return found


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

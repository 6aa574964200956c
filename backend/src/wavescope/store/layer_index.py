"""The layer-index file of a slide version: directory, then pages (rules ST30 to ST35).

The directory says where each page lies, how long each shard is with its SHA-256, and the same for each approximation.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from wavescope.geometry import Pyramid
from wavescope.kernel.layers import Binding
from wavescope.store.checksum import SIZE, checked_body, with_checksum
from wavescope.store.layout import PAGE, page_grid, shard_grid
from wavescope.store.page import page_seed

MAGIC = b"WSLX"
VERSION = 1
_HEADER = struct.Struct("<4s4B4I")
_PAGE = struct.Struct("<QI")
_FILE = struct.Struct("<Q32s")


class PageKey(NamedTuple):
    """The place of a page: plane, channel group, level, and row-major number on the level."""

    z: int
    c: int
    level: int
    page: int


class ShardKey(NamedTuple):
    """The place of a shard: plane, channel group, level, column, row."""

    z: int
    c: int
    level: int
    sx: int
    sy: int


class FileRecord(NamedTuple):
    """A file's length (0: there is none) and SHA-256 (zeros: there is none)."""

    length: int
    sha256: bytes


NO_FILE = FileRecord(0, bytes(32))


class ApproximationRecord(NamedTuple):
    """The approximation of a plane and channel group: its file and the length of each layer in it."""

    file: FileRecord
    layers: tuple[int, ...]


@dataclass(frozen=True)
class IndexShape:
    """What decides the number and order of the directory's entries."""

    pyramid: Pyramid
    planes: int
    layers: int
    bindings: tuple[tuple[Binding, ...], ...]
    """[level][channel group]; that of the first approximations is covered by the checksum of the directory."""

    @property
    def groups(self) -> int:
        """Channel groups."""
        return len(self.bindings[-1])

    @property
    def seed(self) -> int:
        """Where the checksum of the directory begins."""
        return self.bindings[-1][0].seed

    def page_seed(self, key: PageKey) -> int:
        """See page.page_seed()."""
        return page_seed(self.bindings[key.level][key.c], key.z, key.page)

    def pictures(self) -> Iterator[tuple[int, int]]:
        """Every plane of every channel group in file order: by plane, group."""
        return product(range(self.planes), range(self.groups))

    def pages(self) -> Iterator[PageKey]:
        """Every page in file order: by plane, channel group, level, row, column."""
        for z, c in self.pictures():
            for level in range(self.pyramid.top):
                columns, rows = page_grid(self.pyramid, level)
                for page in range(columns * rows):
                    yield PageKey(z, c, level, page)

    def shards(self) -> Iterator[ShardKey]:
        """Every shard in file order: by plane, channel group, level, row, column."""
        for z, c in self.pictures():
            for level in range(self.pyramid.top):
                columns, rows = shard_grid(self.pyramid, level)
                for number in range(columns * rows):
                    yield ShardKey(z, c, level, number % columns, number // columns)

    @cached_property
    def counts(self) -> tuple[int, int]:
        """Number of pages and of shards."""
        grids = [(page_grid(self.pyramid, n), shard_grid(self.pyramid, n)) for n in range(self.pyramid.top)]
        pages = sum(page[0] * page[1] for page, _ in grids)
        shards = sum(shard[0] * shard[1] for _, shard in grids)
        count = self.planes * self.groups
        return count * pages, count * shards

    @property
    def directory_bytes(self) -> int:
        """Length of header, directory and checksum; the pages begin here."""
        pages, shards = self.counts
        approximations = self.planes * self.groups * (_FILE.size + 4 * self.layers)
        return _HEADER.size + pages * _PAGE.size + shards * _FILE.size + approximations + SIZE


@dataclass(frozen=True)
class Directory:
    """The parsed directory. ``pages`` maps to (offset, length) in the file."""

    pages: Mapping[PageKey, tuple[int, int]]
    shards: Mapping[ShardKey, FileRecord]
    approximations: Mapping[tuple[int, int], ApproximationRecord]
    """By plane and channel group, in file order."""

    @cached_property
    def shared_lengths(self) -> frozenset[int]:
        """The lengths that more than one shard of the slide has."""
        counts = Counter(record.length for record in self.shards.values())
        return frozenset(length for length, count in counts.items() if length and count > 1)


def encode_layer_index(
    shape: IndexShape,
    pages: Mapping[PageKey, bytes],
    shards: Mapping[ShardKey, FileRecord],
    approximations: tuple[ApproximationRecord, ...],
) -> bytes:
    """The whole file."""
    offset = shape.directory_bytes
    parts = [_header(shape)]
    page_bytes = [pages[key] for key in shape.pages()]
    for page in page_bytes:
        parts.append(_PAGE.pack(offset, len(page)))
        offset += len(page)
    parts.extend(_FILE.pack(*shards.get(key, NO_FILE)) for key in shape.shards())
    for record in approximations:
        parts.append(_FILE.pack(*record.file) + struct.pack(f"<{shape.layers}I", *record.layers))
    return b"".join([with_checksum(b"".join(parts), shape.seed), *page_bytes])


def decode_directory(data: bytes, shape: IndexShape, file_bytes: int) -> Directory:
    """The directory in the first ``shape.directory_bytes`` of the file; ValueError unless it is whole and fits."""
    if len(data) != shape.directory_bytes:
        raise ValueError("the directory is cut short")
    body = checked_body(data, "the directory", shape.seed)
    if body[: _HEADER.size] != _header(shape):
        raise ValueError("the directory does not fit the manifest")
    page_count, shard_count = shape.counts
    at = _HEADER.size
    pages_end = at + page_count * _PAGE.size
    shards_end = pages_end + shard_count * _FILE.size
    places = list(_PAGE.iter_unpack(body[at:pages_end]))
    if any(offset < len(data) or offset + length > file_bytes for offset, length in places):
        raise ValueError("a page lies outside the file")
    files = [FileRecord(*entry) for entry in _FILE.iter_unpack(body[pages_end:shards_end])]
    one = struct.Struct(f"<Q32s{shape.layers}I")
    approximations = tuple(
        ApproximationRecord(FileRecord(entry[0], entry[1]), tuple(entry[2:]))
        for entry in one.iter_unpack(body[shards_end:])
    )
    if any(sum(record.layers) != record.file.length for record in approximations):
        raise ValueError("the layers of an approximation do not make up its file")
    return Directory(
        dict(zip(shape.pages(), places, strict=True)),
        dict(zip(shape.shards(), files, strict=True)),
        dict(zip(shape.pictures(), approximations, strict=True)),
    )


def _header(shape: IndexShape) -> bytes:
    pages, shards = shape.counts
    return _HEADER.pack(
        MAGIC,
        VERSION,
        shape.layers,
        shape.pyramid.top,
        PAGE,
        shape.planes * shape.groups,
        pages,
        shards,
        shape.directory_bytes,
    )

"""The chunks of an array are found and measured before zarr-python decodes them."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits
from wavescope.source.decoded_size import SIZES

CODECS = frozenset({*SIZES, "bytes", "crc32c", "delta", "sharding_indexed", "shuffle", "transpose", "vlen-utf8"})
"""What may decode: other codecs of numcodecs run code that a file contains (pickle) or make other pixels."""
LARGEST_SAMPLE = 8
"""Bytes of a sample before its filters; one has at most 2 after them."""
ABSENT = (1 << 64) - 1


class Chunks:
    """``document``: the metadata of an array. Raises UnsupportedSource for codecs that are not read."""

    def __init__(self, path: Path, level: Path, document: Mapping[str, Any], array: Any, limits: Limits) -> None:
        self.array = array
        self._path, self._level, self._limits = path, level, limits
        names = checked_codecs(path, document)
        self._codec = next((SIZES[name] for name in names if name in SIZES), None)
        self._index_first = "sharding_indexed" in names and _sharding(document).get("index_location") == "start"

    def check(self, key: Sequence[int], sample: int = LARGEST_SAMPLE) -> None:
        """``key``: the place of a chunk; ``sample``: bytes of one value at most. Raises UnreadableSource if it decodes
        to more than a chunk has.
        """
        if self._codec is None:
            return
        most = min(sample * math.prod(self.array.chunks), self._limits.decoded_bytes)
        if self._codec(self._bytes(key), most) > most:
            raise UnreadableSource(self._path, f"its chunk {tuple(key)} decodes to more than {most:,} bytes")

    def _bytes(self, key: Sequence[int]) -> bytes:
        shards = self.array.shards
        if shards is None:
            return self._read(self._file(key))
        counts = [whole // part for whole, part in zip(shards, self.array.chunks, strict=True)]
        file = self._file([at // count for at, count in zip(key, counts, strict=True)])
        length, number = 16 * math.prod(counts) + 4, 0
        for at, count in zip(key, counts, strict=True):
            number = number * count + at % count
        index = self._read(file, 0 if self._index_first else -length, length)
        if len(index) < length:
            return b""
        offset, size = struct.unpack_from("<QQ", index, 16 * number)
        return b"" if offset == size == ABSENT else self._read(file, offset, size)

    def _file(self, key: Sequence[int]) -> Path:
        return self._level / str(self.array.metadata.encode_chunk_key(tuple(key)))

    def _read(self, file: Path, offset: int = 0, length: int = -1) -> bytes:
        """Of a file that need not be there."""
        try:
            size = file.stat().st_size
            with file.open("rb") as stream:
                stream.seek(min(size, offset) if offset >= 0 else max(0, size + offset))
                return stream.read(min(size, length))
        except FileNotFoundError:
            return b""


def checked_codecs(path: Path, document: Mapping[str, Any]) -> list[str]:
    """The names of all codecs of an array. Raises UnsupportedSource."""
    names = [str(name) for name in (_names(document["codecs"]) if "codecs" in document else _filters(document))]
    for name in names:
        if name not in CODECS:
            raise UnsupportedSource(path, f"chunks of the codec {name[:60]!r} are not read")
    if sum(name in SIZES for name in names) > 1:
        raise UnsupportedSource(path, "chunks that are compressed twice are not read")
    if "sharding_indexed" in names:
        sharding = _sharding(document)
        index = list(_names(sharding.get("index_codecs") or []))
        if names.count("sharding_indexed") > 1 or len(document["codecs"]) > 1 or index != ["bytes", "crc32c"]:
            raise UnsupportedSource(path, "shards within other codecs, or with another index than Zarr's, are not read")
    return names


def _sharding(document: Mapping[str, Any]) -> Mapping[str, Any]:
    configuration = document["codecs"][0].get("configuration") if isinstance(document["codecs"][0], dict) else None
    return configuration if isinstance(configuration, dict) else {}


def _names(codecs: Any) -> Iterator[Any]:
    """The names of codecs of Zarr 3, also of those inside of shards."""
    for codec in codecs if isinstance(codecs, list) else [codecs]:
        yield codec.get("name") if isinstance(codec, dict) else codec
        inner = codec.get("configuration") if isinstance(codec, dict) else None
        if isinstance(inner, dict) and "codecs" in inner:
            yield from _names(inner["codecs"])


def _filters(document: Mapping[str, Any]) -> Iterator[Any]:
    """The names of codecs of Zarr 2."""
    filters = document.get("filters") or []
    for codec in [*(filters if isinstance(filters, list) else [filters]), document.get("compressor")]:
        if codec is not None:
            yield codec.get("id") if isinstance(codec, dict) else codec

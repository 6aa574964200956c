"""How many bytes a compressed chunk decodes to, before it is decoded."""

from __future__ import annotations

import bz2
import gzip
import struct
import zlib

import numcodecs  # type: ignore[import-untyped]
import numpy as np
import pytest

from wavescope.source.decoded_size import SIZES, ZSTD, ZSTD_BLOCK, zlib_size

DATA = np.random.default_rng(2).integers(0, 9, 300_000, np.uint8).tobytes()
MOST = 1 << 20
ENCODED = {
    "gzip": gzip.compress(DATA),
    "zlib": zlib.compress(DATA),
    "bz2": bz2.compress(DATA),
    "zstd": bytes(numcodecs.Zstd().encode(DATA)),
    "blosc": bytes(numcodecs.Blosc().encode(DATA)),
    "lz4": bytes(numcodecs.LZ4().encode(DATA)),
}


@pytest.mark.parametrize("codec", SIZES)
def test_the_size_is_that_of_the_data(codec: str) -> None:
    assert SIZES[codec](ENCODED[codec], MOST) == len(DATA)
    assert SIZES[codec](b"", MOST) == 0


@pytest.mark.parametrize("codec", ["gzip", "bz2", "zstd"])
def test_several_streams_one_after_the_other_count_together(codec: str) -> None:
    assert SIZES[codec](2 * ENCODED[codec], MOST) == 2 * len(DATA)


@pytest.mark.parametrize("codec", SIZES)
def test_every_prefix_has_at_most_this_size(codec: str) -> None:
    for end in range(0, len(ENCODED[codec]), 997):
        assert SIZES[codec](ENCODED[codec][:end], MOST) <= len(DATA)


def test_counting_ends_soon_after_the_most() -> None:
    assert 1000 < zlib_size(zlib.compress(bytes(1 << 24)), 1000) <= 1000 + (1 << 16)


def test_frames_of_zstandard_that_do_not_say_their_size_count_their_blocks() -> None:
    raw = struct.pack("<I", 5 << 3)[:3] + b"12345"
    run = struct.pack("<I", 70_000 << 3 | 1 << 1)[:3] + b"x"
    packed = struct.pack("<I", 4 << 3 | 2 << 1 | 1)[:3] + b"1234"
    frame = ZSTD + bytes([0, 0]) + raw + run + packed
    assert SIZES["zstd"](frame, MOST) == 5 + 70_000 + ZSTD_BLOCK
    skipped = struct.pack("<II", 0x184D2A50, 3) + b"abc"
    assert SIZES["zstd"](skipped + frame + ENCODED["zstd"], MOST) == 5 + 70_000 + ZSTD_BLOCK + len(DATA)

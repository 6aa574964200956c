"""The layer-index file (ST30 to ST35)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling import share
from wavescope.geometry import Pyramid
from wavescope.kernel.layers import Binding
from wavescope.store.layer_index import (
    ApproximationRecord,
    FileRecord,
    IndexShape,
    decode_directory,
    encode_layer_index,
)


def shape_of(pyramid: Pyramid, planes: int, layers: int, seed: int = 9) -> IndexShape:
    return IndexShape(pyramid, planes, layers, tuple((Binding(seed + n, 1, 0),) for n in range(pyramid.top + 1)))


shapes = st.builds(
    lambda w, h, z, k: shape_of(Pyramid(w, h), z, k),
    st.integers(1, 60_000),
    st.integers(1, 60_000),
    st.integers(1, 2),
    st.integers(1, 3),
)


def built(shape: IndexShape) -> bytes:
    """An index with recognisable content."""
    pages = {key: bytes([number % 251]) * (number % 5 + 1) for number, key in enumerate(shape.pages())}
    shards = {key: FileRecord(number, bytes([number % 256]) * 32) for number, key in enumerate(shape.shards())}
    layers = tuple(range(1, shape.layers + 1))
    approximation = ApproximationRecord(FileRecord(sum(layers), b"a" * 32), layers)
    return encode_layer_index(shape, pages, shards, (approximation,) * shape.planes)


@settings(max_examples=share(30))
@given(shapes)
def test_st30_the_directory_finds_every_page_shard_and_approximation(shape: IndexShape) -> None:
    data = built(shape)
    directory = decode_directory(data[: shape.directory_bytes], shape, len(data))
    for number, key in enumerate(shape.pages()):
        offset, length = directory.pages[key]
        assert data[offset : offset + length] == bytes([number % 251]) * (number % 5 + 1)
    assert [record.length for record in directory.shards.values()] == list(range(shape.counts[1]))
    assert len(directory.approximations) == shape.planes


@given(st.data())
def test_st31_a_flipped_bit_in_the_directory_is_found(data: st.DataObject) -> None:
    shape = shape_of(Pyramid(9000, 5000), 2, 2)
    index = built(shape)
    directory = bytearray(index[: shape.directory_bytes])
    bit = data.draw(st.integers(0, 8 * len(directory) - 1))
    directory[bit // 8] ^= 1 << bit % 8
    with pytest.raises(ValueError, match="checksum"):
        decode_directory(bytes(directory), shape, len(index))


def test_st31_a_directory_of_another_slide_is_refused() -> None:
    shape, other = shape_of(Pyramid(9000, 5000), 1, 2), shape_of(Pyramid(9001, 4000), 1, 3)
    index = built(shape)
    with pytest.raises(ValueError, match="cut short"):
        decode_directory(index[: shape.directory_bytes - 1], shape, len(index))
    with pytest.raises(ValueError, match=r"cut short|checksum|fit the manifest"):
        decode_directory(index[: shape.directory_bytes], other, len(index))


def test_st31_the_directory_of_a_slide_of_the_same_size_is_refused() -> None:
    pyramid = Pyramid(9000, 5000)
    index, shape = built(shape_of(pyramid, 1, 2, seed=40)), shape_of(pyramid, 1, 2)
    with pytest.raises(ValueError, match="checksum"):
        decode_directory(index[: shape.directory_bytes], shape, len(index))


def test_st32_a_page_outside_the_file_is_refused() -> None:
    shape = shape_of(Pyramid(9000, 5000), 1, 2)
    index = built(shape)
    with pytest.raises(ValueError, match="outside"):
        decode_directory(index[: shape.directory_bytes], shape, len(index) - 1)

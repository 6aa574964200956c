"""Layer-index pages (ST20 to ST23)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wavescope.kernel.layers import Binding
from wavescope.store.checksum import with_checksum
from wavescope.store.page import Lengths, decode_page, encode_page, page_seed

BINDING = Binding(0x1234567, 1, 0)
SEED = page_seed(BINDING, 2, 1)
shapes = st.tuples(st.integers(1, 32), st.integers(1, 32), st.integers(1, 4))
lengths = shapes.flatmap(
    lambda shape: arrays(np.uint32, shape, elements=st.one_of(st.integers(1, 2**32 - 1), st.integers(1, 300)))
)


def with_empty_blocks(found: Lengths) -> Lengths:
    found[found[:, :, 0] % 3 == 0] = 0
    return found


pages = lengths.map(with_empty_blocks)


@given(pages)
def test_st20_a_page_gives_back_its_lengths(page: Lengths) -> None:
    rows, columns, layers = page.shape
    assert (decode_page(encode_page(page, SEED), (columns, rows, layers), SEED) == page).all()


@given(pages, st.data())
def test_st21_a_flipped_bit_is_found(page: Lengths, data: st.DataObject) -> None:
    rows, columns, layers = page.shape
    encoded = bytearray(encode_page(page, SEED))
    bit = data.draw(st.integers(0, 8 * len(encoded) - 1))
    encoded[bit // 8] ^= 1 << bit % 8
    with pytest.raises(ValueError):  # noqa: PT011
        decode_page(bytes(encoded), (columns, rows, layers), SEED)


@given(pages, st.data())
def test_st21_every_cut_page_is_found(page: Lengths, data: st.DataObject) -> None:
    rows, columns, layers = page.shape
    encoded = encode_page(page, SEED)
    with pytest.raises(ValueError):  # noqa: PT011
        decode_page(encoded[: data.draw(st.integers(0, len(encoded) - 1))], (columns, rows, layers), SEED)


def test_st20_a_page_looks_as_the_document_draws_it() -> None:
    page = np.array([[[300, 5], [0, 0]]], np.uint32)
    encoded = encode_page(page, SEED)
    assert encoded[:-4] == b"WSLI" + bytes([1, 2, 2, 1]) + bytes([0xAC, 0x02, 5, 0, 0])
    assert encoded == with_checksum(encoded[:-4], SEED)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"WSLI" + bytes([1, 1, 1, 1]) + bytes([0x80, 0x00]), "shortest"),
        (b"WSLI" + bytes([1, 1, 1, 1]) + bytes([0x80] * 6 + [1]), "too long"),
        (b"WSLI" + bytes([1, 1, 1, 1]) + bytes([0xFF, 0xFF, 0xFF, 0xFF, 0x7F]), "shortest"),
        (b"WSLI" + bytes([1, 1, 1, 1]) + bytes([1, 1]), "2 lengths instead of 1"),
        (b"WSLI" + bytes([1, 1, 1, 1]), "0 lengths instead of 1"),
        (b"WSLI" + bytes([1, 1, 1, 1, 0x80]), "0 lengths instead of 1"),
        (b"WSLI" + bytes([2, 1, 1, 1, 1]), "header"),
        (b"WSLX" + bytes([1, 1, 1, 1, 1]), "header"),
        (b"WSLI" + bytes([1, 1, 2, 1, 1, 1]), "header"),
    ],
)
def test_st22_a_page_with_a_right_checksum_and_wrong_content_is_refused(body: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        decode_page(with_checksum(body, SEED), (1, 1, 1), SEED)


def test_st23_a_block_with_some_of_its_layers_is_refused() -> None:
    page = np.array([[[7, 0]]], np.uint32)
    with pytest.raises(ValueError, match="some of its layers"):
        decode_page(encode_page(page, SEED), (1, 1, 2), SEED)


@pytest.mark.parametrize(
    "elsewhere",
    [page_seed(BINDING, 2, 0), page_seed(BINDING, 1, 1), page_seed(BINDING._replace(seed=5), 2, 1), 0],
)
def test_st20_a_page_of_another_plane_number_level_or_slide_is_refused(elsewhere: int) -> None:
    page = np.array([[[7]]], np.uint32)
    with pytest.raises(ValueError, match="checksum"):
        decode_page(encode_page(page, elsewhere), (1, 1, 1), SEED)

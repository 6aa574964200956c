"""Shards (ST10 to ST13)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavescope.store.checksum import with_checksum
from wavescope.store.layout import SHARD_BLOCKS
from wavescope.store.shard import ABSENT, INDEX_BYTES, Z_ORDER, assemble, decode_index

blocks = st.lists(st.binary(max_size=20), min_size=SHARD_BLOCKS, max_size=SHARD_BLOCKS)


@given(blocks)
def test_st10_st11_every_block_is_found_by_the_index(stored: list[bytes]) -> None:
    shard = b"".join(assemble(stored))
    entries = decode_index(shard[-INDEX_BYTES:], len(shard))
    found = [b"" if entry is None else shard[entry[0] : entry[0] + entry[1]] for entry in entries]
    assert found == stored
    assert len(shard) == sum(map(len, stored)) + INDEX_BYTES


def test_st11_blocks_lie_in_z_order() -> None:
    assert Z_ORDER[:6] == (0, 1, 16, 17, 2, 3)
    assert sorted(Z_ORDER) == list(range(SHARD_BLOCKS))


@given(blocks, st.integers(0, 8 * INDEX_BYTES - 1))
def test_st13_a_flipped_bit_in_the_index_is_found(stored: list[bytes], bit: int) -> None:
    shard = b"".join(assemble(stored))
    index = bytearray(shard[-INDEX_BYTES:])
    index[bit // 8] ^= 1 << bit % 8
    with pytest.raises(ValueError, match="checksum"):
        decode_index(bytes(index), len(shard))


INDEX = assemble([b"x"] * SHARD_BLOCKS)[-1]


@given(st.integers(0, INDEX_BYTES - 1))
def test_st13_a_cut_index_is_found(length: int) -> None:
    with pytest.raises(ValueError, match="instead of"):
        decode_index(INDEX[:length], SHARD_BLOCKS + length)


@pytest.mark.parametrize(
    ("offset", "length"), [(0, 0), (0, 101), (100, 1), (ABSENT, 5), (5, ABSENT), (2**63, 2**63), (ABSENT - 1, 3)]
)
def test_st13_an_entry_outside_the_shard_is_refused(offset: int, length: int) -> None:
    entries = (offset.to_bytes(8, "little") + length.to_bytes(8, "little")) + b"\xff" * 16 * (SHARD_BLOCKS - 1)
    with pytest.raises(ValueError, match="inside the shard"):
        decode_index(with_checksum(entries), 100 + INDEX_BYTES)

"""Layers as bytes: every way of being wrong has its own error, and no bytes crash anything."""

from __future__ import annotations

from collections.abc import Callable

import google_crc32c
import numpy as np
import pytest

from kernel.tiles import alone
from wavescope import kernel
from wavescope.errors import CodecError
from wavescope.geometry import HALF, TILE

Block = list[bytes]


def coded(seed: int = 0, profile: kernel.Profile = "visual", channels: int = 3) -> Block:
    """A small block: glass with a noisy spot."""
    image = np.full((TILE, TILE, channels), 200, np.uint8)
    image[70:90, 60:100] -= np.random.default_rng(seed).integers(0, 120, (20, 40, channels)).astype(np.uint8)
    codec = kernel.choose_codec(profile, image)
    return alone(kernel.samples_from_pixels(image, codec), codec)


def signed(layer: bytes) -> bytes:
    """The same bytes with a checksum that fits."""
    return layer[:-4] + google_crc32c.value(layer[:-4]).to_bytes(4, "little")


def changed(layer: bytes, at: int, value: int) -> bytes:
    return layer[:at] + bytes([value]) + layer[at + 1 :]


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(CodecError) as caught:
        call()
    return caught.value.code


def test_cs5_cs6_cs12_a_block_is_cut_into_its_layers_and_each_passes_its_check() -> None:
    block = coded(profile="lossless")
    layers = kernel.split_layers(b"".join(block))
    assert layers == block
    assert len(layers) == 3
    for index, layer in enumerate(layers):
        kernel.check_layer(layer, index)
    assert kernel.split_layers(b"") == []


def test_cs9_cs10_the_header_tells_what_the_block_was_coded_with() -> None:
    header = kernel.parse_header(coded(profile="lossless")[0])
    fields = (header.kind, header.profile, header.channels, header.layers, header.fraction_bits, header.bit_depth)
    assert fields == ("details", "lossless", 3, 3, 0, 8)


def test_cs6_any_flipped_bit_of_a_layer_is_noticed_with_and_without_the_kernel() -> None:
    block = coded()
    for at in [*range(40), *range(40, len(block[0]), 97), len(block[0]) - 1]:
        flipped = changed(block[0], at, block[0][at] ^ 1 << at % 8)
        assert refusal(lambda layer=flipped: kernel.check_layer(layer, 0))
        assert refusal(lambda layer=flipped: kernel.decode_block([layer, block[1]]))


def test_cs7_every_truncated_length_is_an_error() -> None:
    block = coded(channels=1)
    whole = b"".join(block)
    for size in range(1, len(whole), 3):
        if size != len(block[0]):
            assert refusal(lambda n=size: kernel.split_layers(whole[:n])) == "truncated"
            assert refusal(lambda n=size: kernel.decode_block([whole[:n]])) == "truncated"


@pytest.mark.parametrize(
    ("at", "value", "code"),
    [
        (0, 0x58, "magic"),
        (1, 2, "newer-version"),
        (10, 16, "unsupported"),
        (8, 9, "unsupported"),
        (9, 2, "unsupported"),
    ],
)
def test_cs7_cs11_cs13_other_formats_newer_versions_and_unknown_fields_are_refused_by_name(
    at: int, value: int, code: str
) -> None:
    layer = signed(changed(coded()[0], at, value))
    assert refusal(lambda: kernel.decode_block([layer])) == code


def test_cs7_cs8_layers_out_of_place_are_refused() -> None:
    first, other = coded(1), coded(2)
    top = np.zeros((1, TILE, TILE), np.int16)
    assert refusal(lambda: kernel.decode_block([first[1]])) == "order"
    assert refusal(lambda: kernel.decode_block([first[0], first[0]])) == "order"
    assert refusal(lambda: kernel.decode_block([*first, first[1]])) == "order"
    assert refusal(lambda: kernel.decode_block([])) == "order"
    assert refusal(lambda: kernel.decode_block([first[0], other[1]])) == "binding"
    assert refusal(lambda: kernel.decode_approximation(first)) == "kind"
    assert refusal(lambda: kernel.decode_tile(top, (0, 0), first)) == "channel-count"
    assert refusal(lambda: kernel.decode_tile(top, (0, 0), [b""])) == "truncated"
    assert refusal(lambda: kernel.check_layer(first[1], 0)) == "order"
    assert refusal(lambda: kernel.check_layer(first[0] + b"\0", 0)) == "order"
    assert refusal(lambda: kernel.parse_header(first[1])) == "order"


def test_more_bytes_than_any_block_has_are_refused_before_they_are_copied() -> None:
    assert refusal(lambda: kernel.decode_block([bytes(17 << 20)])) == "header"


def test_random_payloads_with_fitting_checksums_always_give_coefficients() -> None:
    random = np.random.default_rng(5)
    layer = coded(channels=1)[0]
    for _ in range(20):
        noise = random.integers(0, 256, len(layer) - 64, dtype=np.uint8).tobytes()
        assert kernel.decode_block([signed(layer[:60] + noise + layer[-4:])]).shape == (1, 3, HALF, HALF)


def test_a_failed_call_does_not_affect_the_next() -> None:
    block = coded()
    before = kernel.decode_block(block)
    assert refusal(lambda: kernel.decode_block([block[0][:-9]]))
    assert np.array_equal(kernel.decode_block(block), before)

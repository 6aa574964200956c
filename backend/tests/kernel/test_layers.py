"""Layers and parameter sets as bytes: every way of being wrong has its own error, and no bytes crash anything."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace

import google_crc32c
import numpy as np
import pytest

from kernel.tiles import FIRST
from wavescope import kernel
from wavescope.errors import CodecError
from wavescope.geometry import HALF, TILE, Address
from wavescope.kernel.layers import read_address
from wavescope.kernel.tiles import DEFAULT_TOP_LEVEL

Block = list[bytes]
IMAGE = np.full((TILE, TILE, 3), 200, np.uint8)


def codec_of(profile: kernel.Profile = "visual", channels: int = 3, key: str = "5" * 32) -> kernel.Codec:
    return replace(kernel.choose_codec(profile, IMAGE[..., :channels]), key=key)


def parameters_of(codec: kernel.Codec, level: int = 0) -> kernel.ParameterSet:
    return kernel.read_parameters(codec.parameter_set(level))


VISUAL, LOSSLESS, GREY = codec_of(), codec_of("lossless"), codec_of(channels=1)
SETS = {codec: parameters_of(codec) for codec in (VISUAL, LOSSLESS, GREY)}


def coded(seed: int = 0, codec: kernel.Codec = VISUAL, address: Address = FIRST) -> Block:
    """A small block: glass with a noisy spot."""
    image = IMAGE[..., : codec.channels].copy()
    noise = np.random.default_rng(seed).integers(0, 120, (20, 40, codec.channels))
    image[70:90, 60:100] -= noise.astype(np.uint8)
    samples = kernel.samples_from_pixels(image, codec)
    return kernel.encode_tile(samples, kernel.parent_of({(0, 0): kernel.means(samples)}), address, codec)


def decoded(layers: Block, codec: kernel.Codec = VISUAL, address: Address = FIRST) -> np.ndarray:
    return kernel.decode_block(layers, SETS[codec], address)


def signed(layer: bytes, index: int, codec: kernel.Codec = VISUAL) -> bytes:
    """The same bytes with a checksum that fits."""
    bound = SETS[codec].data + struct.pack("<IHH", index, 0, 0)
    return layer[:-4] + google_crc32c.value(bound + layer[:-4]).to_bytes(4, "little")


def changed(layer: bytes, at: int, value: int) -> bytes:
    return layer[:at] + bytes([value]) + layer[at + 1 :]


def refusal(call: Callable[..., object], *given: object) -> str:
    with pytest.raises(CodecError) as caught:
        call(*given)
    return caught.value.code


def test_cs5_cs6_cs12_a_block_is_cut_into_its_layers_and_each_passes_its_check() -> None:
    block = coded(codec=LOSSLESS)
    layers = kernel.split_layers(b"".join(block))
    assert layers == block
    assert len(layers) == 3
    for index, layer in enumerate(layers):
        kernel.check_layer(layer, index, SETS[LOSSLESS].binding, FIRST)
    assert kernel.split_layers(b"") == []


def test_cs5_the_address_is_in_layer_0() -> None:
    address = Address(4095, 0, 0, 65535, 300)
    block = coded(address=address)
    assert kernel.address_of(block, SETS[VISUAL]) == read_address(block[0], 0, 1) == address
    kernel.check_layer(block[0], 0, SETS[VISUAL].binding, address)  # raises nothing
    assert decoded(block, address=address).any()
    assert len(block[0]) == len(coded()[0]) + 1 + 2 + 1
    assert len(block[1]) == len(coded()[1])


def test_cs9_cs10_the_parameter_set_tells_what_a_block_is_coded_with() -> None:
    said = SETS[LOSSLESS]
    fields = (said.kind, said.profile, said.channels, said.layers, said.fraction_bits, said.bit_depth, said.level)
    assert fields == ("details", "lossless", 3, 3, 0, 8, 0)
    assert (said.groups, said.group) == (1, 0)
    top = kernel.read_parameters(VISUAL.parameter_set(3, approximation=True))
    assert (top.kind, top.level, top.fraction_bits) == ("approximation", 3, 4)


def test_cs6_any_flipped_bit_of_a_layer_is_noticed_with_and_without_the_kernel() -> None:
    block = coded()
    binding = SETS[VISUAL].binding
    for at in [*range(40), *range(40, len(block[0]), 97), len(block[0]) - 1]:
        flipped = changed(block[0], at, block[0][at] ^ 1 << at % 8)
        assert refusal(kernel.check_layer, flipped, 0, binding, FIRST)
        assert refusal(decoded, [flipped, block[1]])


def test_cs7_every_truncated_length_is_an_error() -> None:
    block = coded(codec=GREY)
    data = b"".join(block)
    for size in range(1, len(data), 3):
        if size != len(block[0]):
            assert refusal(kernel.split_layers, data[:size]) == "truncated"
            assert refusal(decoded, [data[:size]], GREY) == "truncated"


@pytest.mark.parametrize(
    ("at", "value", "code"),
    [
        (0, 0x58, "magic"),
        (2, 2, "newer-version"),
        (3, 2, "newer-version"),
        (6, 10, "unsupported-tile"),
        (7, 9, "unsupported"),
        (14, 8, "unsupported"),
        (15, 1, "unsupported"),
        (9, 4, "unsupported-channels"),
        (11, 2, "unsupported-channels"),
        (11, 64, "unsupported-channels"),
        (11, 65, "header"),
        (12, 16, "unsupported-depth"),
        (12, 8 | 128, "unsupported-depth"),
        (12, 17, "header"),
    ],
)
def test_cs11_cs13_other_formats_newer_versions_and_what_is_not_implemented_are_refused_by_name(
    at: int, value: int, code: str
) -> None:
    assert refusal(lambda: kernel.read_parameters(changed(SETS[VISUAL].data, at, value))) == code


def test_cs7_layers_out_of_order_are_refused() -> None:
    first, binding = coded(1), SETS[VISUAL].binding
    assert refusal(lambda: decoded([first[1]])) in ("checksum", "header")
    assert refusal(lambda: decoded([first[0], first[0]])) == "checksum"
    assert refusal(lambda: decoded([*first, first[1]])) == "order"
    assert refusal(lambda: decoded([])) == "order"
    assert refusal(lambda: kernel.check_layer(first[0], 1, binding, FIRST)) == "checksum"
    assert refusal(lambda: kernel.check_layer(first[0] + b"\0", 0, binding, FIRST)) == "order"


def test_cs7_the_parent_and_the_kind_must_fit() -> None:
    first, top = coded(1), np.zeros((1, TILE, TILE), np.int16)
    approximation = kernel.read_parameters(VISUAL.parameter_set(0, approximation=True))
    assert refusal(lambda: kernel.decode_approximation(first, SETS[VISUAL])) == "kind"
    assert refusal(lambda: kernel.decode_block(first, approximation, FIRST)) == "kind"
    assert refusal(lambda: kernel.decode_tile(top, first, SETS[VISUAL], FIRST)) == "channel-count"
    assert refusal(lambda: kernel.decode_tile(top, [b""], SETS[GREY], FIRST)) == "order"


BESIDE = [Address(*place) for place in ((1, 0, 0, 0, 0), (0, 0, 0, 1, 0), (0, 0, 0, 0, 1), (0, 0, 0, 300, 2))]


@pytest.mark.parametrize("place", BESIDE)
def test_cs6_cs8_a_block_of_another_plane_or_tile_is_refused(place: Address) -> None:
    there, here = coded(address=place), coded()
    binding = SETS[VISUAL].binding
    assert refusal(lambda: decoded(there)) == "binding"
    assert refusal(lambda: kernel.check_layer(there[0], 0, binding, FIRST)) == "binding"
    assert refusal(lambda: kernel.check_layer(there[1], 1, binding, FIRST)) == "checksum"
    assert refusal(lambda: decoded([here[0], there[1]])) == "checksum"
    moved = read_address(there[0], 0, 1)
    assert moved == place


@pytest.mark.parametrize("other", [codec_of(key="6" * 32), codec_of("lossless"), replace(VISUAL, dead_zone=1)])
def test_cs6_cs8_a_block_of_another_slide_is_refused(other: kernel.Codec) -> None:
    """Unless key and parameter set are the same, which ``dead_zone`` is no part of (ST78 makes the key another)."""
    block, same = coded(codec=other), other.parameter_set(0) == VISUAL.parameter_set(0)
    if same:
        assert decoded(block).shape == (3, 3, HALF, HALF)
    else:
        assert refusal(lambda: decoded(block)) == "checksum"
        assert refusal(lambda: kernel.check_layer(block[0], 0, SETS[VISUAL].binding, FIRST)) == "checksum"


def test_cs6_cs8_a_block_of_another_level_is_refused() -> None:
    levels = [kernel.read_parameters(VISUAL.parameter_set(level)) for level in range(DEFAULT_TOP_LEVEL)]
    block = coded()
    assert [refusal(kernel.decode_block, block, s, FIRST) for s in levels[1:]] == ["checksum"] * 3


def test_more_bytes_than_any_block_has_are_refused_before_they_are_copied() -> None:
    assert refusal(lambda: decoded([bytes(17 << 20)])) == "header"


def test_random_payloads_with_fitting_checksums_always_give_coefficients() -> None:
    random = np.random.default_rng(5)
    layer = coded(codec=GREY)[0]
    for _ in range(20):
        noise = random.integers(0, 256, len(layer) - 9, dtype=np.uint8).tobytes()
        assert decoded([signed(layer[:5] + noise + layer[-4:], 0, GREY)], GREY).shape == (1, 3, HALF, HALF)


def test_a_failed_call_does_not_affect_the_next() -> None:
    block = coded()
    before = decoded(block)
    assert refusal(lambda: decoded([block[0][:-9]]))
    assert np.array_equal(decoded(block), before)

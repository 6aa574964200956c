"""The pinned vectors: kernel and reference decoder give the pinned samples and pixels, bit for bit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kernel.conftest import Vector, vectors
from reference import decoder
from wavescope import kernel

Layers = tuple[bytes, ...]
NAMES = sorted(vectors())


def sha256(array: NDArray[Any]) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def chain_of(vector: Vector, place: dict[str, Any], top: Callable[[Layers], Any], step: Callable[..., Any]) -> Any:
    """Samples and header of one expected tile, decoded down its chain of ancestors."""
    level, x, y = place["level"], place["x"], place["y"]
    if level == vector.entry["expect"][0]["level"]:
        return top(vector.approximation[: place["layers"][0]])
    parent = {"level": level + 1, "x": x // 2, "y": y // 2, "layers": place["layers"][1:]}
    samples, header = chain_of(vector, parent, top, step)
    layers = vector.blocks[level, x, y][: place["layers"][0]]
    return step(samples, (x % 2, y % 2), layers), header


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_decodes_every_vector_to_the_pinned_samples_and_pixels(name: str) -> None:
    vector = vectors()[name]
    for place in vector.entry["expect"]:
        samples, header = chain_of(
            vector, place, lambda layers: kernel.decode_approximation(layers), kernel.decode_tile
        )
        picture = kernel.pixels(samples, header, place["width"], place["height"])
        assert (sha256(samples), sha256(picture)) == (place["samples"], place["pixels"]), place


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_decoder_agrees_bit_for_bit_on_every_vector(name: str) -> None:
    top = cache(lambda layers: decoder.decode_approximation(list(layers)))
    coefficients = cache(lambda layers: decoder.decode_coefficients(list(layers)))

    def step(parent: NDArray[np.int16], quadrant: tuple[int, int], layers: Layers) -> NDArray[np.int16]:
        return decoder.refine(parent, quadrant, coefficients(layers) if layers else None, len(layers) - 1)

    vector = vectors()[name]
    for place in vector.entry["expect"]:
        samples, header = chain_of(vector, place, top, step)
        picture = decoder.pixels(samples, header, place["width"], place["height"])
        assert (sha256(samples), sha256(picture)) == (place["samples"], place["pixels"]), place


@pytest.mark.parametrize("name", [name for name in NAMES if vectors()[name].entry["profile"] == "lossless"])
def test_all_layers_of_a_lossless_vector_are_the_source(name: str) -> None:
    vector = vectors()[name]
    entry = vector.entry
    whole = np.zeros((entry["height"], entry["width"], entry["channels"]), np.uint8)
    for place in entry["expect"]:
        if place["level"] == 0 and set(place["layers"]) == {3}:
            samples, header = chain_of(
                vector, place, lambda layers: kernel.decode_approximation(layers), kernel.decode_tile
            )
            y, x = 512 * place["y"], 512 * place["x"]
            picture = kernel.pixels(samples, header, place["width"], place["height"])
            whole[y : y + place["height"], x : x + place["width"]] = picture
    assert sha256(whole) == entry["source"]


def test_the_vectors_hold_odd_sides_empty_blocks_both_profiles_and_grey() -> None:
    entries = [vector.entry for vector in vectors().values()]
    assert {entry["width"] for entry in entries} >= {1, 2, 511, 512, 513, 1025}
    assert {(entry["profile"], entry["channels"]) for entry in entries} >= {
        ("visual", 3),
        ("lossless", 3),
        ("visual", 1),
        ("lossless", 1),
    }
    assert any(not block["layers"] for entry in entries for block in entry["blocks"])

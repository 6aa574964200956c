"""The pinned vectors: kernel and reference decoder give the pinned samples and pixels, bit for bit."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kernel.conftest import ROOT, Vector, vectors
from kernel.make_mutations import FILE, PLACE, complete
from reference import decoder
from reference.stream import Malformed, Position, parse, read_parameters
from sampling import sampled
from wavescope import kernel
from wavescope.geometry import TILE, Address

Layers = tuple[bytes, ...]
Place = tuple[int, int, int]  # level, x, y
Chain = tuple[int, ...]  # how many layers of the tile, of its parent, and so on up to the approximation
NAMES = sorted(vectors())


def sha256(array: NDArray[Any]) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def decode_with(
    vector: Vector, top: Callable[[Layers, int], Any], step: Callable[[Any, Place, Layers, int], Any]
) -> Callable[[dict[str, Any]], Any]:
    """A function from an expected tile to its samples. ``top`` and ``step`` decode the first ``count`` of
    the layers of an approximation and of a block; a tile that several tiles have as an ancestor is decoded once."""
    top_level = vector.entry["expect"][0]["level"]

    @cache
    def decoded(level: int, x: int, y: int, chain: Chain) -> Any:
        if level == top_level:
            return top(vector.approximation, chain[0])
        parent = decoded(level + 1, x // 2, y // 2, chain[1:])
        return step(parent, (level, x, y), vector.blocks[level, x, y], chain[0])

    return lambda place: decoded(place["level"], place["x"], place["y"], tuple(place["layers"]))


def with_kernel(vector: Vector) -> Callable[[dict[str, Any]], Any]:
    sets = [kernel.read_parameters(data) for data in vector.parameters]

    def step(parent: kernel.Samples, place: Place, layers: Layers, count: int) -> kernel.Samples:
        level, x, y = place
        return kernel.decode_tile(parent, layers[:count], sets[level], Address(0, 0, level, x, y))

    return decode_with(vector, lambda layers, count: kernel.decode_approximation(layers[:count], sets[-1]), step)


def with_reference(vector: Vector) -> Callable[[dict[str, Any]], Any]:
    """Every layer is decoded once: it takes seconds."""
    headers = [read_parameters(data) for data in vector.parameters]
    top = len(headers) - 1

    @cache
    def prefixes(layers: Layers, level: int, x: int, y: int) -> list[decoder.Coefficients]:
        return list(decoder.decode_prefixes(headers[level], Position(0, x, y), list(layers)))

    def step(parent: NDArray[np.int16], place: Place, layers: Layers, count: int) -> NDArray[np.int16]:
        _, x, y = place
        return decoder.refine(
            headers[place[0]],
            parent,
            (x % 2, y % 2),
            prefixes(layers, *place)[count - 1] if layers else None,
            count - 1,
        )

    return decode_with(
        vector, lambda layers, count: decoder.approximate(prefixes(layers, top, 0, 0)[count - 1], count - 1), step
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_decodes_every_vector_to_the_pinned_samples_and_pixels_cs13(name: str) -> None:
    vector = vectors()[name]
    decode = with_kernel(vector)
    for place in vector.entry["expect"]:
        samples = decode(place)
        parameters = kernel.read_parameters(vector.parameters[place["level"]])
        picture = kernel.pixels(samples, parameters, place["width"], place["height"])
        assert (sha256(samples), sha256(picture)) == (place["samples"], place["pixels"]), place


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_decoder_agrees_bit_for_bit_on_every_vector(name: str) -> None:
    """CS1, CS2, CS9, CS10, CS12, CS16, CS19 to CS43, CS46, CS47: the decoder that was written from these rules makes
    what the kernel makes: predictions, models, reconstruction, synthesis and the colours of both profiles."""
    vector = vectors()[name]
    decode = with_reference(vector)
    for place in sampled(vector.entry["expect"]):
        samples, header = decode(place), read_parameters(vector.parameters[place["level"]])
        picture = decoder.pixels(samples, header, place["width"], place["height"])
        assert (sha256(samples), sha256(picture)) == (place["samples"], place["pixels"]), place


@pytest.mark.parametrize("name", [name for name in NAMES if vectors()[name].entry["profile"] == "lossless"])
def test_all_layers_of_a_lossless_vector_are_the_source(name: str) -> None:
    vector = vectors()[name]
    entry, decode = vector.entry, with_kernel(vector)
    parameters = kernel.read_parameters(vector.parameters[0])
    whole = np.zeros((entry["height"], entry["width"], entry["channels"]), parameters.dtype)
    for place in entry["expect"]:
        if place["level"] == 0 and set(place["layers"]) == {parameters.layers}:
            y, x = TILE * place["y"], TILE * place["x"]
            picture = kernel.pixels(decode(place), parameters, place["width"], place["height"])
            whole[y : y + place["height"], x : x + place["width"]] = picture
    assert sha256(whole) == entry["source"]


def test_the_vectors_hold_odd_sides_empty_blocks_both_profiles_grey_and_every_colour_cs11() -> None:
    entries = [vector.entry for vector in vectors().values()]
    assert {entry["width"] for entry in entries} >= {1, 2, 255, 256, 257, 513}
    assert {(entry["profile"], entry["channels"]) for entry in entries} >= {
        ("visual", 3),
        ("lossless", 3),
        ("visual", 1),
        ("lossless", 1),
    }
    colours = {vector.parameters[0][14] for vector in vectors().values()}
    assert colours == set(range(9))
    assert any(not block["layers"] for entry in entries for block in entry["blocks"])


MUTATIONS = json.loads(FILE.read_text())["cases"]


def of_reference(call: str, parameters: bytes, data: bytes) -> dict[str, str]:
    """What ``make_mutations.result_of`` answers, by the reference decoder."""
    calls: dict[str, Callable[..., Any]] = {
        "parameters": lambda _header, _layers: None,
        "block": lambda header, layers: decoder.decode_block(header, Position(*PLACE), layers),
        "elsewhere": lambda header, layers: decoder.decode_block(header, Position(0, 1, 0), layers),
        "approximation": lambda header, layers: decoder.decode_approximation(header, Position(*PLACE), layers),
        "tile of three channels": lambda header, layers: decoder.decode_tile(
            header, Position(*PLACE), np.zeros((3, TILE, TILE), np.int16), layers
        ),
    }
    try:
        header = read_parameters(parameters)
        try:
            layers = [data, *[b""] * (len(parse(header, None, [data])[1]) - 1)] if data else []
        except Malformed:
            layers = [data]
        found = calls[call](header, layers)
    except Malformed as error:
        return {"error": str(error)}
    if found is None:
        return {}
    return {"coefficients" if call == "block" else "samples": sha256(found)}


@pytest.mark.parametrize("case", MUTATIONS, ids=[case["name"] for case in MUTATIONS])
def test_cs7_cs11_cs44_the_reference_decoder_has_the_pinned_error_or_result_of_each_mutation(case: Any) -> None:
    found = of_reference(case["call"], bytes.fromhex(case["parameters"]), bytes.fromhex(case["bytes"]))
    assert found == {name: case[name] for name in ("error", "coefficients", "samples") if name in case}


def test_cs7_cs11_cs44_st104_the_kernel_has_the_pinned_error_or_result_of_each_mutation() -> None:
    assert complete() == MUTATIONS
    named = {case.get("error") for case in MUTATIONS}
    ours = {"space", "argument"}  # of the kernel's callers, not of streams; channel-count is found before it is called
    listed = (ROOT / "frontend/core/src/codec/kernel.ts").read_text().split("CODES: readonly CodecErrorCode[] = [")[1]
    codes = set(re.findall(r'"([a-z-]+)"', listed.split("]")[0]))
    assert named - {None} == codes - ours | {"channel-count"}

"""Any bytes give the same result everywhere: all builds of the kernel and the reference decoder, on streams that no
encoder writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import Any

import numpy as np
import pytest

from kernel.builds import SMALL, Build, Native, all_builds
from kernel.conftest import vectors
from kernel.differential import compare, compare_layers
from kernel.streams import Stream
from kernel.writer import empty_state, written
from reference import decoder
from reference.stream import FULL, Position, parse
from reference.stream import read_parameters as reference_parameters
from wavescope import kernel
from wavescope.geometry import Address

SEEDS = 60  # more find no more faults of the kinds that the long form has found; it is named in contributing.md
LONG_SEEDS = 400
RANDOM = np.random.default_rng(11)


@cache
def builds() -> list[Build]:
    return all_builds()


def native() -> Native:
    return next(build for build in builds() if isinstance(build, Native))


def compare_seeds(first: int, count: int) -> Counter[str]:
    return sum((compare(seed, builds(), native()) for seed in range(first, first + count)), Counter())


def grey(shifts: tuple[tuple[int, ...], ...], steps: tuple[int, ...], payloads: tuple[bytes, ...]) -> Stream:
    """A visual block of one channel."""
    return Stream(0, 1, 1, 4, 0, b"", shifts, steps, payloads)


def coded(stream: Stream, layers: list[dict[str, Any]]) -> Stream:
    """With a payload for each layer. A layer says what is decoded: ``bit``, ``symbol`` or ``plain``, a value or an
    iterator of values; 0 where nothing is said."""
    header = stream.header
    state, payloads = empty_state(header), []
    for index, said in enumerate(layers):

        def decide(what: str, i: int, said: dict[str, Any] = said) -> int:
            value = said.get(f"{what}{i}", said.get(what, 0))
            return next(value, 0) if isinstance(value, Iterator) else value

        payloads.append(written(header, index, state, decide))
    return replace(stream, payloads=tuple(payloads))


def drawn(low: int, high: int) -> Iterator[int]:
    """Random numbers without end."""
    while True:
        yield int(RANDOM.integers(low, high))


def agreed_block(stream: Stream) -> np.ndarray:
    """Coefficients of the first channel, (3, n, n), on which all decoders agree; the samples are compared too."""
    for seed in range(3):
        compare_layers(np.random.default_rng(seed), stream, stream.packed(), builds())
    return decoder.decode_block(stream.header, stream.position, stream.packed())[0]


def coefficients_of(stream: Stream) -> decoder.Coefficients:
    return decoder.decode_coefficients(stream.header, stream.position, stream.packed())


@pytest.mark.slow
def test_mutated_streams_decode_alike_in_every_build_and_in_the_reference_decoder_cs7_cs11_cs44() -> None:
    """CS2, CS20, CS27, CS28, CS30, CS33 to CS37, CS42, CS48: vector and scalar code, native and wasm, and the decoder
    written from the document agree on every sample of decoded streams and on the error of every refused one."""
    counts = compare_seeds(0, SEEDS)
    assert counts["decoded"] >= SEEDS
    assert {"header", "unsupported", "truncated", "checksum", "unsupported-channels"} <= set(counts)


@pytest.mark.long
def test_many_mutated_streams_decode_alike_cs44() -> None:
    assert compare_seeds(1000, LONG_SEEDS)["decoded"] >= LONG_SEEDS


def test_a_plane_whose_bit_is_0_in_a_later_layer_keeps_its_coefficients_cs27() -> None:
    """The new bits of m are 0, so m times 2^shift stays; an encoder writes it for planes of zeros alone."""
    stream = grey(((5, 2, 0),) * 3, (1,) * 3, ())
    values = iter([1, 2, 3, 4, 5, 6] * 40)
    made = coded(stream, [{"bit": 1, "symbol": values}, {"bit": 0}, {"bit": 0}])
    first = agreed_block(replace(made, payloads=made.payloads[:1]))
    assert np.count_nonzero(first) > 100
    for count in (2, 3):
        assert np.array_equal(agreed_block(replace(made, payloads=made.payloads[:count])), first)


LARGEST: dict[str, Any] = {"bit": 1, "symbol": 7, "plain3": 7, "plain14": (1 << 14) - 1}


@pytest.mark.slow
def test_a_new_magnitude_is_limited_so_that_all_later_bits_fit_an_int16_cs20_cs34_cs35() -> None:
    """The largest one that can be said is 13 + 2^15 - 1 at any shift."""
    stream = grey(((8, 5, 0), (3, 3, 0), (0, 0, 0)), (1,) * 3, ())
    made = coded(stream, [LARGEST, {"bit": 0}, {"bit": 1, "symbol": 7, "plain2": 3}])
    for count, limits in ((1, (127, 4095, 32767)), (2, (127 << 3, 4095, 32767)), (3, ((127 << 8) + 31, 32767, 32767))):
        layers = replace(made, payloads=made.payloads[:count])
        agreed_block(layers)
        planes = coefficients_of(layers)[1][0]
        assert tuple(int(np.abs(plane).max()) for plane in planes) == limits


@pytest.mark.slow
def test_gains_of_3_and_8_large_m_and_a_skipped_plane_decode_alike_cs27_cs30() -> None:
    """The mutation that once fitted no reading of the document: W of a coefficient whose m had left int16."""
    stream = grey(((3, 0), (8, 0), (0, 0)), (7, 200, 4095), ())
    limited = 0
    for _ in range(4):
        large = LARGEST | {"bit": cycle([1, 1, 1, 0]), "symbol": drawn(0, 8), "symbol195": drawn(4, 8)}
        large |= {f"symbol{155 + i}": 7 for i in range(40)} | {
            f"plain{bits}": drawn(0, 1 << bits) for bits in range(3, 15)
        }
        first = coded(stream, [large]).payloads[0]
        planes = coefficients_of(replace(stream, payloads=(first,)))[1][0]
        limited += sum(int((np.abs(planes[i]) == 32767 >> gain).sum()) for i, gain in ((0, 3), (1, 8)))
        agreed_block(replace(stream, payloads=(first, RANDOM.bytes(3000))))
    assert limited >= 13


def test_a_skipped_plane_keeps_its_reconstruction_parameters_cs28() -> None:
    stream = grey(((1, 1, 0), (0, 0, 0), (0, 0, 0)), (100, 100, 100), ())
    said = {"bit": 1, "symbol": iter([1, 0, 2, 3] * 300), "plain1": 1, "golomb": iter([30, 20, 10, -6] * 9)}
    made = coded(stream, [said, {}, {}])
    agreed_block(made)
    kept = coefficients_of(replace(made, payloads=made.payloads[:2]))[3][0]
    assert all(any(r.offsets) and any(r.around) for r in kept)
    dropped = coefficients_of(made)[3][0]
    assert [any(r.offsets) for r in dropped] == [False, True, True]


def test_the_neighbour_weight_minus_128_is_read_as_minus_127_cs28_cs37() -> None:
    """256 times -128 is the one factor whose product with -32768 machines round differently."""
    stream = grey(((0,),) * 3, (4095,) * 3, ())
    said = {"bit": 1, "symbol": iter([7, 7, 0, 0, 7, 0] * 600), "plain1": 1, "golomb": -128}
    said |= {f"symbol{155 + level}": cycle([4, 5]) for level in range(20)}
    made = coded(stream, [said])
    agreed_block(made)
    assert coefficients_of(made)[3][0][0].around == [-127] * 4


@pytest.mark.parametrize("kind", [0, 1])
def test_squares_of_one_value_are_coded_flat_and_a_slope_is_not_cs47(kind: int) -> None:
    stream = Stream(kind, 0, 1, 0, 0, b"", ((1, 0),) * (6 if kind else 3), (1,) * (6 if kind else 3), ())
    squares = np.kron(RANDOM.integers(90, 94, (8, 8)), np.ones((8, 8), int))
    slope = np.add.outer(3 * np.arange(64), np.arange(64) ** 2 // 16)
    for picture, flat in ((squares, 1), (slope, 0)):
        samples = picture[None].astype(np.int16)
        native().read_parameters(stream.parameters)
        layers = native().encode(samples, stream.position, 128, 0)
        parent = native().shorts("parent", 1, SMALL.tile, SMALL.tile)
        compare_layers(np.random.default_rng(1), stream, layers, builds())
        block = decoder.decode_coefficients(stream.header, stream.position, layers)
        assert block[0].flat == flat
        last = len(layers) - 1
        decoded = decoder.approximate(block, last) if kind else decoder.refine(block[0], parent, (0, 0), block, last)
        assert np.array_equal(decoded, samples)


def test_full_tiles_of_kernel_wasm_decode_mutated_vectors_like_the_reference_decoder_cs44() -> None:
    """The same bytes in the kernel that the service and the page run."""
    for name in ("spot-visual", "tissue-visual", "tissue-lossless"):
        vector = vectors()[name]
        place = (0, 0, 1 if "tissue" in name else 0)
        header = reference_parameters(vector.parameters[0])
        _, payloads = parse(header, None, list(vector.blocks[place]))
        shifts = ((4, 0), (8, 0), (0, 0)) * 3 if header.layers == 2 else ((4, 3, 0), (8, 0, 0), (0, 0, 0)) * 3
        colour, steps = vector.parameters[0][32 : -9 * (header.layers + 1)], (3, 70, 4095) * 3
        changed = (payloads[0], *(bytes(reversed(payload)) + RANDOM.bytes(80) for payload in payloads[1:]))
        fields = (0, header.profile, 3, header.fraction_bits, header.colour, colour, shifts, steps, changed)
        stream = Stream(*fields, position=Position(2, 7, 4), size=FULL)
        made, parent = stream.packed(), RANDOM.integers(-3000, 3000, (3, FULL.tile, FULL.tile)).astype(np.int16)
        of_kernel = kernel.decode_tile(parent, made, kernel.read_parameters(stream.parameters), Address(2, 0, 0, 7, 4))
        assert np.array_equal(of_kernel, decoder.decode_tile(stream.header, stream.position, parent, made)), name

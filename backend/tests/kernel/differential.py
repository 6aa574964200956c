"""The kernel compared with the reference decoder on streams that no encoder writes (CS44).

Usage: cd backend/tests && python -m kernel.differential SECONDS [SEED]        compares until the time is over

All builds of `builds.py` and the reference decoder decode every stream; a difference ends the run with the seed that
makes it again.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernel.builds import SMALL, Build, Native, Refused, all_builds
from kernel.streams import Random, Stream, encoded, kernel_header, mutated, signed
from reference import decoder
from reference.stream import Malformed, parse

Result = NDArray[Any] | str  # an array, or the name of an error


class Different(AssertionError):
    """A build and the reference decoder disagree."""


def stream_of(seed: int, native: Native) -> Stream:
    """The stream of a seed: encoded, then changed up to four times."""
    random = np.random.default_rng(seed)
    stream = encoded(random, native)
    for _ in range(int(random.integers(0, 5))):
        stream = mutated(random, stream)
    return stream


def compare(seed: int, builds: list[Build], native: Native) -> Counter[str]:
    """Compares what a seed makes: coefficients and samples of its stream, pixels, and a stream with damaged headers.

    Returns how often what was compared was decoded or refused.
    """
    random, stream = np.random.default_rng(seed + 1_000_000_007), stream_of(seed, native)
    counts = compare_layers(random, stream.kind, stream.packed(), builds)
    counts += compare_layers(random, stream.kind, _damaged(random, stream), builds)
    pixels = _colours(random, stream)
    samples = random.integers(-32768, 32768, (stream.channels, SMALL.tile, SMALL.tile)).astype(np.int16)
    samples >>= int(random.integers(0, 9))
    header = decoder.parse(pixels.packed(), SMALL)[0]
    expected = decoder.pixels(samples, header, SMALL.tile, SMALL.tile)
    _equal(builds, expected, lambda build: build.pixels(samples, kernel_header(pixels)))
    return counts


def compare_layers(random: Random, kind: int, layers: list[bytes], builds: list[Build]) -> Counter[str]:
    """Coefficients and samples of the layers, or the error, in every build and in the reference decoder."""
    data = b"".join(layers)
    channels = data[9] if len(data) > 9 and data[9] in (1, 3) else 1

    def of_reference(decode: Callable[[], Any]) -> Result:
        try:
            return np.asarray(decode())
        except Malformed as error:
            return str(error)

    cut = _cut(layers)
    if kind:
        expected = of_reference(lambda: decoder.decode_approximation(cut, SMALL)[0])
        _equal(builds, expected, lambda build: build.decode_approximation(data, channels))
    else:
        expected = of_reference(lambda: decoder.decode_block(cut, SMALL))
        _equal(builds, expected, lambda build: build.decode_block(data, channels))
        if not isinstance(expected, str):
            parent = random.integers(-32768, 32768, (channels, SMALL.tile, SMALL.tile)).astype(np.int16)
            parent >>= int(random.choice([0, 3, 6]))
            quadrant = int(random.integers(2)), int(random.integers(2))
            expected = of_reference(lambda: decoder.decode_tile(parent, quadrant, cut))
            _equal(builds, expected, lambda build: build.decode_tile(parent, quadrant, data))
    return Counter([expected if isinstance(expected, str) else "decoded"])


def _cut(layers: list[bytes]) -> list[bytes]:
    """As many pieces as there are layers in the bytes, which damage may have changed."""
    try:
        count = len(parse(layers, SMALL)[1])
    except Malformed:
        return layers
    return [b"".join(layers), *[b""] * (count - 1)]


def _equal(builds: list[Build], expected: Result, decode: Callable[[Build], Result]) -> None:
    for build in builds:
        try:
            got = decode(build)
        except Refused as error:
            got = str(error)
        if isinstance(got, str) or isinstance(expected, str):
            same = isinstance(got, str) and isinstance(expected, str) and got == expected
        else:
            same = np.array_equal(got, expected)
        if not same:
            raise Different(f"{build.name}: {_named(got)}; the reference decoder: {_named(expected)}")


def _named(result: Result) -> str:
    return result if isinstance(result, str) else f"{result.shape} {result.ravel()[:8]} ..."


def _damaged(random: Random, stream: Stream) -> list[bytes]:
    """Layers with some bytes of their headers changed, most of them signed again."""
    layers = [bytearray(layer) for layer in stream.packed()]
    for layer in layers:
        if random.random() < 0.6:
            for _ in range(int(random.integers(1, 3))):
                at = int(random.integers(min(len(layer), 40)))
                layer[at] = int(random.choice([0, 1, 2, 3, 9, 255, layer[at] ^ 1 << int(random.integers(8))]))
        if random.random() < 0.1:
            del layer[int(random.integers(len(layer))) :]
    return [signed(bytes(layer)) if len(layer) > 4 and random.random() < 0.9 else bytes(layer) for layer in layers]


def _colours(random: Random, stream: Stream) -> Stream:
    """A header with another colour transform and any parameters."""
    colour = int(random.integers(1, 8)) if stream.channels == 3 else 0
    parameters = random.bytes((18 if colour == 1 else 3) if colour else 0)
    fraction_bits = int(random.integers(5)) if colour < 2 else 0
    changed = {"colour": colour, "colour_parameters": parameters, "fraction_bits": fraction_bits}
    return Stream(**{**stream.__dict__, **changed, "payloads": (b"",)})


def main(seconds: float, seed: int) -> None:
    builds = all_builds()
    native = next(build for build in builds if isinstance(build, Native))
    counts: Counter[str] = Counter()
    start, end = seed, time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            counts += compare(seed, builds, native)
        except Different as error:
            sys.exit(f"seed {seed}: {error}")
        seed += 1
    print(f"{seed - start} streams, {len(builds)} builds, no difference: {dict(counts.most_common())}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)

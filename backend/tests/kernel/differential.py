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

from kernel.builds import PARAMETERS, SMALL, Build, Native, Refused, all_builds
from kernel.streams import STABILISED, Random, Stream, encoded, mutated, noise_model
from reference import decoder
from reference.stream import Malformed, Position, parse, read_parameters
from wavescope.kernel.parameter_set import pixel_dtype

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
    counts = compare_layers(random, stream, stream.packed(), builds)
    counts += compare_layers(random, stream, _damaged(random, stream), builds)
    counts += compare_parameters(_damaged_parameters(random, stream), builds)
    pixels = _colours(random, stream)
    samples = random.integers(-32768, 32768, (stream.channels, SMALL.tile, SMALL.tile)).astype(np.int16)
    samples >>= int(random.integers(0, 9))
    dtype = pixel_dtype(pixels.bits, pixels.signed_samples)
    expected = decoder.pixels(samples, pixels.header, SMALL.tile, SMALL.tile)
    for build in builds:
        build.read_parameters(pixels.parameters)
    _equal(builds, expected, lambda build: build.pixels(samples, dtype))
    return counts


def compare_parameters(data: bytes, builds: list[Build]) -> Counter[str]:
    """Whether a parameter set is accepted, or the error."""
    expected = of_reference(lambda: [read_parameters(data, SMALL).channels])

    def read(build: Build) -> Result:
        return np.array([PARAMETERS.unpack(build.read_parameters(data))[2]])

    _equal(builds, expected, read)
    return Counter([expected if isinstance(expected, str) else "read"])


def of_reference(decode: Callable[[], Any]) -> Result:
    """What the reference decoder makes, or the name of its error."""
    try:
        return np.asarray(decode())
    except Malformed as error:
        return str(error)


def compare_layers(random: Random, stream: Stream, layers: list[bytes], builds: list[Build]) -> Counter[str]:
    """Coefficients and samples of the layers, or the error, in every build and in the reference decoder."""
    data, header, position, channels = b"".join(layers), stream.header, stream.position, stream.channels
    for build in builds:
        build.read_parameters(stream.parameters)
    cut = _cut(stream, layers)
    if stream.kind:
        expected = of_reference(lambda: decoder.decode_approximation(header, position, cut))
        _equal(builds, expected, lambda build: build.decode_approximation(position, data, channels))
    else:
        expected = of_reference(lambda: decoder.decode_block(header, position, cut))
        _equal(builds, expected, lambda build: build.decode_block(position, data, channels))
        if not isinstance(expected, str):
            parent = random.integers(-32768, 32768, (channels, SMALL.tile, SMALL.tile)).astype(np.int16)
            parent >>= int(random.choice([0, 3, 6]))
            expected = of_reference(lambda: decoder.decode_tile(header, position, parent, cut))
            _equal(builds, expected, lambda build: build.decode_tile(position, parent, data))
    _compare_elsewhere(random, stream, cut, builds)
    return Counter([expected if isinstance(expected, str) else "decoded"])


def _compare_elsewhere(random: Random, stream: Stream, layers: list[bytes], builds: list[Build]) -> None:
    """The same bytes as those of another tile."""
    z, x, y = stream.position
    away = int(random.integers(1, 4))
    other = Position(z ^ away, 0, 0) if stream.kind else Position(z, x ^ away, y) if away > 1 else Position(z, x, y + 1)
    decode = "decode_approximation" if stream.kind else "decode_block"
    expected = of_reference(lambda: getattr(decoder, decode)(stream.header, other, layers))
    if not isinstance(expected, str):
        raise Different("the reference decoder decodes a block of another tile")
    _equal(builds, expected, lambda build: getattr(build, decode)(other, b"".join(layers), stream.channels))


def _cut(stream: Stream, layers: list[bytes]) -> list[bytes]:
    """As many pieces as there are layers in the bytes, which damage may have changed."""
    try:
        count = len(parse(stream.header, None, layers)[1])
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
    """Layers with some of their first bytes changed, most of them signed again."""
    layers = [bytearray(layer) for layer in stream.packed()]
    for layer in layers:
        if random.random() < 0.6:
            for _ in range(int(random.integers(1, 3))):
                at = int(random.integers(min(len(layer), 12)))
                layer[at] = int(random.choice([0, 1, 2, 3, 128, 255, layer[at] ^ 1 << int(random.integers(8))]))
        if random.random() < 0.1:
            del layer[int(random.integers(len(layer))) :]
    return [
        stream.signed(bytes(layer), index) if len(layer) > 4 and random.random() < 0.9 else bytes(layer)
        for index, layer in enumerate(layers)
    ]


def _damaged_parameters(random: Random, stream: Stream) -> bytes:
    """A parameter set with some bytes changed, or of another length."""
    data = bytearray(stream.parameters)
    for _ in range(int(random.integers(1, 3))):
        at = int(random.integers(min(len(data), 60)))
        data[at] = int(random.choice([0, 1, 2, 3, 9, 64, 255, data[at] ^ 1 << int(random.integers(8))]))
    if random.random() < 0.2:
        del data[int(random.integers(len(data))) :]
    return bytes(data) + bytes(int(random.random() < 0.1))


def _colours(random: Random, stream: Stream) -> Stream:
    """A header with another colour transform and any parameters."""
    colour = int(random.integers(1, 8)) if stream.channels == 3 else int(random.choice([0, STABILISED]))
    parameters = (
        noise_model(random) if colour == STABILISED else random.bytes((18 if colour == 1 else 3) if colour else 0)
    )
    fraction_bits = int(random.integers(5)) if colour == STABILISED or (colour < 2 and stream.bits == 8) else 0
    profile = 1 if colour == STABILISED else stream.profile
    changed = {"profile": profile, "colour": colour, "colour_parameters": parameters, "fraction_bits": fraction_bits}
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

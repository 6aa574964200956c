"""Streams for the comparison of decoders: encoded from random pictures, taken apart, mutated and signed again."""

from __future__ import annotations

from dataclasses import dataclass, replace

import google_crc32c
import numpy as np

from kernel.builds import BANDS, HEADER, LAYERS, SMALL, Native, Shorts
from reference.stream import parse

Random = np.random.Generator
MATRIX = (16384, 0, 0, 0, 16384, 0, 0, 0, 16384)
LONGEST_PAYLOAD = 6000  # what a mutation makes


@dataclass(frozen=True)
class Stream:
    """The parameters of layer 0 and the payloads. ``shifts``: [plane][layer]; planes are in the order of CS10."""

    kind: int
    profile: int
    channels: int
    fraction_bits: int
    colour: int
    colour_parameters: bytes
    shifts: tuple[tuple[int, ...], ...]
    steps: tuple[int, ...]
    payloads: tuple[bytes, ...]

    @property
    def layers(self) -> int:
        """What every layer says of how many there are."""
        return len(self.shifts[0])

    def packed(self) -> list[bytes]:
        """The layers with lengths, binding and checksums."""
        fixed = bytes([self.profile, self.channels, 8, self.fraction_bits, self.colour, 0])
        table = b"".join(
            bytes(shifts[:-1]) + step.to_bytes(2, "little")
            for shifts, step in zip(self.shifts, self.steps, strict=True)
        )
        layers: list[bytes] = []
        for index, payload in enumerate(self.payloads):
            parameters = layers[0][-4:] if layers else fixed + self.colour_parameters + table
            length = (12 + len(parameters) + len(payload)).to_bytes(4, "little")
            prefix = bytes([0x57, 1, self.layers << 4 | index, self.kind]) + length
            layers.append(signed(prefix + parameters + payload + bytes(4)))
        return layers


def signed(layer: bytes) -> bytes:
    """The same bytes with a checksum that fits."""
    return layer[:-4] + google_crc32c.value(layer[:-4]).to_bytes(4, "little")


def taken_apart(layers: list[bytes]) -> Stream:
    """The stream of complete, valid layers."""
    header, payloads = parse(layers, SMALL)
    planes = header.step.size
    end = len(layers[0]) - 4 - len(payloads[0]) - planes * (header.layers + 1)
    shifts = header.shift.reshape(header.layers, planes).T.tolist()
    return Stream(
        header.kind,
        header.profile,
        header.channels,
        header.fraction_bits,
        header.colour,
        layers[0][14:end],
        tuple(tuple(plane) for plane in shifts),
        tuple(header.step.reshape(planes).tolist()),
        tuple(payloads),
    )


def kernel_header(stream: Stream) -> bytes:
    """A ws_header of the small builds."""
    colour = np.frombuffer(stream.colour_parameters, np.int8 if stream.colour > 1 else np.int16).astype(int).tolist()
    depth = SMALL.depth if stream.kind else 1
    shift = np.zeros((LAYERS, SMALL.depth, 3, BANDS), int)
    step = np.zeros((SMALL.depth, 3, BANDS), int)
    shift[: stream.layers, :depth, : stream.channels] = np.array(stream.shifts).T.reshape(stream.layers, depth, -1, 3)
    step[:depth, : stream.channels] = np.array(stream.steps).reshape(depth, -1, 3)
    fields = [stream.kind, stream.profile, stream.channels, 8, 0, stream.fraction_bits, stream.colour, stream.layers]
    return HEADER.pack(*fields, *colour, *[0] * (9 - len(colour)), *shift.ravel(), *step.ravel())


def picture(random: Random, channels: int) -> Shorts:
    """Samples: a slope, edges, noise of some strength in a part of the tile; the channels resemble each other."""
    side = SMALL.tile
    y, x = np.mgrid[:side, :side]
    strength = 2.0 ** random.uniform(0, 10)
    base = random.normal(0, strength, (side, side)) * (x > random.integers(side)) * (y > random.integers(side))
    base += random.normal() * 8 * x + random.normal() * 8 * y + strength * ((x // 9 + y // 5) % 2)
    alike = random.uniform(-1, 1, channels)
    alike[0] = 1
    own = random.normal(0, strength / 4, (channels, side, side)) * (random.uniform(size=(channels, 1, 1)) < 0.5)
    return np.clip(base * alike[:, None, None] + own, -4000, 4000).astype(np.int16)


def falling(random: Random, layers: int) -> tuple[int, ...]:
    """Shifts of one plane: usual ones, or with gains of any size; the last one is 0."""
    most = int(random.choice([0, 2, 4, 8, 8]))
    drawn = sorted(random.integers(0, most + 1, layers - 1).tolist(), reverse=True)
    if drawn and random.random() < 0.3:
        drawn[0] = most
    return (*drawn, 0)


def encoded(random: Random, native: Native) -> Stream:
    """A valid stream of a random picture."""
    kind, profile, channels = int(random.integers(2)), int(random.integers(2)), int(random.choice([1, 3]))
    colour = 0 if channels == 1 else 1 if profile else int(random.integers(2, 8))
    parameters = np.array(MATRIX, "<i2").tobytes() if colour == 1 else bytes(3 if colour else 0)
    planes, layers = 3 * channels * (SMALL.depth if kind else 1), int(random.integers(1, LAYERS + 1))
    coarse = int(2 ** random.uniform(0, 8)) if profile else 1
    stream = Stream(
        kind,
        profile,
        channels,
        4 if profile else 0,
        colour,
        parameters,
        tuple(falling(random, layers) for _ in range(planes)),
        tuple(max(1, int(coarse * random.uniform(0.5, 2))) if profile else 1 for _ in range(planes)),
        (),
    )
    samples = picture(random, channels)
    samples[0, 0, 0] += 999  # no block is empty
    coded = native.encode(samples, kernel_header(stream), int(random.integers(90, 129)), int(random.integers(0, 40)))
    return taken_apart(coded)


def mutated(random: Random, stream: Stream) -> Stream:
    """One change of the parameters or of a payload, or bytes that no encoder wrote."""
    choice = int(random.integers(12))
    if choice == 0:
        return replace(stream, profile=1 - stream.profile)
    if choice == 1:
        steps = [int(random.choice([step, 1, 2, 4095, random.integers(1, 4096)])) for step in stream.steps]
        return replace(stream, steps=tuple(steps))
    if choice in (2, 3):
        some = random.random()
        changed = [falling(random, stream.layers) if random.random() < some else shifts for shifts in stream.shifts]
        return replace(stream, shifts=tuple(changed))
    if choice == 4 and len(stream.payloads) > 1:
        return replace(stream, payloads=stream.payloads[: int(random.integers(1, len(stream.payloads)))])
    if choice == 5 and stream.layers < LAYERS:
        shifts = tuple(falling(random, stream.layers + 1) for _ in stream.shifts)
        return replace(stream, shifts=shifts, payloads=(*stream.payloads, _noise(random)))
    at = int(random.integers(len(stream.payloads)))
    payloads = list(stream.payloads)
    payloads[at] = _changed(random, payloads)[at] if choice < 11 else payloads[int(random.integers(len(payloads)))]
    return replace(stream, payloads=tuple(payload[:LONGEST_PAYLOAD] for payload in payloads))


def _noise(random: Random) -> bytes:
    length = int(2 ** random.uniform(0, 12.5))
    return random.choice([random.bytes(length), bytes(length), b"\xff" * length, random.bytes(2) * (length // 2)])


def _changed(random: Random, payloads: list[bytes]) -> list[bytes]:
    """Every payload with bits flipped, a run of noise, another end, or noise alone."""

    def one(payload: bytes) -> bytes:
        data, choice = bytearray(payload), int(random.integers(5))
        if choice == 0:
            return _noise(random)
        if choice == 1:
            return bytes(data[: int(random.integers(len(data) + 1))]) + random.bytes(int(random.integers(0, 9)))
        for _ in range(int(random.integers(1, 9)) if data else 0):
            at = int(len(data) * random.random() ** 2)  # early ones change more
            if choice == 2:
                run = random.bytes(int(random.integers(1, 33)))
                data[at : at + len(run)] = run
            else:
                data[at] ^= 1 << int(random.integers(8))
        return bytes(data)

    return [one(payload) for payload in payloads]

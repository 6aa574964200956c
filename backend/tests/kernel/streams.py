"""Streams for the comparison of decoders: encoded from random pictures, taken apart, mutated and signed again."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

import google_crc32c
import numpy as np

from kernel.builds import LAYERS, SMALL, Native, Shorts
from reference.stream import TOP, Header, Position, Size, parse, read_parameters

Random = np.random.Generator
STABILISED = 8
MATRIX = (16384, 0, 0, 0, 16384, 0, 0, 0, 16384)
KEY = bytes(range(100, 116))  # of the slide
LONGEST_PAYLOAD = 6000  # what a mutation makes


@dataclass(frozen=True)
class Stream:
    """A parameter set, a position and payloads. ``shifts``: [plane][layer]; planes are in the order of CS10."""

    kind: int
    profile: int
    channels: int
    fraction_bits: int
    colour: int
    colour_parameters: bytes
    shifts: tuple[tuple[int, ...], ...]
    steps: tuple[int, ...]
    payloads: tuple[bytes, ...]
    position: Position = TOP
    size: Size = SMALL
    level: int = 0
    bits: int = 8
    signed_samples: bool = False
    groups: int = 1
    group: int = 0

    @property
    def layers(self) -> int:
        """How many layers the parameter set says that there are."""
        return len(self.shifts[0])

    @property
    def parameters(self) -> bytes:
        """The parameter set (CS9)."""
        tile = self.size.tile.bit_length() - 1
        fixed = [
            self.kind,
            self.level,
            tile,
            self.profile,
            self.layers,
            self.groups,
            self.group,
            self.channels,
            self.bits | self.signed_samples << 7,
            self.fraction_bits,
            self.colour,
            0,
        ]
        planes = [
            bytes(shifts[:-1]) + step.to_bytes(2, "little")
            for shifts, step in zip(self.shifts, self.steps, strict=True)
        ]
        minor = int(self.bits != 8 or self.signed_samples or self.groups > 1 or self.colour == STABILISED)
        return b"".join([b"WS\1", bytes([minor]), bytes(fixed), KEY, self.colour_parameters, *planes])

    @property
    def header(self) -> Header:
        """The parameter set as the reference decoder reads it."""
        return read_parameters(self.parameters, self.size)

    @property
    def plane(self) -> int:
        """Of the address (CS5)."""
        return self.position.z * self.groups + self.group

    def packed(self) -> list[bytes]:
        """The layers with lengths, position and checksums."""
        _, x, y = self.position
        prefix = leb128(self.plane) + leb128(y) + leb128(x)
        bodies = [(b"" if index else prefix) + payload for index, payload in enumerate(self.payloads)]
        return [self.signed(leb128(len(body) + 4) + body + bytes(4), index) for index, body in enumerate(bodies)]

    def signed(self, layer: bytes, index: int) -> bytes:
        """The same bytes with a checksum that fits."""
        bound = struct.pack("<IHH", 4 * self.plane + index, self.position.y, self.position.x)
        return layer[:-4] + google_crc32c.value(self.parameters + bound + layer[:-4]).to_bytes(4, "little")


def leb128(value: int) -> bytes:
    """Unsigned, in its shortest form."""
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


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
    bits = int(random.integers(8, 17)) if channels == 1 and random.random() < 0.5 else 8
    if bits > 8 and profile and random.random() < 0.5:
        colour, parameters = STABILISED, noise_model(random)
    stream = Stream(
        kind,
        profile,
        channels,
        4 if profile and (bits == 8 or colour == STABILISED) else 0,
        colour,
        parameters,
        tuple(falling(random, layers) for _ in range(planes)),
        tuple(max(1, int(coarse * random.uniform(0.5, 2))) if profile else 1 for _ in range(planes)),
        (),
        level=int(random.integers(4)),
        bits=bits,
        signed_samples=bool(channels == 1 and random.random() < 0.2),
        groups=(groups := int(random.choice([1, 1, 2, 64]))),
        group=int(random.integers(groups)),
    )
    samples = picture(random, channels)
    samples[0, 0, 0] += 999  # no block is empty
    if bits > 12 and random.random() < 0.7:
        samples <<= bits - 13  # sums are clamped
    position = Position(int(random.integers(300)), *(0 if kind else int(side) for side in random.integers(0, 40000, 2)))
    native.read_parameters(stream.parameters)
    coded = native.encode(samples, position, int(random.integers(90, 129)), int(random.integers(0, 40)))
    return replace(stream, position=position, payloads=tuple(parse(stream.header, position, coded)[1]))


def noise_model(random: Random) -> bytes:
    """Black, slope, bend and base (CS52), any or usual ones."""
    if random.random() < 0.5:
        return struct.pack("<4i", int(random.integers(300)), 16384, int(random.integers(100, 4000)), 2000)
    most = zip((-32768, 1, 1, -(1 << 20)), (65535, (1 << 24) - 1, (1 << 28) - 1, 1 << 20), strict=True)
    return struct.pack("<4i", *(int(random.integers(low, high, endpoint=True)) for low, high in most))


def mutated(random: Random, stream: Stream) -> Stream:
    """One change of the parameters or of a payload, or bytes that no encoder wrote."""
    choice = int(random.integers(12))
    if choice == 0:
        if random.random() < 0.5 and stream.colour != STABILISED:
            return replace(stream, profile=1 - stream.profile)
        if stream.channels == 1 and stream.fraction_bits == 0:
            return replace(stream, bits=int(random.integers(8, 17)))
        return replace(stream, level=3 - stream.level)
    if choice == 1:
        steps = [int(random.choice([step, 1, 2, 4095, int(random.integers(1, 4096))])) for step in stream.steps]
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

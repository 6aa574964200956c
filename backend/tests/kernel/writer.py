"""A writer of payloads for tests: what the reference decoder asks for is decided by the test, valid or not.

The decisions are recorded as intervals and coded backward (CS21), so that a decoder gives them back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from reference import planes as reference_planes
from reference.coder import Bits, Reader, Symbols
from reference.stream import Header

# What is decoded ("bit", "symbol", "mixed", "plain", "golomb": a signed number), the index of its model or the number
# of plain bits -> its value
Decide = Callable[[str, int], int]


class Writer(Reader):
    """Stands in for the range decoder: gives what `decide` says and records it."""

    def __init__(self, decide: Decide) -> None:
        super().__init__(b"")
        self._decide = decide
        self._intervals: list[tuple[int, int]] = []

    def _code_interval(self, start: int, frequency: int) -> None:
        self._intervals.append((start, frequency))

    def bit(self, models: Bits, i: int) -> int:
        return self._coded_bit(models, i, self._decide("bit", i))

    def _coded_bit(self, models: Bits, i: int, value: int) -> int:
        self.state = 0 if value else 32767
        return super().bit(models, i)

    def signed_golomb(self, models: Bits) -> int:
        signed = self._decide("golomb", 0)
        value = (2 * signed if signed >= 0 else -2 * signed - 1) + 1
        bits = value.bit_length() - 1
        for i in range(min(bits + 1, 16)):
            self._coded_bit(models, i, i < bits)
        low, rest = min(bits, 8), value & (1 << bits) - 1
        for count, part in ((bits - low, rest >> low), (low, rest & (1 << low) - 1)):
            self._coded_plain(count, part)
        return signed

    def symbol(self, models: Symbols, i: int) -> int:
        self.state = self._slot(models.bounds[i], self._decide("symbol", i))
        return super().symbol(models, i)

    def symbol_mixed(self, models: Symbols, i: int, second: Symbols, k: int) -> int:
        own = models.bounds[i]
        mixed = [a + b + 1 >> 1 for a, b in zip(own, second.bounds[k] or own, strict=True)]
        self.state = self._slot(mixed, self._decide("mixed", i))
        return super().symbol_mixed(models, i, second, k)

    def plain(self, bits: int) -> int:
        return self._coded_plain(bits, self._decide("plain", bits))

    def _coded_plain(self, bits: int, value: int) -> int:
        self.state = value << 15 - bits
        return super().plain(bits)

    @staticmethod
    def _slot(bounds: list[int], symbol: int) -> int:
        return bounds[symbol - 1] if symbol else 0

    def payload(self) -> bytes:
        """The decisions as bytes, without trailing zeros (CS22)."""
        state, words = 1 << 31, b""
        for start, frequency in reversed(self._intervals):
            if state >= frequency << 48:
                words = (state & 0xFFFFFFFF).to_bytes(4, "little") + words
                state >>= 32
            state = (state // frequency << 15) + state % frequency + start
        return (state.to_bytes(8, "little") + words).rstrip(b"\0")


def written(header: Header, layer: int, state: list[Any], decide: Decide) -> bytes:
    """The payload of a layer; ``state`` is planes, LL roots and reconstructions, as `decode_layer` takes and leaves
    them."""
    writer = Writer(decide)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference_planes, "Reader", lambda _: writer)
        reference_planes.decode_layer(header, layer, b"", *state)
    return writer.payload()


def empty_state(header: Header) -> list[Any]:
    """What is known before layer 0."""
    count = 3 * header.channels
    planes = [[np.zeros((header.size.half >> d,) * 2, np.int64) for _ in range(count)] for d in range(header.depth)]
    return [planes, [], [[reference_planes.Reconstruction() for _ in range(count)] for _ in range(header.depth)]]

"""What a link is like, and when its bytes arrive: pure arithmetic over times in seconds."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

SEGMENT = 1460
"""Bytes of a TCP segment."""
FIRST_WINDOW = 10 * SEGMENT
"""Bytes that TCP sends before the first acknowledgement."""
MIN_TIMEOUT = 0.2
"""Of a retransmission, as in Linux."""
SLACK = 1 << 18
UNLIMITED_WINDOW = 4 << 20
RATES = {"bit": 1, "kbit": 1e3, "mbit": 1e6, "gbit": 1e9}
TIMES = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass(frozen=True)
class Shape:
    """``rate``: bytes per second each way, None is unlimited; ``delay``: seconds one way, each way; ``jitter``: added,
    uniform; ``loss``: probability of a segment; ``corrupt_every``: a bit is changed after each so many bytes to the
    client, 0 is never; ``stalled``: nothing moves."""

    rate: float | None = None
    delay: float = 0.0
    jitter: float = 0.0
    loss: float = 0.0
    corrupt_every: int = 0
    stalled: bool = False

    @property
    def round_trip(self) -> float:
        """Seconds there and back, without waiting."""
        return 2 * self.delay + self.jitter

    @property
    def window(self) -> int:
        """Bytes of one connection and direction that the link stores at most: twice bandwidth x delay."""
        if self.rate is None:
            return UNLIMITED_WINDOW
        return int(2 * self.rate * self.round_trip) + SLACK


@dataclass
class Lane:
    """One direction of a link. Its bandwidth is shared by all connections, in the order in which they reserve it."""

    free_at: float = 0.0
    bytes: int = 0

    def reserve(self, now: float, size: int, rate: float | None) -> float:
        """The time at which the last of ``size`` bytes has left."""
        self.bytes += size
        self.free_at = max(self.free_at, now) + (size / rate if rate else 0.0)
        return self.free_at


@dataclass
class Flow:
    """One direction of one connection, as TCP: slow start, and a retransmission time for lost segments."""

    dice: random.Random
    window: float = FIRST_WINDOW
    threshold: float = float("inf")
    unacknowledged: int = 0
    last_due: float = 0.0

    def sendable(self, shape: Shape) -> int:
        """Bytes that may be sent now."""
        return int(min(self.window, shape.window)) - self.unacknowledged

    def due(self, departure: float, size: int, shape: Shape) -> float:
        """When bytes that left at ``departure`` arrive; never before those sent earlier."""
        due = departure + shape.delay + self.dice.uniform(0, shape.jitter)
        segments = -(-size // SEGMENT)
        if shape.loss and self.dice.random() < 1 - (1 - shape.loss) ** segments:
            due += self._retransmission(shape)
        self.unacknowledged += size
        self.last_due = max(self.last_due, due)
        return self.last_due

    def _retransmission(self, shape: Shape) -> float:
        """Seconds that a loss costs: a round trip if enough follows it to be noticed, else the timeout."""
        self.threshold = max(self.window / 2, 2 * SEGMENT)
        noticed = self.unacknowledged > 3 * SEGMENT
        self.window = self.threshold if noticed else FIRST_WINDOW
        return max(shape.round_trip, 0.001) if noticed else max(MIN_TIMEOUT, 2 * shape.round_trip)

    def acknowledge(self, size: int) -> None:
        """The sender knows that ``size`` bytes have arrived."""
        self.unacknowledged -= size
        self.window += size if self.window < self.threshold else SEGMENT * size / self.window


def corrupted(data: bytes, before: int, every: int) -> bytes:
    """The bytes with one bit changed at each multiple of ``every``. ``before``: bytes that came earlier."""
    if not every:
        return data
    changed = bytearray(data)
    for at in range(-before % every, len(data), every):
        if before + at:
            changed[at] ^= 0x10
    return bytes(changed)


def parse_rate(text: str) -> float | None:
    """``10mbit`` as bytes per second; ``none`` is unlimited."""
    return None if text == "none" else _quantity(text, RATES, "10mbit or none") / 8


def parse_time(text: str) -> float:
    """``50ms`` as seconds."""
    return _quantity(text, TIMES, "50ms")


def parse_share(text: str) -> float:
    """``0.5%`` as a share of 1."""
    return _quantity(text, {"%": 0.01}, "0.5%")


def _quantity(text: str, units: dict[str, float], example: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([a-z%]+)", text.strip().lower())
    if not match or match[2] not in units:
        raise ValueError(f"{text!r} is not like {example}")
    return float(match[1]) * units[match[2]]


PLAIN: dict[str, Callable[[object], bool]] = {
    "corrupt_every": lambda value: type(value) is int and value >= 0,
    "stalled": lambda value: isinstance(value, bool),
}
PARSERS = {"rate": parse_rate, "delay": parse_time, "jitter": parse_time, "loss": parse_share}


def changed(shape: Shape, changes: dict[str, object]) -> Shape:
    """The shape with other values, which are texts with a unit where there is one; ValueError names a wrong one."""
    values: dict[str, object] = {}
    for name, value in changes.items():
        if name in PARSERS:
            values[name] = PARSERS[name](str(value))
        elif name in PLAIN and PLAIN[name](value):
            values[name] = value
        else:
            known = ", ".join(field.name for field in fields(Shape))
            raise ValueError(f"{name} = {value!r} is not one of {known}, or not a value of it")
    return replace(shape, **values)  # type: ignore[arg-type]

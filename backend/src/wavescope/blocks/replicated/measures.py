"""What is known of the path to one origin: a pure fold over events. No I/O; times are seconds of any clock."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import ceil

SAMPLE_SECONDS = 0.05  # of streaming, after which a sample of the bandwidth is complete
SAMPLE_BYTES = 1 << 18  # or so many bytes, in a tenth of that time
SMOOTHING = 0.25  # the weight of a new sample of the bandwidth
DELAYS = 64  # first answers that are remembered
QUIET_DELAYS = 8  # those of them that met no queue
PERCENTILE = 0.95
START_LATENCY, START_BANDWIDTH = 0.05, 5e5  # s and bytes per second of a path on which nothing was measured
UNKNOWN_BANDWIDTH = 32_000.0  # that an unmeasured path has at least, before it counts as silent
GAIN = 2.0  # the window in units of bandwidth x delay: a queue of one round trip, as in BBR
STREAM_SECONDS = 0.1  # a window holds at least what arrives in this time
MIN_WINDOW, MAX_WINDOW = 1 << 14, 1 << 24  # bytes


@dataclass(frozen=True)
class Sent:
    """A request left. ``expected``: the bytes that its answers are expected to have."""

    expected: int


@dataclass(frozen=True)
class Answered:
    """One answer of a request arrived.

    ``expected`` and ``size``: its bytes, as assumed when it was sent and as they are. ``first`` and ``last`` of the
    answers of its request; ``delay``: seconds from the request to its first answer, where that tells of the network.
    ``alone``: nothing was in flight when the request was sent, so that its delay is no queue of ours.
    """

    at: float
    expected: int
    size: int
    first: bool
    last: bool
    delay: float | None = None
    alone: bool = False


@dataclass(frozen=True)
class Dropped:
    """A request ended before its last answer. ``streaming``: its first answer had arrived."""

    expected: int
    streaming: bool


@dataclass(frozen=True)
class Probed:
    """A probe was answered after ``delay`` seconds."""

    delay: float


Event = Sent | Answered | Dropped | Probed


@dataclass(frozen=True)
class Train:
    """Answers one after another, while at least one request was between its first and its last answer."""

    bytes: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Measures:
    """The state of one path. ``bandwidth`` in bytes per second while answers stream, ``latency`` in seconds."""

    latency: float = START_LATENCY
    bandwidth: float = START_BANDWIDTH
    in_flight: int = 0
    requests: int = 0
    answers: int = 0
    bytes: int = 0
    delays: tuple[float, ...] = ()
    quiet: tuple[float, ...] = ()
    samples: int = 0
    streams: int = 0
    last: float = 0.0
    train: Train = field(default_factory=Train)

    def window(self, block: int) -> int:
        """The bytes that may be in flight: bandwidth x delay with its gain, and never less than four blocks."""
        stream = self.bandwidth * max(GAIN * self.latency, STREAM_SECONDS)
        return int(min(max(stream, MIN_WINDOW, 4 * block), MAX_WINDOW))

    def due(self) -> float:
        """Seconds that the bytes in flight take."""
        return self.in_flight / (self.bandwidth if self.samples else UNKNOWN_BANDWIDTH)

    def slow(self) -> float | None:
        """The 95th percentile of the delay of first answers, None before eight were measured."""
        if len(self.delays) < 8:
            return None
        return sorted(self.delays)[ceil(PERCENTILE * len(self.delays)) - 1]


def fold(measures: Measures, event: Event) -> Measures:
    """The state after an event."""
    if isinstance(event, Sent):
        return replace(measures, in_flight=measures.in_flight + event.expected, requests=measures.requests + 1)
    if isinstance(event, Dropped):
        return replace(
            measures,
            in_flight=max(0, measures.in_flight - event.expected),
            requests=measures.requests - 1,
            streams=measures.streams - event.streaming,
        )
    if isinstance(event, Probed):
        return _delayed(measures, event.delay, alone=not measures.requests)
    return _answered(measures, event)


def _delayed(measures: Measures, delay: float, alone: bool) -> Measures:
    """The latency is the least delay of the last requests that met no queue of ours: else it would grow with the window
    that is made from it.
    """
    delays = (*measures.delays[1 - DELAYS :], delay)
    if not alone and measures.quiet and delay >= measures.latency:
        return replace(measures, delays=delays)
    quiet = (*measures.quiet[1 - QUIET_DELAYS :], delay)
    return replace(measures, delays=delays, quiet=quiet, latency=min(quiet))


def _answered(measures: Measures, event: Answered) -> Measures:
    measures = _streamed(measures, event) if measures.streams else measures
    measures = measures if event.delay is None else _delayed(measures, event.delay, event.alone)
    return replace(
        measures,
        in_flight=max(0, measures.in_flight - event.expected),
        requests=measures.requests - event.last,
        answers=measures.answers + 1,
        bytes=measures.bytes + event.size,
        streams=measures.streams + (event.first and not event.last) - (event.last and not event.first),
        last=event.at,
    )


def _streamed(measures: Measures, event: Answered) -> Measures:
    """With the time since the last answer, in which bytes were due all the while."""
    train = Train(measures.train.bytes + event.size, measures.train.seconds + event.at - measures.last)
    full = train.seconds >= SAMPLE_SECONDS
    if not full and not (train.bytes >= SAMPLE_BYTES and train.seconds >= SAMPLE_SECONDS / 10):
        return replace(measures, train=train)
    rate = train.bytes / train.seconds
    if measures.samples:
        rate = measures.bandwidth + SMOOTHING * (rate - measures.bandwidth)
    return replace(measures, bandwidth=max(rate, 1.0), samples=measures.samples + 1, train=Train())

"""Counters for Prometheus. Plain numbers while counting, because blocks are counted hundreds of times a second."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from wavescope.api.metrics.families import OWN, REQUEST_SECONDS, Family
from wavescope.errors import CorruptBlock, CorruptStore, WavescopeError

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "OTHER"  # the label of any other method: a client chooses it

Sample = tuple[tuple[str, ...], float]
"""The values of the labels, and the number."""

Readings = Mapping[str, Callable[[], Iterable[Sample]]]
"""By the name of a family, what reads its samples. One that raises OSError has none."""


class Requests:
    """One route, method and status: how many, how long, how many bytes."""

    __slots__ = ("buckets", "bytes", "count", "seconds")

    def __init__(self) -> None:
        self.count = self.bytes = 0
        self.seconds = 0.0
        self.buckets = [0] * (len(BOUNDS) + 1)

    def add(self, seconds: float, size: int) -> None:
        self.count += 1
        self.bytes += size
        self.seconds += seconds
        self.buckets[bisect_left(BOUNDS, seconds)] += 1


class Metrics:
    """The numbers of one application; ``readings``: those that other parts count themselves, of the families of a
    service and of ``more``.
    """

    def __init__(self, readings: Readings | None = None, more: Sequence[Family] = ()) -> None:
        self._families = (*OWN, *more)
        self.requests: defaultdict[tuple[str, str, int], Requests] = defaultdict(Requests)
        self.in_progress = self.event_streams = self.open_websockets = 0
        self.websockets: Counter[str] = Counter(accepted=0, refused=0)
        self.blocks = self.block_bytes = self.empty_blocks = self.corrupt_blocks = 0
        self._readings: Readings = {**(readings or {}), **self._own_readings()}
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._registry.register(self)

    def begin(self) -> None:
        """Counts a request in progress."""
        self.in_progress += 1

    def stream(self) -> None:
        """The answer to a request in progress is a stream of events."""
        self.in_progress -= 1
        self.event_streams += 1

    def end(self, stream: bool) -> None:
        """A request is over."""
        if stream:
            self.event_streams -= 1
        else:
            self.in_progress -= 1

    @contextmanager
    def websocket(self) -> Iterator[None]:
        """Counts a WebSocket while it is open. It is never timed: it lasts as long as its client likes."""
        self.websockets["accepted"] += 1
        self.open_websockets += 1
        try:
            yield
        finally:
            self.open_websockets -= 1

    def request(self, route: str, method: str, status: int, seconds: float, size: int) -> None:
        """Counts a request that was answered."""
        label = method if method in METHODS else OTHER
        self.requests[route, label, status].add(max(0.0, seconds), size)

    def block(self, size: int) -> None:
        """Counts a block that was sent."""
        self.blocks += 1
        self.block_bytes += size
        self.empty_blocks += size == 0

    def corrupt_block(self) -> None:
        """Counts a block or another stored part that was found corrupt."""
        self.corrupt_blocks += 1

    def frame(self, result: bytes | WavescopeError) -> None:
        """Counts a frame of a batch."""
        if isinstance(result, bytes):  # as ``block``
            self.blocks += 1
            self.block_bytes += len(result)
            self.empty_blocks += not result
        elif isinstance(result, CorruptBlock | CorruptStore):
            self.corrupt_block()

    def text(self) -> bytes:
        """Prometheus' text format."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Called by the registry."""
        yield self._seconds()
        for family in self._families:
            if family.name in self._readings:
                yield _metric(family, self._readings[family.name])

    def _own_readings(self) -> Readings:
        return {
            "wavescope_sent_bytes_total": lambda: [
                ((route, method, str(status)), counted.bytes)
                for (route, method, status), counted in sorted(self.requests.items())
            ],
            "wavescope_requests_in_progress": lambda: [((), self.in_progress)],
            "wavescope_event_streams": lambda: [((), self.event_streams)],
            "wavescope_open_websockets": lambda: [((), self.open_websockets)],
            "wavescope_websockets_total": lambda: [((result,), count) for result, count in self.websockets.items()],
            "wavescope_blocks_total": lambda: [((), self.blocks)],
            "wavescope_block_bytes_total": lambda: [((), self.block_bytes)],
            "wavescope_empty_blocks_total": lambda: [((), self.empty_blocks)],
            "wavescope_corrupt_blocks_total": lambda: [((), self.corrupt_blocks)],
        }

    def _seconds(self) -> Metric:
        family = REQUEST_SECONDS
        seconds = HistogramMetricFamily(family.name, family.meaning, labels=family.labels)
        for (route, method, status), counted in sorted(self.requests.items()):
            seconds.add_metric([route, method, str(status)], _cumulative(counted.buckets), counted.seconds)
        return seconds


def _metric(family: Family, read: Callable[[], Iterable[Sample]]) -> Metric:
    of_kind = CounterMetricFamily if family.kind == "counter" else GaugeMetricFamily
    metric = of_kind(family.name, family.meaning, labels=family.labels)
    try:
        samples = list(read())
    except OSError:  # what is measured does not answer; the other metrics do
        samples = []
    for labels, value in samples:
        metric.add_metric(labels, float(value))
    return metric


def _cumulative(buckets: list[int]) -> list[tuple[str, float]]:
    total, out = 0, []
    for bound, count in zip([*map(str, BOUNDS), "+Inf"], buckets, strict=True):
        total += count
        out.append((bound, float(total)))
    return out

"""Counters for Prometheus. Plain numbers while counting, because blocks are counted hundreds of times a second."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from wavescope.blocks.measured import SourceReads
from wavescope.errors import CorruptBlock, CorruptStore, WavescopeError
from wavescope.logs import faults
from wavescope.logs.lines import counts

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)

Gauge = Callable[[], float]


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
    """The numbers of one application; ``source_reads`` are those of its block source."""

    def __init__(self, source_reads: SourceReads | None = None) -> None:
        self.requests: defaultdict[tuple[str, str, int], Requests] = defaultdict(Requests)
        self.blocks = self.block_bytes = self.empty_blocks = self.corrupt_blocks = 0
        self.gauges: dict[str, tuple[str, Gauge]] = {}
        self.counters: dict[str, tuple[str, Gauge]] = {}
        self._source_reads = source_reads or SourceReads()
        self._registry = CollectorRegistry()
        self._registry.register(self)

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
        if isinstance(result, bytes):
            self.block(len(result))
        elif isinstance(result, CorruptBlock | CorruptStore):
            self.corrupt_block()

    def text(self) -> bytes:
        """Prometheus' text format."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Called by the registry."""
        yield from self._requests()
        yield from self._reads()
        for name, text, value in (
            ("blocks", "Blocks sent, single and in batches", self.blocks),
            ("block_bytes", "Bytes of blocks sent", self.block_bytes),
            ("empty_blocks", "Blocks asked for although they are empty", self.empty_blocks),
            ("corrupt_blocks", "Blocks and stored parts found damaged", self.corrupt_blocks),
        ):
            yield CounterMetricFamily(f"wavescope_{name}", text, value=value)
        yield _log_lines()
        yield _faults()
        for name, (text, read) in self.counters.items():
            yield CounterMetricFamily(f"wavescope_{name}", text, value=read())
        for name, (text, read) in self.gauges.items():
            yield GaugeMetricFamily(f"wavescope_{name}", text, value=read())

    def _requests(self) -> Iterator[Metric]:
        labels = ["route", "method", "status"]
        seconds = HistogramMetricFamily("wavescope_request_seconds", "Requests by duration", labels=labels)
        sent = CounterMetricFamily("wavescope_sent_bytes", "Bytes of bodies sent", labels=labels)
        for (route, method, status), requests in sorted(self.requests.items()):
            values = [route, method, str(status)]
            seconds.add_metric(values, _cumulative(requests.buckets), requests.seconds)
            sent.add_metric(values, requests.bytes)
        yield from (seconds, sent)

    def _reads(self) -> Iterator[Metric]:
        reads = CounterMetricFamily("wavescope_block_source_reads", "Reads of the block source", labels=["kind"])
        size = CounterMetricFamily("wavescope_block_source_bytes", "Bytes that it returned", labels=["kind"])
        seconds = CounterMetricFamily("wavescope_block_source_seconds", "Seconds of waiting for it", labels=["kind"])
        failures = CounterMetricFamily("wavescope_block_source_failures", "Reads that failed", labels=["kind", "cause"])
        for kind, counted in self._source_reads.of.items():
            reads.add_metric([kind], counted.count)
            size.add_metric([kind], counted.bytes)
            seconds.add_metric([kind], counted.seconds)
            for cause, count in sorted(counted.failures.items()):
                failures.add_metric([kind, cause], count)
        yield from (reads, size, seconds, failures)


def _log_lines() -> Metric:
    lines = CounterMetricFamily(
        "wavescope_log_lines", "Lines of the log, warnings and above", labels=["level", "event"]
    )
    for (level, event), count in sorted(counts.items()):
        lines.add_metric([level, event], count)
    return lines


def _faults() -> Metric:
    found = CounterMetricFamily("wavescope_faults", "Faults by kind and cause (OP59)", labels=["kind", "cause"])
    for (kind, cause), count in sorted(faults.counts.items()):
        found.add_metric([kind, cause], count)
    return found


def _cumulative(buckets: list[int]) -> list[tuple[str, float]]:
    total, out = 0, []
    for bound, count in zip([*map(str, BOUNDS), "+Inf"], buckets, strict=True):
        total += count
        out.append((bound, float(total)))
    return out

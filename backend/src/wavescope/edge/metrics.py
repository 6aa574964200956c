"""What an edge measures beside requests and reads (ED30)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wavescope.api.metrics.families import Family
from wavescope.api.metrics.registry import Readings, Sample
from wavescope.edge.composition import EdgeServices

FAMILIES = (
    Family("wavescope_edge_hits_total", "counter", ("tier",), "", "blocks and other parts answered from the cache"),
    Family("wavescope_edge_misses_total", "counter", (), "", "those fetched from an origin"),
    Family(
        "wavescope_edge_hit_bytes_total",
        "counter",
        (),
        "bytes",
        "answered from the cache, or from the fetch of another request",
    ),
    Family("wavescope_edge_missed_bytes_total", "counter", (), "bytes", "fetched from an origin"),
    Family("wavescope_edge_coalesced_total", "counter", (), "", "requests that waited for the fetch of another one"),
    Family("wavescope_edge_bytes", "gauge", ("tier",), "bytes", "the cache now"),
    Family("wavescope_edge_limit_bytes", "gauge", ("tier",), "bytes", "its budget (`edge_memory`, `edge_disk`)"),
    Family("wavescope_edge_evicted_total", "counter", ("tier",), "", "entries that a full cache gave up"),
    Family("wavescope_edge_damaged_total", "counter", (), "", "entries on disk that did not fit their checksum"),
    Family("wavescope_edge_dropped_total", "counter", (), "", "entries that the disk was too slow or too full for"),
    Family("wavescope_edge_policy", "gauge", ("policy",), "", "always 1; the policy of the cache (ED10)"),
    Family("wavescope_edge_origin_requests_total", "counter", ("origin",), "", "requests for slides, by origin"),
    Family("wavescope_edge_origin_bytes_total", "counter", ("origin",), "bytes", "what these answered"),
    Family("wavescope_edge_origin_seconds_total", "counter", ("origin",), "seconds", "duration of these"),
    Family("wavescope_edge_origin_failures_total", "counter", ("origin", "cause"), "", "those that failed"),
)
"""An origin is named by its number: its position in the setting `edge_origins`, from 0, then the order of joining."""


def readings_of(services: EdgeServices) -> Readings:
    """The readings of FAMILIES."""
    cached, memory, disk = services.cached, services.cached.memory, services.cached.disk
    counts, fetches = cached.counts, services.coalescing.counts

    def tiers(read: str) -> Callable[[], Iterable[Sample]]:
        found = [("memory", memory), *([("disk", disk)] if disk is not None else [])]
        return lambda: [((name,), float(getattr(tier, read))) for name, tier in found]

    def one(read: Callable[[], float]) -> Callable[[], Iterable[Sample]]:
        return lambda: [((), read())]

    def each(read: str) -> Callable[[], Iterable[Sample]]:
        return lambda: [((str(one.number),), getattr(one.remote.counts, read)) for one in services.origins.all]

    return {
        "wavescope_edge_hits_total": lambda: [(("memory",), counts.memory_hits), (("disk",), counts.disk_hits)],
        "wavescope_edge_misses_total": one(lambda: fetches.fetched),
        "wavescope_edge_hit_bytes_total": one(lambda: counts.hit_bytes + fetches.coalesced_bytes),
        "wavescope_edge_missed_bytes_total": one(lambda: fetches.fetched_bytes),
        "wavescope_edge_coalesced_total": one(lambda: fetches.coalesced),
        "wavescope_edge_bytes": tiers("bytes"),
        "wavescope_edge_limit_bytes": tiers("budget"),
        "wavescope_edge_evicted_total": tiers("evicted"),
        "wavescope_edge_damaged_total": one(lambda: disk.damaged if disk else 0),
        "wavescope_edge_dropped_total": one(lambda: disk.dropped if disk else 0),
        "wavescope_edge_policy": lambda: [((services.config.edge_policy,), 1)],
        "wavescope_edge_origin_requests_total": each("requests"),
        "wavescope_edge_origin_bytes_total": each("bytes"),
        "wavescope_edge_origin_seconds_total": each("seconds"),
        "wavescope_edge_origin_failures_total": lambda: [
            ((str(one.number), cause), count)
            for one in services.origins.all
            for cause, count in sorted(one.remote.counts.failures.items())
        ],
    }

"""A replayed trace in figures: one JSON value, and lines for people."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from wavescope.errors import InvalidParameter
from wavescope_lab.replay.driver import Run
from wavescope_lab.workload.statistics import summarise


def report(run: Run) -> dict[str, Any]:
    """All figures; InvalidParameter if no request was answered. Seconds, bytes."""
    if not run.requests:
        raise InvalidParameter("seconds", run.seconds, "a time in which at least one request is answered")
    stated = run.hits + run.misses
    return {
        "complete": run.complete,
        "clients": len({timed.client for timed in run.requests}),
        "requests": len(run.requests),
        "seconds": run.seconds,
        "bytes": run.bytes,
        "answers": run.answers,
        "distinct_parts": len(run.parts),
        "distinct_bytes": sum(run.parts.values()),
        "distinct_by_group": _by_group(run),
        "hits": run.hits,
        "misses": run.misses,
        "hit_ratio": run.hits / stated if stated else None,
        "response_seconds": asdict(summarise([timed.seconds for timed in run.requests])),
        "by_number": [
            {"number": number, **asdict(summarise(times))} for number, times in sorted(_by_number(run).items())
        ],
        "timed": [asdict(timed) for timed in run.requests],
    }


def _by_group(run: Run) -> dict[str, int]:
    """Distinct bytes of blocks and tiles by ``level N``, and of everything else by its kind."""
    groups: dict[str, int] = {}
    for name, size in sorted(run.parts.items()):
        kind, *rest = name.split("/")
        group = f"level {rest[2]}" if kind == "block" else f"level {rest[0]}" if kind == "tile" else kind
        groups[group] = groups.get(group, 0) + size
    return groups


def _by_number(run: Run) -> dict[int, list[float]]:
    times: dict[int, list[float]] = {}
    for timed in run.requests:
        times.setdefault(timed.number, []).append(timed.seconds)
    return times


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as people read them."""
    times = figures["response_seconds"]
    percentiles = ", ".join(f"{percent} %: {value:.3f}" for percent, value in times["percentiles"].items())
    hits = "not stated" if figures["hit_ratio"] is None else f"{figures['hit_ratio']:.1%}"
    return [
        f"{figures['requests']} requests of {figures['clients']} clients in {figures['seconds']:.1f} s"
        + ("" if figures["complete"] else " (incomplete: the time ended)"),
        f"response: mean {times['mean']:.3f} s, least {times['min']:.3f}, most {times['max']:.3f}, "
        f"variance {times['variance']:.4f}; {percentiles}",
        f"received: {figures['bytes'] / 1e6:.2f} MB in {figures['answers']} answers; distinct: "
        f"{figures['distinct_bytes'] / 1e6:.2f} MB in {figures['distinct_parts']} parts; hit ratio: {hits}",
    ]

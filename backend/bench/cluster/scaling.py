"""Throughput of 1, 2 and 4 nodes, each with the same share of a core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from setting import table

from cluster.load import Work
from cluster.measuring import Figures, Times, measure
from cluster.parts import Data, cluster

LEAST_THROUGHPUT = 3.6
MOST_CPU = 1.10
CLIENTS = 16  # for each node
SLIDES = 2  # which every node has in memory after its warm-up
KINDS = {"blocks": 0.0, "regions": 1.0}


def scaling(folder: Path, shared: Data, counts: Sequence[int], cores: float, times: Times) -> list[dict[str, object]]:
    """The rows of all measurements, printed as ratios to one node."""
    found: dict[tuple[str, int], Figures] = {}
    for count in counts:
        with cluster(folder / f"scaling-{count}", shared, count, [cores]) as one:
            for kind, regions in KINDS.items():
                work = Work(shared.slides[:SLIDES], shared.size, clients=CLIENTS * count, regions=regions)
                found[kind, count] = measure(one, work, replace(times, warm=times.warm * count))
    rows = []
    for (kind, count), figures in found.items():
        alone = found[kind, counts[0]]
        share = figures.balancer_cpu / (figures.balancer_cpu + figures.node_cpu)
        ratios = (figures.rate / alone.rate, figures.node_cpu / alone.node_cpu, share, figures.driver)
        values = (f"{figures.rate:.0f}", f"{1e3 * figures.node_cpu:.2f}", *(f"{ratio:.3f}" for ratio in ratios))
        rows.append((f"{kind}, {count} nodes", *values))
    columns = (
        "",
        "answers/s",
        "CPU ms",
        "throughput x",
        "CPU per answer x",
        "balancer's share",
        "driver, cores",
    )
    table(f"Nodes with {cores} of a core each; ratios to {counts[0]} node", columns, sorted(rows))
    return [{"kind": kind, "nodes": count, **figures.record()} for (kind, count), figures in found.items()]


def missed(rows: Sequence[dict[str, object]]) -> list[str]:
    """What the targets say of 4 nodes against 1."""
    found = {(row["kind"], row["nodes"]): row for row in rows}
    complaints = []
    for kind in KINDS:
        if (kind, 1) in found and (kind, 4) in found:
            one, four = found[kind, 1], found[kind, 4]
            rate, cpu = (float(four[name]) / float(one[name]) for name in ("rate", "node_cpu"))  # type: ignore[arg-type]
            if rate < LEAST_THROUGHPUT:
                complaints.append(f"{kind}: throughput of 4 nodes is {rate:.2f} x, the target {LEAST_THROUGHPUT}")
            if cpu > MOST_CPU:
                complaints.append(f"{kind}: CPU per answer is {cpu:.2f} x, the target {MOST_CPU}")
    return complaints

"""The comparisons of Khaleel 1999 and of Andresen 1996: policies by response time, hit ratio and queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from setting import table

from cluster.load import Work
from cluster.measuring import Figures, Times, measure
from cluster.parts import Data, cluster

CLIENTS = 6  # for each node
BUDGET = 2 << 20  # bytes of a node's memory for blocks
SMALL = 3  # slides that fit it
COLUMNS = ("", "mean ms", "p95 ms", "hit ratio", "queue", "longest / mean", "answers/s", "CPU ms", "balancer ms")


@dataclass(frozen=True)
class Compared:
    """Which rows there are."""

    layouts: Sequence[str]
    counts: Sequence[int]
    policies: Sequence[str]


def comparison(folder: Path, shared: Data, rows_of: Compared, cores: float, times: Times) -> list[dict[str, object]]:
    """Every policy with a working set below and above the memory of a node, by number of nodes."""
    rows: list[dict[str, object]] = []
    for layout in rows_of.layouts:
        settings: dict[str, object] = {"SLIDE_STORE_MEMORY": BUDGET, "DATA_LAYOUT": layout}
        for count in rows_of.counts:
            if layout == "striped" and count == 1:
                continue  # one node has all parts
            with cluster(folder / f"{layout}-{count}", shared, count, [cores], settings) as one:
                for working_set, slides in (("small", shared.slides[:SMALL]), ("large", shared.slides)):
                    work = Work(slides, shared.size, clients=CLIENTS * count)
                    printed = []
                    for policy in rows_of.policies:
                        one.use(policy)
                        figures = measure(one, work, times)
                        row = {"layout": layout, "nodes": count, "set": working_set, "policy": policy}
                        rows.append(row | figures.record())
                        printed.append((policy, *cells(figures)))
                    table(f"{layout}, {count} nodes, {working_set} working set", COLUMNS, printed)
    return rows


def mixed(
    folder: Path, shared: Data, count: int, policies: Sequence[str], cores: Sequence[float], times: Times
) -> list[dict[str, object]]:
    """Blocks and regions together on nodes of unequal speed, as Andresen 1996 compares them; light and heavy load."""
    rows: list[dict[str, object]] = []
    with cluster(folder / "mixed", shared, count, cores) as one:
        for load, clients in (("light", 2), ("heavy", CLIENTS * count)):
            printed = []
            for policy in policies:
                one.use(policy)
                work = Work(shared.slides[:SMALL], shared.size, clients=clients, regions=0.4, region=(1000, 700))
                figures = measure(one, work, times)
                rows.append({"nodes": count, "load": load, "policy": policy, **figures.record()})
                printed.append((policy, *cells(figures)))
            table(f"mixed load on {count} nodes, {load}", COLUMNS, printed)
    return rows


def cells(figures: Figures) -> tuple[str, ...]:
    """A row of the table."""
    return (
        f"{1e3 * figures.mean:.0f}",
        f"{1e3 * figures.p95:.0f}",
        f"{figures.hits:.3f}",
        f"{figures.queue:.2f}",
        f"{figures.imbalance:.2f}",
        f"{figures.rate:.0f}",
        f"{1e3 * figures.node_cpu:.2f}",
        f"{1e3 * figures.balancer_cpu:.3f}",
    )

"""The comparisons of Khaleel 1999 and of Andresen 1996: policies by response time, hit ratio and queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from setting import table

from cluster.load import Work
from cluster.measuring import Figures, Times, decode_all, measure, row
from cluster.parts import Data, cluster

CLIENTS = 6  # for each node
BUDGET = 2 << 20  # bytes of a node's memory for blocks
SMALL = 3  # slides that fit it
COLUMNS = ("", "mean ms", "p95 ms", "hit ratio", "queue", "longest / mean", "answers/s", "CPU ms", "balancer ms")

MIXED = ("", "mean ms", "p95 ms", "mean x", "(least, most)", "longest / mean", "answers/s", "CPU ms", "balancer ms")


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
                        facts = {"layout": layout, "nodes": count, "set": working_set, "policy": policy}
                        rows.append(facts | figures.record())
                        printed.append((policy, *cells(figures)))
                    table(f"{layout}, {count} nodes, {working_set} working set", COLUMNS, printed)
    return rows


def mixed(
    folder: Path, shared: Data, policies: Sequence[str], cores: Sequence[float], times: Times, pairs: int
) -> list[dict[str, object]]:
    """Blocks and regions together on nodes of unequal speed, as Andresen 1996 compares them; light and heavy load.

    Every node has the slides decoded in memory before. Rows of all policies take turns, forwards and backwards;
    ``pairs``: turns. Ratios are to the first policy in the same turn.
    """
    rows: list[dict[str, object]] = []
    slides = shared.slides[:SMALL]
    with cluster(folder / "mixed", shared, len(cores), cores) as one:
        one.release()
        decode_all(one, slides, shared.size)
        one.hold()
        for load, clients in (("light", 2), ("heavy", CLIENTS * len(cores))):
            work = Work(slides, shared.size, clients=clients, regions=0.4, region=(1000, 700))
            found: dict[str, list[Figures]] = {policy: [] for policy in policies}
            for turn in range(pairs):
                for policy in policies if turn % 2 == 0 else reversed(policies):
                    one.use(policy)
                    found[policy].append(figures := row(one, work, times, seed=turn))
                    rows.append({"load": load, "turn": turn, "policy": policy, **figures.record()})
            printed = [(policy, *_medians(figures, found[policies[0]])) for policy, figures in found.items()]
            table(f"mixed load on {len(cores)} nodes, {load}, medians of {pairs} rows", MIXED, printed)
    return rows


def _medians(figures: Sequence[Figures], first: Sequence[Figures]) -> tuple[str, ...]:
    ratios = [one.mean / other.mean for one, other in zip(figures, first, strict=True)]
    return (
        f"{1e3 * median(one.mean for one in figures):.0f}",
        f"{1e3 * median(one.p95 for one in figures):.0f}",
        f"{median(ratios):.2f}",
        f"{min(ratios):.2f}, {max(ratios):.2f}",
        f"{median(one.imbalance for one in figures):.2f}",
        f"{median(one.rate for one in figures):.0f}",
        f"{1e3 * median(one.node_cpu for one in figures):.2f}",
        f"{1e3 * median(one.balancer_cpu for one in figures):.3f}",
    )


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

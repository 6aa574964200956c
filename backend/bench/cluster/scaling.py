"""Throughput of 1, 2 and 4 nodes, each with the same share of a core.

All nodes run all the time, with the slides in memory; rows of a few seconds with 1, 2, 4, 4, 2 and 1 of them behind the
balancer take turns, so that each row has neighbours under the same conditions. Ratios are of neighbours, figures are
medians.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from setting import table

from cluster.ballast import ballast
from cluster.load import Work
from cluster.measuring import Figures, Times, decode_all, row, rows_at_once, warm
from cluster.parts import Cluster, Data, cluster

MIN_THROUGHPUT = 3.6
MAX_CPU = 1.10
CLIENTS = 48  # for each node: while a node waits for its next share, requests of most clients wait at it
SLIDES = 2  # which every node has in memory after its warm-up
KINDS = {"blocks": 0.0, "regions": 1.0}
COUNTS = (1, 2, 4)
COLUMNS = (
    "",
    "answers/s",
    "shares used",
    "CPU ms",
    "throughput x",
    "(least, most)",
    "CPU per answer x",
    "(least, most)",
    "balancer's share",
    "balancer, cores",
    "driver, cores",
)


@dataclass(frozen=True)
class Scaled:
    """What is measured. ``rounds``: of rows 1, 2, 4, 4, 2, 1 for each kind; ``cores``: of each node."""

    rounds: int
    cores: float
    times: Times
    policy: str = "round-robin"
    filled: bool = True
    at_once: bool = False


@dataclass(frozen=True)
class Row:
    """One row. ``turn``: rows of one turn are neighbours, one with each number of nodes."""

    kind: str
    turn: int
    nodes: int
    figures: Figures

    def record(self) -> dict[str, object]:
        """As JSON has it."""
        return {"kind": self.kind, "turn": self.turn, "nodes": self.nodes, **self.figures.record()}


def scaling(folder: Path, shared: Data, of: Scaled) -> tuple[list[dict[str, object]], list[str]]:
    """All rows, and missed targets; printed as medians of rows, and of ratios to the row with one node of its turn."""
    if of.at_once:
        with ExitStack() as stack:
            if of.filled:
                stack.enter_context(ballast())
            ones = {
                count: stack.enter_context(
                    cluster(folder / f"scaling-{count}", shared, count, [of.cores], prefix=f"c{count}n")
                )
                for count in COUNTS
            }
            for one in ones.values():
                one.use(of.policy)
            rows = [row for kind in KINDS for row in _rows_at_once(ones, shared, of, kind)]
        table(f"Nodes with {of.cores} of a core each, {of.policy}, at once", COLUMNS, _cells(rows))
        return [row.record() for row in rows], missed(rows)
    with ballast() if of.filled else nullcontext(), cluster(folder / "scaling", shared, max(COUNTS), [of.cores]) as one:
        one.use(of.policy)
        rows = [row for kind in KINDS for row in _rows(one, shared, of, kind)]
        idle = _idle(one, of.times.measured)
    table(f"Nodes with {of.cores} of a core each, {of.policy}", COLUMNS, _cells(rows))
    print(f"an idle node takes {idle:.4f} of a core", flush=True)
    records = [row.record() for row in rows] + [{"kind": "idle", "nodes": 1, "cores": idle}]
    return records, missed(rows)


def _rows_at_once(ones: dict[int, Cluster], shared: Data, of: Scaled, kind: str) -> Iterator[Row]:
    def work(count: int) -> Work:
        return Work(shared.slides[:SLIDES], shared.size, clients=CLIENTS * count, regions=KINDS[kind])

    for count, one in ones.items():
        one.release()
        decode_all(one, shared.slides[:SLIDES], shared.size)
        warm(one, work(count), of.times.warm * count)
        one.hold()
    for turn in range(2 * of.rounds):
        found = rows_at_once([(one, work(count)) for count, one in ones.items()], of.times, turn)
        yield from (Row(kind, turn, count, figures) for count, figures in zip(ones, found, strict=True))


def _rows(one: Cluster, shared: Data, of: Scaled, kind: str) -> Iterator[Row]:
    def work(count: int) -> Work:
        return Work(shared.slides[:SLIDES], shared.size, clients=CLIENTS * count, regions=KINDS[kind])

    one.activate(max(COUNTS))
    one.release()
    decode_all(one, shared.slides[:SLIDES], shared.size)
    warm(one, work(max(COUNTS)), of.times.warm * max(COUNTS))
    one.hold()
    for turn in range(2 * of.rounds):
        for number, count in enumerate(COUNTS if turn % 2 == 0 else COUNTS[::-1]):
            one.activate(count)
            yield Row(kind, turn, count, row(one, work(count), of.times, len(COUNTS) * turn + number))


def _idle(one: Cluster, seconds: float) -> float:
    """Processor time per second of a node that gets no requests of clients, with its checks, signs of life and all."""
    one.activate(max(COUNTS))
    time.sleep(1)
    before = sum(share.cpu_seconds() for share in one.active_shares())
    time.sleep(seconds)
    used = sum(share.cpu_seconds() for share in one.active_shares()) - before
    return used / seconds / max(COUNTS)


def _cells(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    found: dict[tuple[str, int], list[Figures]] = defaultdict(list)
    for one in rows:
        found[one.kind, one.nodes].append(one.figures)
    cells: list[tuple[str, ...]] = []
    for (kind, count), figures in sorted(found.items()):
        rate, cpu = ratios(rows, kind, count)
        balancer = median(one.balancer_cpu / (one.balancer_cpu + one.node_cpu) for one in figures)
        values = (
            f"{median(one.rate for one in figures):.0f}",
            f"{median(one.used for one in figures):.2f}",
            f"{1e3 * median(one.node_cpu for one in figures):.2f}",
            f"{median(rate):.2f}",
            f"{min(rate):.2f}, {max(rate):.2f}",
            f"{median(cpu):.2f}",
            f"{min(cpu):.2f}, {max(cpu):.2f}",
            f"{balancer:.3f}",
            f"{median(one.balancer_cpu * one.rate for one in figures):.2f}",
            f"{median(one.driver for one in figures):.2f}",
        )
        cells.append((f"{kind}, {count} nodes", *values))
    return cells


def ratios(rows: Sequence[Row], kind: str, count: int) -> tuple[list[float], list[float]]:
    """Throughput and processor time per answer of ``count`` nodes, each against one node in the same turn."""
    alone = {one.turn: one.figures for one in rows if one.kind == kind and one.nodes == 1}
    pairs = [
        (one.figures, alone[one.turn]) for one in rows if one.kind == kind and one.nodes == count and one.turn in alone
    ]
    return [many.rate / one.rate for many, one in pairs], [many.node_cpu / one.node_cpu for many, one in pairs]


def missed(rows: Sequence[Row]) -> list[str]:
    """What the targets say of 4 nodes against 1."""
    complaints = []
    for kind in dict.fromkeys(one.kind for one in rows):
        rate, cpu = (median(found) for found in ratios(rows, kind, max(COUNTS)))
        if rate < MIN_THROUGHPUT:
            complaints.append(f"{kind}: throughput of 4 nodes is {rate:.2f} x, the target {MIN_THROUGHPUT}")
        if cpu > MAX_CPU:
            complaints.append(f"{kind}: CPU per answer is {cpu:.2f} x, the target {MAX_CPU}")
    return complaints

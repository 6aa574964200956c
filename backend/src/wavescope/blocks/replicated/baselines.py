"""The assignments that minimum-cost flow is compared with. Neither knows of load, of latency or of other demands."""

from __future__ import annotations

from random import Random

from wavescope.blocks.replicated.problem import Counts, Demand, Policy, Problem

GREEDY_SHARE = 0.75  # of the blocks go to the highest bandwidth, the others anywhere (Tierney et al. 1999, 5.3)


def round_robin(problem: Problem) -> Counts:
    """Equal numbers of the blocks of each demand; ``turn`` moves the one that gets a block more."""
    rows = []
    for demand in problem.demands:
        holders = _holders(problem, demand)
        holders = holders[problem.turn % len(holders) :] + holders[: problem.turn % len(holders)]
        share, more = divmod(demand.blocks, len(holders))
        extra = dict.fromkeys(holders[:more], 1)
        rows.append(tuple(share + extra.get(n, 0) if n in holders else 0 for n in range(len(problem.paths))))
    return tuple(rows)


def greedy(problem: Problem) -> Counts:
    """75 % of each demand to the highest bandwidth, the others to random holders; ``turn`` is the seed."""
    random = Random(problem.turn)
    rows = []
    for demand in problem.demands:
        holders = _holders(problem, demand)
        best = max(holders, key=lambda n: problem.paths[n].bandwidth)
        row = [0] * len(problem.paths)
        for _ in range(demand.blocks):
            row[best if random.random() < GREEDY_SHARE else random.choice(holders)] += 1
        rows.append(tuple(row))
    return tuple(rows)


def _holders(problem: Problem, demand: Demand) -> list[int]:
    return [n for n in range(len(problem.paths)) if demand.on(n)]


GREEDY = Policy("greedy", greedy, binding=True)
ROUND_ROBIN = Policy("round-robin", round_robin, binding=True)

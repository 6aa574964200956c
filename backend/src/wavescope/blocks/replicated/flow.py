"""Assignment by minimum-cost flow, as in Tierney et al. 1999. The only module that knows OR-Tools.

origin  -- capacity, seconds of a block -->  class of blocks with the same holders
ghost server  -- no limit, dearer than any way -->  class       blocks that wait
origin  -- no limit, free -->  ghost client                     capacity that is not used
ghost server  -- no limit, free -->  ghost client
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wavescope.blocks.replicated.problem import Counts, Policy, Problem, capacities, costs
from wavescope.errors import MissingPackage

COST_UNIT = 1e-5  # seconds
MAX_COST = 10**8  # units: beyond it, paths are equally slow


def minimum_cost_flow() -> Policy:
    """The policy. Raises MissingPackage where OR-Tools is not installed."""
    try:
        from ortools.graph.python import min_cost_flow
    except ImportError as error:
        raise MissingPackage("OR-Tools", "the assignment by minimum-cost flow", "edge") from error

    def assign(problem: Problem) -> Counts:
        return _solve(min_cost_flow.SimpleMinCostFlow(), problem)

    return Policy("flow", assign, binding=False)


def integer_costs(problem: Problem) -> list[int]:
    """The costs of the paths in whole units."""
    return [min(MAX_COST, round(seconds / COST_UNIT)) for seconds in costs(problem)]


def _solve(solver: Any, problem: Problem) -> Counts:
    paths, demands = len(problem.paths), len(problem.demands)
    if not paths or not demands:
        return ((0,) * paths,) * demands
    capacity = np.array(capacities(problem), np.int64)
    wanted = np.array([demand.blocks for demand in problem.demands], np.int64)
    price = np.array(integer_costs(problem), np.int64)
    holders = np.array([[demand.on(path) for path in range(paths)] for demand in problem.demands])
    to, start = np.nonzero(holders)
    # Nodes: the paths, the classes, the ghost server, the ghost client.
    server, client = paths + demands, paths + demands + 1
    each_path, each_class = np.arange(paths), paths + np.arange(demands)
    arcs = (
        (start, paths + to, np.minimum(capacity[start], wanted[to]), price[start]),
        (np.full(demands, server), each_class, wanted, np.full(demands, (paths + 1) * (int(price.max()) + 1))),
        (each_path, np.full(paths, client), capacity, np.zeros(paths, np.int64)),
        (np.array([server]), np.array([client]), np.array([wanted.sum()]), np.zeros(1, np.int64)),
    )
    tails, heads, limits, prices = (np.concatenate(column) for column in zip(*arcs, strict=True))
    solver.add_arcs_with_capacity_and_unit_cost(tails, heads, limits, prices)
    supply = np.concatenate([capacity, -wanted, [wanted.sum()], [-capacity.sum()]])
    solver.set_nodes_supplies(np.arange(len(supply)), supply)
    status = solver.solve()
    if status != solver.OPTIMAL:
        raise ArithmeticError(f"the solver ended with {status} on {problem}")
    counts = np.zeros((demands, paths), np.int64)
    counts[to, start] = solver.flows(np.arange(len(to)))
    return tuple(tuple(row) for row in counts.tolist())

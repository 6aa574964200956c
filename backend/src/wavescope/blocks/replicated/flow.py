"""Assignment by minimum-cost flow, as in Tierney et al. 1999. The only module that knows OR-Tools.

origin  -- capacity, seconds of a block -->  class of blocks with the same holders
ghost server  -- no limit, dearer than any way -->  class       blocks that wait
origin  -- no limit, free -->  ghost client                     capacity that is not used
ghost server  -- no limit, free -->  ghost client
"""

from __future__ import annotations

from typing import Any

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
    capacity, price = capacities(problem), integer_costs(problem)
    wanted = [demand.blocks for demand in problem.demands]
    # Nodes: the paths, the classes, the ghost server, the ghost client. Few, so that arrays would take more time.
    server, client = paths + demands, paths + demands + 1
    add = solver.add_arc_with_capacity_and_unit_cost
    arcs = [
        (number, path, add(path, paths + number, min(capacity[path], demand.blocks), price[path]))
        for number, demand in enumerate(problem.demands)
        for path in range(paths)
        if demand.on(path)
    ]
    for number, blocks in enumerate(wanted):
        add(server, paths + number, blocks, (paths + 1) * (max(price) + 1))
    for path in range(paths):
        add(path, client, capacity[path], 0)
    add(server, client, sum(wanted), 0)
    for node, supply in enumerate([*capacity, *(-blocks for blocks in wanted), sum(wanted), -sum(capacity)]):
        solver.set_node_supply(node, supply)
    status = solver.solve()
    if status != solver.OPTIMAL:
        raise ArithmeticError(f"the solver ended with {status} on {problem}")
    counts = [[0] * paths for _ in problem.demands]
    for number, path, arc in arcs:
        counts[number][path] = solver.flow(arc)
    return tuple(map(tuple, counts))

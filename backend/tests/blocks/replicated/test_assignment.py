"""The assignment of blocks to origins: what every policy promises, and what minimum-cost flow promises beyond."""

from __future__ import annotations

import builtins
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from sampling import share
from wavescope.blocks.replicated.baselines import greedy, round_robin
from wavescope.blocks.replicated.flow import integer_costs, minimum_cost_flow
from wavescope.blocks.replicated.plan import Plan
from wavescope.blocks.replicated.policies import POLICIES, policy
from wavescope.blocks.replicated.problem import (
    Assign,
    Counts,
    Demand,
    Path,
    Problem,
    capacities,
    costs,
    horizon,
    spread,
)
from wavescope.errors import InvalidParameter, MissingPackage

flow = minimum_cost_flow().assign
ALL: dict[str, Assign] = {name: make().assign for name, make in POLICIES.items()}

MBIT = 1e6 / 8


@some.composite
def problems(draw: some.DrawFn, paths: int = 6, demands: int = 6, blocks: int = 400) -> Problem:
    number = draw(some.integers(1, paths))
    path = some.builds(
        Path,
        latency=some.floats(0.0005, 0.5),
        bandwidth=some.floats(1e4, 1e8),
        in_flight=some.integers(0, 1 << 20),
        limit=some.one_of(some.none(), some.integers(0, 3)),
    )
    demand = some.builds(Demand, holders=some.integers(1, (1 << number) - 1), blocks=some.integers(0, blocks))
    return Problem(
        paths=tuple(draw(some.lists(path, min_size=number, max_size=number))),
        demands=tuple(draw(some.lists(demand, max_size=demands))),
        block=draw(some.integers(1, 1 << 16)),
        turn=draw(some.integers(0, 1000)),
    )


@pytest.mark.parametrize("name", ALL)
@given(problem=problems())
@settings(max_examples=share(60))
def test_each_block_goes_to_a_holder_once_or_waits_og1(name: str, problem: Problem) -> None:
    counts = ALL[name](problem)
    assert len(counts) == len(problem.demands)
    for row, demand in zip(counts, problem.demands, strict=True):
        assert all(count >= 0 for count in row)
        assert all(demand.on(path) for path, count in enumerate(row) if count)
        assert sum(row) <= demand.blocks
        assert name == "flow" or sum(row) == demand.blocks
    assert counts == ALL[name](problem)  # the same state gives the same assignment


@given(problem=problems())
@settings(max_examples=share(100))
def test_flow_respects_the_capacities_and_lets_only_what_does_not_fit_wait_og2(problem: Problem) -> None:
    counts, capacity = flow(problem), capacities(problem)
    for path, most in enumerate(capacity):
        assert sum(row[path] for row in counts) <= most
    free = [most - sum(row[path] for row in counts) for path, most in enumerate(capacity)]
    for row, demand in zip(counts, problem.demands, strict=True):
        if sum(row) < demand.blocks:
            assert not any(free[path] for path in range(len(free)) if demand.on(path))


@given(problem=problems())
@settings(max_examples=share(60))
def test_without_limits_of_trials_nothing_waits(problem: Problem) -> None:
    free = Problem(
        tuple(Path(path.latency, path.bandwidth, path.in_flight) for path in problem.paths),
        problem.demands,
        problem.block,
    )
    assert [sum(row) for row in flow(free)] == [demand.blocks for demand in free.demands]


def price(problem: Problem, counts: Counts) -> int:
    """The cost of an assignment, with that of the ghost server for each block that waits."""
    unit = integer_costs(problem)
    ghost = (len(unit) + 1) * (max(unit) + 1)
    waiting = sum(demand.blocks - sum(row) for row, demand in zip(counts, problem.demands, strict=True))
    return sum(count * unit[path] for row in counts for path, count in enumerate(row)) + ghost * waiting


def every_assignment(problem: Problem) -> list[Counts]:
    """All that the capacities allow."""
    rows = []
    for demand in problem.demands:
        ranges = [range(demand.blocks + 1) if demand.on(path) else range(1) for path in range(len(problem.paths))]
        rows.append([row for row in product(*ranges) if sum(row) <= demand.blocks])
    most = capacities(problem)
    return [
        counts
        for counts in product(*rows)
        if all(sum(row[path] for row in counts) <= capacity for path, capacity in enumerate(most))
    ]


@given(problem=problems(paths=3, demands=2, blocks=4))
@settings(max_examples=share(60))
def test_flow_costs_as_little_as_the_best_of_all_assignments_og2(problem: Problem) -> None:
    if problem.demands:
        assert price(problem, flow(problem)) == min(price(problem, counts) for counts in every_assignment(problem))


def test_the_horizon_is_the_time_in_which_the_scarcest_set_of_origins_delivers() -> None:
    fast, slow = Path(0.0, 1000.0), Path(0.0, 100.0)
    assert horizon(Problem((fast, slow), (Demand(0b11, 11),), 100)) == pytest.approx(1.0)
    assert horizon(Problem((fast, slow), (Demand(0b01, 10), Demand(0b10, 5)), 100)) == pytest.approx(5.0)
    late = Path(10.0, 1e9)
    assert horizon(Problem((fast, late), (Demand(0b11, 10),), 100)) == pytest.approx(1.0)  # too late to help
    queued = Path(0.0, 1000.0, in_flight=500)
    assert horizon(Problem((queued,), (Demand(1, 5),), 100)) == pytest.approx(1.0)


def test_a_block_that_only_the_slow_origin_has_leaves_it_no_others() -> None:
    paths = (Path(0.01, 40 * MBIT), Path(0.01, 8 * MBIT))
    counts = flow(Problem(paths, (Demand(0b11, 100), Demand(0b10, 50)), 4096))
    assert counts == ((100, 0), (0, 50))


def test_flow_shares_by_bandwidth_where_all_have_everything() -> None:
    paths = (Path(0.0, 40 * MBIT), Path(0.0, 20 * MBIT), Path(0.0, 10 * MBIT))
    (row,) = flow(Problem(paths, (Demand(0b111, 700),), 4096))
    assert row == pytest.approx((400, 200, 100), abs=4)


def test_one_block_goes_where_it_arrives_first() -> None:
    near, far = Path(0.005, 8 * MBIT), Path(0.2, 80 * MBIT)
    assert flow(Problem((near, far), (Demand(0b11, 1),), 4096)) == ((1, 0),)
    busy = Path(0.005, 8 * MBIT, in_flight=1 << 19)
    assert flow(Problem((busy, far), (Demand(0b11, 1),), 4096)) == ((0, 1),)
    assert costs(Problem((near, far), (), 4096))[0] < 0.01


def test_round_robin_turns() -> None:
    problem = Problem((Path(0, 1), Path(0, 9), Path(0, 1)), (Demand(0b101, 5),), 1, turn=1)
    assert round_robin(problem) == ((2, 0, 3),)


def test_greedy_gives_three_quarters_to_the_highest_bandwidth_and_the_rest_to_anyone() -> None:
    problem = Problem((Path(9, 5), Path(0, 9), Path(0, 1)), (Demand(0b111, 4000),), 1, turn=7)
    ((a, best, c),) = greedy(problem)
    assert best == pytest.approx(4000 * (0.75 + 0.25 / 3), rel=0.03)
    assert a == pytest.approx(c, rel=0.2)


@given(some.lists(some.integers(0, 40), max_size=5))
def test_a_row_is_spread_evenly(counts: list[int]) -> None:
    order = spread(counts)
    assert [order.count(path) for path in range(len(counts))] == counts
    for path, count in enumerate(counts):
        for n in range(1, len(order) + 1):
            due = n * count / len(order)
            assert abs(order[:n].count(path) - due) <= len(counts) / 2 + 1


def test_a_plan_serves_until_an_origin_is_free_early_or_it_is_old() -> None:
    problem = Problem((Path(0.0, 1e6), Path(0.0, 1e6)), (Demand(0b11, 10), Demand(0b01, 2)), 4096)
    plan = Plan("ab", problem, ((4, 6), (2, 0)), now=5.0)
    assert plan.serves("ab", [0b11, 0b01], ["a", "b"], 5.2)
    assert not plan.serves("ab", [0b11], ["a"], 5.3)  # too old
    assert not plan.serves("abc", [0b11], ["a"], 5.1)  # an origin has joined
    assert not plan.serves("ab", [0b10], ["b"], 5.1)  # blocks of other holders
    plan.rows[0b11][1] = 0
    assert plan.serves("ab", [0b11], ["a"], 5.1)
    assert not plan.serves("ab", [0b11], ["a", "b"], 5.1)  # b has done its share
    assert plan.serves("ab", [0b01], ["b"], 5.1)  # and could do nothing
    nothing = Plan("ab", problem, ((10, 0), (2, 0)), now=5.0)
    assert nothing.serves("ab", [0b11], ["a", "b"], 5.1)  # b is too slow to get any


def test_a_policy_has_a_name() -> None:
    assert {name: policy(name).binding for name in POLICIES} == {"flow": False, "greedy": True, "round-robin": True}
    with pytest.raises(InvalidParameter):
        policy("best")


def test_without_or_tools_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.startswith("ortools"):
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingPackage, match=r"OR-Tools.*wavescope\[edge\]"):
        policy("flow")
    assert policy("greedy").name == "greedy"

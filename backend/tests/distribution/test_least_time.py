"""SWEB's estimate: the broker's choice, the oracle's table, at most one redirection."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavescope_lab.distribution.least_time import (
    FIRST_COST,
    SPEEDS,
    Broker,
    NodeState,
    Oracle,
    Request,
    answered,
    assigned,
    choose,
    estimate,
)

STATES = st.builds(NodeState, st.floats(0, 10), st.floats(*SPEEDS), st.just({}))
NODES = st.dictionaries(st.sampled_from("abcdef"), STATES, min_size=1)


@given(NODES, st.floats(0, 2), st.sampled_from("abcdef"), st.integers(0, 3))
def test_the_least_estimate_is_chosen_and_there_is_at_most_one_redirection_cl87(
    nodes: dict[str, NodeState], redirection: float, at: str, hops: int
) -> None:
    oracle, request = Oracle(redirection=redirection), Request("blocks")
    broker = Broker(at, hops)
    chosen = choose(oracle, nodes, request, 0, broker)
    if hops:
        assert chosen == at
        return
    times = {name: estimate(oracle, node, request, 0, name != at) for name, node in nodes.items()}
    assert times[chosen] == min(times.values())
    assert choose(oracle, nodes, request, 0, Broker(chosen, 1)) == chosen


@given(NODES, st.sampled_from("abcdef"))
def test_only_nodes_that_are_alive_are_chosen_cl87(nodes: dict[str, NodeState], silent: str) -> None:
    living = {name: node for name, node in nodes.items() if name != silent}
    if living:
        assert choose(Oracle(), living, Request("blocks"), 0) in living
    else:
        with pytest.raises(ValueError, match="empty"):
            choose(Oracle(), living, Request("blocks"), 0)


def test_data_that_is_at_a_node_outweighs_a_shorter_queue_of_less_time_cl87() -> None:
    oracle, request = Oracle({"blocks": 0.001}, data=0.01), Request("blocks", "slide", 4)
    near, far = NodeState(work=0.03), NodeState()
    near.slides["slide"] = 60
    assert choose(oracle, {"far": far, "near": near}, request, 0) == "near"
    near.work = 0.05
    assert choose(oracle, {"far": far, "near": near}, request, 0) == "far"
    near.work = 0.03
    assert choose(oracle, {"far": far, "near": near}, request, 61) == "far"  # what it served is forgotten


def test_the_oracle_learns_costs_from_idle_nodes_and_speeds_from_busy_ones_cl87() -> None:
    oracle, node = Oracle(), NodeState()
    first = Request("region", "s", 10)
    mark = assigned(oracle, node, first, 0, 60)
    assert mark.cost == FIRST_COST * 10
    answered(oracle, node, first, mark, 0.2)
    assert oracle.costs == {"region": 0.02}
    assert node.work == 0
    _, second = (assigned(oracle, node, first, 1, 60) for _ in range(2))
    answered(oracle, node, first, second, 0.8)  # 0.4 s were expected, with the one before it
    assert node.speed == pytest.approx(1 + 0.1 * (0.5 - 1))
    assert oracle.costs == {"region": 0.02}


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(1, 100)), max_size=60))
def test_work_returns_to_nothing_when_all_is_answered_cl87(series: list[tuple[float, float]]) -> None:
    oracle, node, open_ = Oracle(), NodeState(), []
    for _, units in series:
        request = Request("r", "s", units)
        open_.append((request, assigned(oracle, node, request, 0, 60)))
    for (request, mark), (taken, _) in zip(open_, series, strict=True):
        answered(oracle, node, request, mark, taken)
        assert SPEEDS[0] <= node.speed <= SPEEDS[1]
    assert node.work == pytest.approx(0, abs=1e-6)

"""The decisions of every policy, over any nodes, loads and series of requests."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavescope.distribution.hashing import Ring, bounded, by_file, placement
from wavescope.distribution.loads import SILENT_SECONDS, Load, alive, weight
from wavescope_lab.distribution.clients import Clients, Limits, adapted_ttl, by_client, expire
from wavescope_lab.distribution.lard import Sets, Thresholds, locality_aware
from wavescope_lab.distribution.round_robin import by_weight, in_turn

NAMES = st.lists(st.sampled_from([f"n{number}" for number in range(8)]), min_size=1, max_size=8, unique=True)
SHARE = st.floats(0, 1)
KEYS = st.lists(st.sampled_from([f"slide-{number}" for number in range(20)]), min_size=1, max_size=80)


@given(NAMES, st.integers(1, 40))
def test_round_robin_gives_each_node_as_many_requests_cl82(names: list[str], rounds: int) -> None:
    last, counts = "", Counter[str]()
    for _ in range(rounds * len(names)):
        last = in_turn(names, last)
        counts[last] += 1
    assert counts == dict.fromkeys(names, rounds)


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 100), min_size=1))
def test_weights_are_shares_and_0_is_never_chosen_cl82(weights: dict[str, int]) -> None:
    total, credits = sum(weights.values()), dict[str, float]()
    if not total:
        with pytest.raises(ValueError, match="no node"):
            by_weight(weights, credits)
        return
    counts = Counter[str]()
    for _ in range(total):
        name, credits = by_weight(weights, credits)
        counts[name] += 1
    assert counts == {name: value for name, value in weights.items() if value}


@given(st.lists(st.tuples(SHARE, SHARE, SHARE, st.floats(0, 30)), min_size=1, max_size=8))
def test_a_silent_node_is_down_and_the_busiest_part_decides_the_weight_cl82(rows: list[tuple[float, ...]]) -> None:
    loads = {f"n{number}": Load(*row) for number, row in enumerate(rows)}
    now = 30.0
    assert set(alive(loads, now)) == {name for name, load in loads.items() if now - load.at <= SILENT_SECONDS}
    for load in loads.values():
        assert 1 <= weight(load) <= 100
        assert weight(load) == max(1, round(100 * (1 - max(load.cpu, load.disk, load.network))))


@given(NAMES, KEYS)
def test_a_slide_has_one_node_and_moves_only_when_that_goes_cl83(names: list[str], keys: list[str]) -> None:
    ring = Ring.of(names)
    before = {key: by_file(ring, key) for key in keys}
    assert set(before.values()) <= set(names)
    if len(names) > 1:
        gone = names[0]
        after = {key: by_file(Ring.of(names[1:]), key) for key in keys}
        assert all(after[key] == before[key] for key in keys if before[key] != gone)
        assert gone not in after.values()


@given(NAMES, KEYS, st.floats(1, 4), st.data())
def test_no_load_exceeds_the_bound_cl85(names: list[str], keys: list[str], factor: float, data: st.DataObject) -> None:
    ring, requests = Ring.of(names), Counter[str]()
    for key in keys:
        chosen = bounded(ring, key, requests, factor)
        requests[chosen] += 1
        assert requests[chosen] <= math.ceil(factor * requests.total() / len(names))
        if data.draw(st.booleans()):
            requests[data.draw(st.sampled_from(sorted(requests.elements())))] -= 1


def test_without_load_the_bound_changes_nothing_cl85() -> None:
    ring = Ring.of(["a", "b", "c"])
    for number in range(50):
        assert bounded(ring, f"slide-{number}", {}, 1.5) == by_file(ring, f"slide-{number}")
    with pytest.raises(ValueError, match="factor"):
        bounded(ring, "slide", {}, 0.5)


@given(NAMES, KEYS, st.floats(1, 100), st.booleans(), st.data())
def test_a_client_keeps_its_node_for_its_time_unless_that_is_overloaded_cl84(
    names: list[str], keys: list[str], ttl: float, sliding: bool, data: st.DataObject
) -> None:
    state, now, limits = Clients(), 0.0, Limits(ttl, 4, sliding)
    for client in keys:
        now += data.draw(st.floats(0, 60))
        requests = {name: data.draw(st.integers(0, 8)) for name in names}
        had, until = state.nodes.get(client, ("", 0.0))
        chosen = by_client(state, client, names, requests, now, limits)
        assert chosen in names
        elsewhere = min(requests.values()) < limits.max_requests
        if had and now < until and not (requests[had] >= limits.max_requests and elsewhere):
            assert chosen == had
            assert state.nodes[client][1] == (now + ttl if sliding else until)
        else:
            assert requests[chosen] == min(requests.values())
            assert state.nodes[client][1] == now + ttl
    expire(state, now + ttl + 1)
    assert not state.nodes


def test_a_client_of_a_node_that_is_gone_gets_another_one_cl84() -> None:
    state, limits = Clients(), Limits(100, 4)
    assert by_client(state, "x", ["a", "b"], {"b": 1}, 0, limits) == "a"
    assert by_client(state, "x", ["b"], {"b": 9}, 1, limits) == "b"


@given(st.floats(1, 1000), st.lists(st.integers(0, 50), min_size=1), SHARE)
def test_the_time_to_live_follows_balance_and_locality_within_its_bounds(
    ttl: float, queues: list[int], hits: float
) -> None:
    assert 5 <= adapted_ttl(ttl, queues, hits, (5, 500)) <= 500
    assert adapted_ttl(100, [9, 0, 0, 0], 0.1, (1, 500)) == 50
    assert adapted_ttl(100, [2, 2, 2, 2], 0.1, (1, 500)) == 200
    assert adapted_ttl(100, [2, 2, 2, 2], 0.95, (1, 500)) == 100


@given(NAMES, KEYS, st.data())
def test_lard_chooses_nodes_that_are_alive_and_moves_only_from_busy_ones_cl85(
    names: list[str], keys: list[str], data: st.DataObject
) -> None:
    state, now, limits = Sets(), 0.0, Thresholds(2, 5, 20)
    for slide in keys:
        now += data.draw(st.floats(0, 30))
        living = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
        requests = {name: data.draw(st.integers(0, 12)) for name in names}
        own = [name for name in state.nodes.get(slide, []) if name in living]
        chosen = locality_aware(state, slide, living, requests, now, limits)
        assert chosen in living
        if chosen not in own:
            assert requests[chosen] == min(requests[name] for name in living)
            least = min((requests[name] for name in own), default=0)
            assert not own or least > limits.high
        assert chosen in state.nodes[slide]


def test_lard_gives_up_a_node_of_a_slide_that_did_not_change_for_a_time() -> None:
    state, limits = Sets(), Thresholds(2, 5, 20)
    assert locality_aware(state, "s", ["a", "b"], {}, 0, limits) == "a"
    assert locality_aware(state, "s", ["a", "b"], {"a": 6, "b": 1}, 1, limits) == "b"
    assert state.nodes["s"] == ["a", "b"]
    assert locality_aware(state, "s", ["a", "b"], {"a": 3, "b": 1}, 20, limits) == "b"
    assert state.nodes["s"] == ["a", "b"]
    assert locality_aware(state, "s", ["a", "b"], {"a": 3, "b": 1}, 22, limits) == "b"
    assert state.nodes["s"] == ["b"]


@given(NAMES, KEYS, st.integers(1, 3))
def test_placement_is_stable_distinct_and_moves_only_parts_of_a_node_that_goes_cl88(
    names: list[str], keys: list[str], copies: int
) -> None:
    for key in keys:
        placed = placement(names, key, copies)
        assert placed == placement(names[::-1], key, copies)
        assert len(set(placed)) == len(placed) == min(copies, len(names))
        if len(names) > 1:
            rest = placement([name for name in names if name != placed[0]], key, copies)
            assert [name for name in placed if name != placed[0]] == rest[: len(placed) - 1]


def test_no_node_is_a_programming_mistake() -> None:
    for call in (lambda: in_turn([], ""), lambda: Ring.of([]), lambda: placement([], "a")):
        with pytest.raises(ValueError, match="no node"):
            call()

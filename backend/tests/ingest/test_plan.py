"""The plan: which units, in which order, of what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavescope.geometry import Pyramid
from wavescope.ingest.plan import Plan, Unit, missing, ready

sides = st.integers(1, 30_000)
plans = st.builds(lambda w, h, z: Plan(Pyramid(w, h), z), sides, sides, st.integers(1, 2))


@given(plans)
def test_every_tile_belongs_to_exactly_one_unit(plan: Plan) -> None:
    tiles = [
        (unit.z, unit.level, x, y) for unit in plan.units() for x in plan.tiles(unit)[0] for y in plan.tiles(unit)[1]
    ]
    assert len(tiles) == len(set(tiles)) == plan.total_tiles


@given(plans)
def test_children_come_before_their_parent(plan: Plan) -> None:
    place = {unit: number for number, unit in enumerate(plan.units())}
    assert all(place[child] < place[unit] for unit in place for child in plan.children(unit))


@given(plans)
def test_children_and_parents_know_each_other(plan: Plan) -> None:
    for unit in plan.units():
        assert all(plan.parent(child) == unit for child in plan.children(unit))
        parent = plan.parent(unit)
        assert (parent is None) == (unit.level == plan.top)
        assert parent is None or unit in plan.children(parent)


def test_level_0_shards_come_in_z_order() -> None:
    plan = Plan(Pyramid(16384, 16384), 1)
    places = [(unit.sx, unit.sy) for unit in plan.units() if unit.level == 0]
    assert places[:8] == [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (3, 0), (2, 1), (3, 1)]


def test_a_slide_of_one_tile_has_one_unit_its_approximation() -> None:
    assert list(Plan(Pyramid(256, 1), 1).units()) == [Unit(0, 0, 0, 0, 0)]


def test_nothing_is_missing_when_all_is_stored_even_without_spills() -> None:
    plan = Plan(Pyramid(20_000, 9_000), 2)
    assert missing(plan, lambda _: True, lambda _: False) == set()


def test_a_missing_parent_needs_the_spills_of_its_children() -> None:
    plan = Plan(Pyramid(8192, 8192), 1)
    parent, child = Unit(0, 0, 1, 0, 0), Unit(0, 0, 0, 1, 0)
    found = missing(plan, lambda unit: unit.level != 1, lambda unit: unit != child)
    assert found == {parent, child}


@pytest.mark.parametrize("finished", range(8))
def test_a_unit_is_ready_only_when_all_its_children_are_made(finished: int) -> None:
    plan = Plan(Pyramid(8192, 8192), 1)
    units = list(plan.units())
    unmade = set(units[finished:])
    for unit in unmade:
        assert ready(plan, unit, unmade) == (not unmade & set(plan.children(unit)))

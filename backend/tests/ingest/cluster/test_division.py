"""How the work is divided among workers: pure (CL50, CL51)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavescope.geometry import Pyramid
from wavescope.ingest.cluster.division import HIGHEST, SHARE, division, superblock_level, superblocks, units_of
from wavescope.ingest.plan import Plan, Unit


@pytest.mark.parametrize(
    ("waiting", "threads", "expected"),
    [(1, 3, "superblocks"), (2, 3, "superblocks"), (3, 3, "slides"), (100, 3, "slides"), (5, 0, "superblocks")],
)
def test_whole_slides_if_there_are_enough_for_all_threads_cl50(waiting: int, threads: int, expected: str) -> None:
    assert division(waiting, threads) == expected


plans = st.builds(Plan, st.builds(Pyramid, st.integers(1, 60_000), st.integers(1, 60_000)), st.integers(1, 3))


@given(plans, st.integers(1, 40))
def test_superblocks_have_every_unit_below_their_level_once_cl51(plan: Plan, threads: int) -> None:
    level = superblock_level(plan, threads)
    roots = superblocks(plan, set(plan.units()), level)
    units = [unit for root in roots for unit in units_of(plan, root)]
    assert sorted(units) == sorted(unit for unit in plan.units() if unit.level <= level)
    assert level == plan.top or level <= HIGHEST
    if 0 < level < plan.top:
        assert len(roots) >= SHARE * threads


@given(plans, st.data())
def test_of_a_resumed_slide_only_superblocks_with_missing_units_are_made_cl53(plan: Plan, data: st.DataObject) -> None:
    level = superblock_level(plan, 2)
    units = list(plan.units())
    missing = {units[data.draw(st.integers(0, len(units) - 1))] for _ in range(data.draw(st.integers(0, 3)))}
    roots = superblocks(plan, missing, level)
    covered = {unit for root in roots for unit in units_of(plan, root)}
    assert {unit for unit in missing if unit.level <= level} <= covered
    assert all(covered_by(plan, root) & missing for root in roots)


def covered_by(plan: Plan, root: Unit) -> set[Unit]:
    return set(units_of(plan, root))

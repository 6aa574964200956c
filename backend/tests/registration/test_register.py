"""Registration of sections whose map is known."""

from __future__ import annotations

import time

import numpy as np
import pytest

from registration.deformations import DEFORMATIONS, GLASS, Pair, pair, specimen
from wavescope.errors import SectionsDiffer
from wavescope.registration.register import Picture, register
from wavescope.registration.result import Registration

GOAL = 0.2
"""Per cent of the diagonal (RE2)."""

pytestmark = pytest.mark.slow


def registered(both: Pair) -> Registration:
    return register(Picture(both.left, 1.0, 1.0), Picture(both.right, 1.0, 1.0))


@pytest.mark.parametrize("name", DEFORMATIONS)
def test_known_deformations_are_found_re1_re2(name: str) -> None:
    both = pair(DEFORMATIONS[name])
    start = time.process_time()
    found = registered(both)
    assert time.process_time() - start < 20
    off = both.errors(found.places.to(both.on_left))
    assert off.mean() < GOAL
    assert np.median(off) < GOAL / 2
    assert np.abs(found.places.back(found.places.to(both.on_left)) - both.on_left).max() < 0.25


def test_what_is_left_is_least_where_the_map_is_right_re4() -> None:
    both = pair(DEFORMATIONS["smooth"])
    left = registered(both).residuals
    lengths = [float(np.hypot(one.l0_dx, one.l0_dy)) for one in left]
    assert len(left) > 100
    assert np.median(lengths) < 0.5  # um
    assert np.median([one.likeness for one in left]) > 0.8


def test_pictures_of_other_resolutions_give_the_same_map_of_level_0_re1() -> None:
    both = pair(DEFORMATIONS["affine"])
    left, right = both.left[::2, ::2], both.right
    found = register(Picture(left, 2.0, 2.0), Picture(right, 1.0, 1.0))
    assert both.errors(found.places.to(both.on_left)).mean() < GOAL
    unscaled = register(Picture(left, 2.0, None), Picture(right, 1.0, None))
    assert both.errors(unscaled.places.to(both.on_left)).mean() < GOAL


@pytest.mark.parametrize("seeds", [(1, 2), (2, 3), (3, 1)])
def test_other_tissue_is_no_match_re5(seeds: tuple[int, int]) -> None:
    left, right = map(specimen, seeds)
    with pytest.raises(SectionsDiffer, match="alike"):
        register(Picture(left, 1.0, 1.0), Picture(right, 1.0, 1.0))


def test_a_strip_or_a_slide_far_smaller_than_the_other_is_no_match_re5() -> None:
    picture = np.zeros((1024, 1024, 3), np.uint8)
    for other in (Picture(picture[:3], 1.0, 1.0), Picture(picture, 0.01, 0.01)):
        with pytest.raises(SectionsDiffer, match="narrow"):
            register(Picture(picture, 1.0, 1.0), other)


def test_glass_is_no_match_re5() -> None:
    glass = np.empty((900, 1200, 3), np.uint8)
    glass[:] = GLASS
    with pytest.raises(SectionsDiffer, match="no tissue"):
        register(Picture(specimen(1), 1.0, 1.0), Picture(glass, 1.0, 1.0))

"""The map of places, and its field of splines."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavescope.registration.place_map import PlaceMap
from wavescope.registration.spline import Lattice, evaluate, fit, picture


def bent(seed: int = 1, amount: float = 12.0) -> PlaceMap:
    affine = np.array([[0.8, -0.6, 400.0], [0.61, 0.79, -30.0]])
    places = PlaceMap.of_affine(affine, 1000, 700, 12)
    shifts = np.random.default_rng(seed).normal(size=places.shifts.shape) * amount
    return places._replace(shifts=shifts)


points = st.lists(st.tuples(st.floats(0, 1000), st.floats(0, 700)), min_size=1, max_size=40).map(np.array)


@given(points)
def test_the_map_leads_there_and_back_re3(at: np.ndarray) -> None:
    places = bent()
    assert np.abs(places.back(places.to(at)) - at).max() < 0.01


@given(points)
def test_a_map_is_the_same_after_json_to_a_hundredth_of_a_pixel_re3(at: np.ndarray) -> None:
    places = bent()
    read = PlaceMap.from_json(json.loads(json.dumps(places.to_json())))
    assert np.abs(read.to(at) - places.to(at)).max() < 0.02


def test_a_map_between_pictures_becomes_one_between_slides() -> None:
    places, at = bent(), np.array([[10.0, 20.0], [640.5, 333.25]])
    assert places.scaled(16, 8).to(at * 16) == pytest.approx(places.to(at) * 8)


def test_the_picture_of_a_map_has_its_places_at_the_middles_of_pixels() -> None:
    places = bent()
    assert places.picture(40, 30)[7, 9] == pytest.approx(places.to(np.array([[9.5, 7.5]]))[0], abs=1e-3)


def test_splines_fit_a_smooth_field_and_ignore_what_has_no_weight() -> None:
    lattice = Lattice.over(1000, 700, 16)
    at = np.random.default_rng(3).uniform((0, 0), (1000, 700), (4000, 2))
    wanted = np.stack([10 * np.sin(at[:, 0] / 200), 8 * np.cos(at[:, 1] / 180)], axis=1)
    weights = np.ones(len(at))
    weights[::7] = 0
    spoilt = wanted.copy()
    spoilt[::7] = 500
    shifts = fit(lattice, at, spoilt, weights)
    assert np.abs(evaluate(lattice, shifts, at) - wanted).max() < 0.1
    assert picture(lattice, shifts, 50, 40)[3, 4] == pytest.approx(
        evaluate(lattice, shifts, np.array([[4.5, 3.5]]))[0], abs=1e-4
    )


def test_outside_of_the_lattice_the_shift_is_that_of_its_border() -> None:
    places = bent()
    far, edge = np.array([[-500.0, 300.0]]), np.array([[0.0, 300.0]])
    assert evaluate(places.lattice, places.shifts, far) == pytest.approx(evaluate(places.lattice, places.shifts, edge))

import numpy as np

from wavescope.source.specimen.hashing import place_hash, uniform


def test_values_are_spread_evenly_and_neighbours_are_unrelated() -> None:
    column, row = np.meshgrid(np.arange(-100, 100), np.arange(-100, 100))
    values = uniform(place_hash(column, row, 5), 0)
    assert abs(values.mean() - 0.5) < 0.01
    assert abs(values.std() - 12**-0.5) < 0.01
    assert abs(np.corrcoef(values[:, :-1].ravel(), values[:, 1:].ravel())[0, 1]) < 0.02


def test_a_hash_depends_on_place_purpose_and_number_only() -> None:
    one = place_hash(np.array([3, 4]), np.array([5, 5]), 7)
    assert place_hash(4, 5, 7)[0] == one[1]
    assert len({int(one[0]), int(place_hash(5, 3, 7)[0]), int(place_hash(3, 5, 8)[0]), int(one[1])}) == 4
    assert uniform(one, 0)[0] != uniform(one, 1)[0]

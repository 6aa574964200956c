"""Columns of a data frame as points (NB5)."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

from wavescope.errors import InvalidParameter, TooLarge
from wavescope.notebook import points
from wavescope.notebook.points import GREY, MISSING, points_of

XY = {"x": [1, 2], "y": [3, 4]}


def test_nb5_numbers_are_a_scale() -> None:
    found = points_of({**XY, "score": np.array([0.5, np.nan])}, "score")
    assert found.codes.tolist() == [0, MISSING]
    assert (found.low, found.high) == (0.5, 0.5)
    found = points_of({"x": [0, 0, 0], "y": [0, 0, 0], "n": [10, 30, 20]}, "n")
    assert found.codes.tolist() == [0, MISSING - 1, 127]
    assert (found.colours[0], found.colours[MISSING - 1], found.colours[MISSING]) == ("440154", "fde725", GREY)


@pytest.mark.parametrize(
    "column", [["b", "a"], pd.Series(["b", "a"]), pd.Series(["b", "a"], dtype="category"), np.array(["b", "a"])]
)
def test_nb5_texts_are_classes(column: object) -> None:
    found = points_of({**XY, "kind": column}, "kind")
    assert found.names == ("a", "b")
    assert found.codes.tolist() == [1, 0]
    assert len(found.colours) == 256


@pytest.mark.parametrize(
    ("frame", "colour"),
    [
        ({"x": [1]}, None),
        ({"x": ["a"], "y": [1]}, None),
        ({"x": [np.inf], "y": [1]}, None),
        (XY, "absent"),
        ({**XY, "c": [1]}, "c"),
        ({"x": range(300), "y": range(300), "c": [str(i) for i in range(300)]}, "c"),
    ],
)
def test_nb5_what_makes_no_sense_is_refused(frame: object, colour: str | None) -> None:
    with pytest.raises(InvalidParameter):
        points_of(frame, colour)


def test_nb5_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points, "MAX_POINTS", 1)
    with pytest.raises(TooLarge):
        points_of(XY)


def test_nb5_a_million_rows_take_a_part_of_a_second() -> None:
    random = np.random.default_rng(3)
    rows = 10**6
    frame = pd.DataFrame({"x": random.random(rows), "y": random.random(rows), "kind": random.choice(["a", "b"], rows)})
    begun = time.process_time()
    assert len(points_of(frame, "kind").reply().body) == 9 * rows
    assert time.process_time() - begun < 2

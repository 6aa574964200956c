"""The scale of a slide as it is found by."""

from __future__ import annotations

import pytest

from wavescope.catalog.scale import Calibration, objective_label


@pytest.mark.parametrize(
    ("power", "mpp", "label"),
    [
        (40.0, None, "40x"),
        (19.96, 0.5, "20x"),
        (41.7, None, "40x"),
        (60.0, None, "60x"),
        (0.9, None, "1.25x"),
        (150.0, None, "100x"),
        (None, 0.2527, "40x equivalent"),
        (None, 0.37, "20x equivalent"),
        (None, 1.3, "10x equivalent"),
        (None, 9.0, "1.25x equivalent"),
        (None, None, "no scale"),
    ],
)
def test_slides_are_found_by_objectives_that_are_sold_wi81(power: float | None, mpp: float | None, label: str) -> None:
    manifest = {"objective_power": power, "mpp": None if mpp is None else {"x": mpp, "y": mpp}}
    assert objective_label(manifest, None) == label


def test_an_entered_scale_counts_like_one_of_the_file_wi81() -> None:
    assert objective_label({}, Calibration(0.26, "ann", 0)) == "40x equivalent"

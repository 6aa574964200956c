"""The outlines of the specimen's cells are where it paints them."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from wavescope.source.specimen.source import SpecimenSource
from wavescope.source.specimen.spec import Spec
from wavescope.source.specimen.truth import CLASSES, Outlines, outlines

SPEC = Spec(1700, 1500, 1, 1)


@pytest.fixture(scope="module")
def truth() -> Outlines:
    return Outlines(*(np.concatenate(values) for values in zip(*outlines(SPEC), strict=True)))


def test_there_are_cells_of_every_common_kind(truth: Outlines) -> None:
    counts = dict(zip(CLASSES, np.bincount(truth.classes, minlength=len(CLASSES)).tolist(), strict=True))
    assert min(counts[name] for name in ("epithelial", "lymphocyte", "fibroblast", "goblet")) > 5
    assert truth.corners.shape[1:] == (20, 2)
    assert 0.5 <= truth.scores.min() <= truth.scores.max() <= 1


def test_nuclei_are_dark_inside_of_their_outline_and_the_ring_around_it_is_brighter(truth: Outlines) -> None:
    pixels = SpecimenSource(SPEC).read_region(0, 0, 0, SPEC.width, SPEC.height)
    red = pixels[..., 0].astype(float)
    nuclei = np.flatnonzero(truth.classes < CLASSES.index("red cell"))
    everything = filled(truth.corners, 1.0) | filled(truth.corners, 1.35)
    darker = 0
    for n in nuclei.tolist():
        inside = filled(truth.corners[[n]], 0.8)
        around = filled(truth.corners[[n]], 1.8) & ~everything
        if inside.any() and around.any():
            darker += red[inside].mean() < red[around].mean() - 20
    assert darker > 0.97 * len(nuclei)


def filled(corners: np.ndarray, scale: float) -> np.ndarray:
    """The pixels inside of outlines, scaled about their middles."""
    image = Image.new("1", (SPEC.width, SPEC.height))
    drawing = ImageDraw.Draw(image)
    for one in corners:
        middle = one.mean(axis=0)
        drawing.polygon([tuple(corner) for corner in (one - middle) * scale + middle], fill=1)
    return np.asarray(image)


def test_each_cell_comes_once_and_focal_planes_do_not_move_it(truth: Outlines) -> None:
    assert len(np.unique(truth.corners.round(6).reshape(len(truth.corners), -1), axis=0)) == len(truth.corners)
    planes = Outlines(*(np.concatenate(values) for values in zip(*outlines(SPEC._replace(planes=3)), strict=True)))
    assert {tuple(one) for one in planes.corners[:, 0].round(6).tolist()} == {
        tuple(one) for one in truth.corners[:, 0].round(6).tolist()
    }

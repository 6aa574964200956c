import itertools

import numpy as np

from wavescope.source.specimen import focus


def test_a_sharp_place_stays_as_it_is() -> None:
    field = np.random.default_rng(0).random((80, 80)).astype(np.float32)
    assert np.array_equal(focus.blur(field, np.zeros_like(field)), field)


def test_blur_keeps_the_mean_and_lowers_the_contrast_more_and_more() -> None:
    field = np.random.default_rng(0).random((160, 160)).astype(np.float32)
    inner = (slice(focus.REACH, -focus.REACH),) * 2
    contrast = []
    for rung in np.linspace(0, len(focus.SIGMAS) - 1, 9):
        blurred = focus.blur(field, np.full_like(field, rung))[inner]
        assert abs(float(blurred.mean() - field[inner].mean())) < 0.005
        contrast.append(float(blurred.std()))
    assert all(later < earlier for earlier, later in itertools.pairwise(contrast))


def test_blur_reaches_no_further_than_stated_and_has_the_stated_width() -> None:
    for rung, sigma in enumerate(focus.SIGMAS[1:], start=1):
        field = np.zeros((81, 81), dtype=np.float32)
        field[40, 40] = 1.0
        spread = focus.blur(field, np.full_like(field, rung))
        offset = np.arange(81) - 40
        assert abs(float(np.sqrt((spread.sum(axis=0) * offset**2).sum())) - sigma) < 0.1
        far = np.abs(offset) > focus.REACH
        assert spread[far].max() == 0
        assert spread[:, far].max() == 0


def test_one_plane_alone_is_sharp_everywhere() -> None:
    axis = np.arange(0.0, 9000.0, 500.0)
    assert focus.blur_grid(axis, axis, 0, 1, 3).max() == 0


def test_other_places_are_sharpest_in_other_planes() -> None:
    axis = np.arange(0.0, 40_000.0, 500.0)
    blurs = np.stack([focus.blur_grid(axis, axis, z, 5, 3) for z in range(5)])
    sharpest = blurs.argmin(axis=0)
    assert len(np.unique(sharpest)) >= 3
    assert blurs.min(axis=0).max() < 1.0

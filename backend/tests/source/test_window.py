import numpy as np

from wavescope.source.window import FULL, Window, window_of


def test_the_window_runs_between_the_stated_percentiles() -> None:
    values = np.arange(10_000, dtype=np.uint16).reshape(100, 100)
    assert window_of([values]) == Window(10, 9989)


def test_a_few_hot_pixels_do_not_darken_the_picture() -> None:
    values = np.random.default_rng(0).integers(100, 200, (200, 200)).astype(np.uint16)
    values[0, :5] = 65535
    assert window_of([values]).high < 200


def test_the_window_becomes_black_to_white_linearly_and_what_is_outside_is_clipped() -> None:
    shown = Window(100, 355).apply(np.array([0, 100, 101, 227, 355, 65535], dtype=np.uint16))
    assert shown.tolist() == [0, 0, 1, 127, 255, 255]


def test_a_picture_of_one_value_is_black_not_an_error() -> None:
    values = np.full((4, 4), 777, dtype=np.uint16)
    assert window_of([values]).apply(values).max() == 0


def test_no_samples_give_the_full_range() -> None:
    assert window_of([]) == FULL

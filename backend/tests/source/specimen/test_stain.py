import numpy as np

from wavescope.source.specimen.stain import GLASS, colour


def shades(haematoxylin: float, eosin: float, blood: float = 0.0) -> list[int]:
    fields = [np.full((1, 1), amount, dtype=np.float32) for amount in (haematoxylin, eosin, blood)]
    return colour(fields[0], fields[1], fields[2], None)[0, 0].tolist()


def test_no_stain_is_exactly_glass() -> None:
    assert tuple(shades(0, 0)) == GLASS


def test_haematoxylin_is_blue_violet_eosin_is_pink_blood_is_red() -> None:
    red, green, blue = shades(0.6, 0)
    assert blue > red > green
    red, green, blue = shades(0, 0.25)
    assert red > blue > green
    red, green, blue = shades(0, 0, 0.4)
    assert red > blue + 40 > green + 40


def test_stains_absorb_by_powers_of_ten() -> None:
    thin, thick = shades(0.3, 0.1), shades(0.6, 0.2)
    for channel in range(3):
        assert abs(thick[channel] - thin[channel] ** 2 / GLASS[channel]) < 3


def test_too_much_stain_is_black_not_an_error() -> None:
    assert max(shades(50, 50, 50)) <= 1

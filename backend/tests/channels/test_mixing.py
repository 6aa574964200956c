"""The mix of channels beside a slow reference with Python's integers (CM1 to CM5)."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavescope.channels.channel import Channel, Display, with_defaults
from wavescope.channels.mixing import FULL, Canvas, Mix, Raw, Shown, default_mix, gamma_table, mix_of, raw_of
from wavescope.errors import InvalidParameter

CHANNELS = with_defaults([Channel(f"c{number}", "") for number in range(9)])
COMPONENT = st.integers(0, 255)


@cache
def brightness(u: int, gamma: int) -> int:
    """CM3 with 40 decimal digits."""
    if u == 0:
        return 0
    with localcontext() as context:
        context.prec = 40
        power = (Decimal(u) / FULL).ln() * Decimal(gamma) / 100
        return int((255 * power.exp() + Decimal("0.5")).to_integral_value(rounding="ROUND_FLOOR"))


def pixel(samples: Sequence[int], mix: Mix) -> list[int]:
    """CM2 to CM5 for one pixel."""
    sums = [0, 0, 0]
    for s, shown in zip(samples, mix, strict=True):
        w = shown.high - shown.low
        u = (2 * FULL * min(max(s - shown.low, 0), w) + w) // (2 * w)
        g = brightness(u, shown.gamma)
        sums = [total + (g * k + 127) // 255 for total, k in zip(sums, shown.colour, strict=True)]
    return [min(255, total) for total in sums]


@st.composite
def mixes(draw: st.DrawFn, dtype: str) -> Mix:
    least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    numbers = draw(st.lists(st.integers(0, 63), min_size=1, max_size=8, unique=True))
    shown = []
    for c in sorted(numbers):
        low = draw(st.integers(least, most - 1))
        high, gamma = draw(st.integers(low + 1, most)), draw(st.integers(10, 1000))
        shown.append(Shown(c, draw(st.tuples(COMPONENT, COMPONENT, COMPONENT)), low, high, gamma))
    return tuple(shown)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16"])
@given(st.data(), st.integers(0, 2**32))
def test_cm2_cm3_cm4_cm5_every_pixel_is_that_of_the_reference(dtype: str, data: st.DataObject, seed: int) -> None:
    mix, values = data.draw(mixes(dtype)), np.iinfo(dtype)
    samples = np.random.default_rng(seed).integers(values.min, values.max, (4, 5, len(mix)), dtype, endpoint=True)
    canvas = Canvas(4, 5, mix, samples.dtype)
    for number in range(len(mix)):
        canvas.add(number, samples[:, :, number : number + 1])
    picture = canvas.pixels()
    assert picture.dtype == np.uint8
    for y in range(4):
        for x in range(5):
            assert picture[y, x].tolist() == pixel(samples[y, x].tolist(), mix)


def test_cm5_the_vectors_are_those_of_the_reference() -> None:
    from channels.make_vectors import VECTORS, cases  # it takes the reference from here

    assert json.loads(VECTORS.read_text())["cases"] == cases()


def test_cm3_no_brightness_is_near_a_border() -> None:
    values = np.arange(1, FULL + 1, dtype=np.longdouble) / FULL
    nearest = 1.0
    for gamma in range(10, 1001):
        exact = 255 * values ** (np.longdouble(gamma) / 100)
        nearest = min(nearest, float(np.abs(exact - np.floor(exact) - 0.5).min()))
    assert nearest > 1e-9


@pytest.mark.parametrize("gamma", [10, 45, 100, 220, 1000])
def test_cm3_a_gamma_table_rises_from_0_to_255(gamma: int) -> None:
    table = gamma_table(gamma).astype(int)
    assert (table[0], table[-1]) == (0, 255)
    assert (np.diff(table) >= 0).all()


def test_cm2_a_white_channel_shows_its_samples() -> None:
    samples = np.arange(256, dtype=np.uint8).reshape(16, 16, 1)
    canvas = Canvas(16, 16, (Shown(0, (255, 255, 255), 0, 255, 100),), samples.dtype)
    canvas.add(0, samples)
    assert np.array_equal(canvas.pixels(), np.repeat(samples, 3, axis=2))


def test_cm5_sixty_four_bright_channels_are_clipped() -> None:
    mix = tuple(Shown(c, (255, 128, 1), 0, 255, 100) for c in range(64))
    canvas = Canvas(1, 1, mix, np.dtype(np.uint8))
    for number in range(64):
        canvas.add(number, np.full((1, 1, 1), 255, np.uint8))
    assert canvas.pixels().tolist() == [[[255, 255, 64]]]


def test_cm1_the_default_mix_has_the_channels_that_are_on() -> None:
    assert [one.c for one in default_mix(CHANNELS)] == [0, 1, 2, 3]
    dark = [replace(one, display=Display(on=False)) for one in CHANNELS]
    assert [one.c for one in default_mix(dark)] == [0]
    third = replace(dark[2], colour="0A0B0C", display=Display(3, 99, 150))
    assert default_mix([*dark[:2], third]) == (Shown(2, (10, 11, 12), 3, 99, 150),)


def test_wi137_a_request_names_channels_colours_windows_and_gamma() -> None:
    assert mix_of("5,2:ff8000,0::10-20,1:010203:0-255:50,7:::220", CHANNELS) == (
        Shown(0, (0, 0, 255), 10, 20, 100),
        Shown(1, (1, 2, 3), 0, 255, 50),
        Shown(2, (255, 128, 0), 0, 255, 100),
        Shown(5, (255, 255, 0), 0, 255, 100),
        Shown(7, (255, 255, 255), 0, 255, 220),
    )
    assert mix_of(None, CHANNELS) == default_mix(CHANNELS)
    assert raw_of("7,3", CHANNELS) == Raw((3, 7))
    assert raw_of(None, CHANNELS) == Raw(tuple(range(9)))


@pytest.mark.parametrize(
    "text", ["", "9", "-1", "1,1", "x", "1:ff", "1:gggggg", "1::20-20", "1::0-256", "1:::9", "1:::1001", "1,", "1:::::"]
)
def test_wi137_what_is_no_mix_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameter, match="channels"):
        mix_of(text, CHANNELS)


def test_cm1_a_window_is_one_of_the_samples_of_the_channel() -> None:
    channels = [Channel("a", "FF0000", bits=16, significant_bits=16, signed=True), Channel("b", "FF0000", bits=12)]
    shown = mix_of("0::-32768--1,1::0-4095", channels)
    assert [one[2:4] for one in shown] == [(-32768, -1), (0, 4095)]
    for text in ("0::-32769-5", "0::0-32768", "1::0-4096", "1::-1-5"):
        with pytest.raises(InvalidParameter, match="windows with"):
            mix_of(text, channels)


def test_st111_channels_have_names_that_differ() -> None:
    named = with_defaults([Channel("A", ""), Channel(" ", ""), Channel("A", "123456"), Channel("x" * 500, "")])
    assert [one.name for one in named] == ["A", "Channel 2", "A (3)", "x" * 200]
    assert [one.colour for one in named] == ["0000FF", "00FF00", "123456", "00FFFF"]


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "x" * 201},
        {"colour": "ff0000"},
        {"bits": 17},
        {"significant_bits": 9},
        {"signed": 1},
        {"emission_nm": 0.0},
        {"exposure_ms": math.inf},
        {"window": {"low": 5, "high": 5}},
        {"display": {"low": 0, "high": 256, "gamma": 100, "on": True}},
        {"display": {"low": -1, "high": 255, "gamma": 100, "on": True}},
        {"noise": {"black": 0, "gain": -1.0, "read": 1.0}},
        {"noise": {"black": 0, "gain": 1.0, "read": 0.0}},
        {"noise": {"black": 0.5, "gain": 1.0, "read": 1.0}},
        {"display": {"low": 0, "high": 255, "gamma": 9, "on": True}},
        {"display": {"low": 0, "high": 255, "gamma": 100, "on": 1}},
    ],
)
def test_st111_descriptions_out_of_their_range_are_refused(change: dict[str, object]) -> None:
    fields = CHANNELS[0].to_json()
    assert Channel.from_json(fields) == CHANNELS[0]
    with pytest.raises(ValueError, match="out of its range"):
        Channel.from_json({**fields, **change})

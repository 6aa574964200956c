"""Tiles of overlays: round trips, damage (OV11 to OV17, OV21)."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from overlays.shapes import cells, mixed, ring, shape
from wavescope.errors import CorruptOverlay
from wavescope.overlays import places
from wavescope.overlays.columns import BELOW, BITS, RICE, Codes, Columns, column, compressed, decompressed, planes
from wavescope.overlays.pyramid import counted
from wavescope.overlays.rings import MAX_ELLIPSE, MAX_PREDICTION, TURNED, turning
from wavescope.overlays.shapes import Shapes, joined
from wavescope.overlays.tile import Counts, Place, Symbols, Tile, decoded, encoded, symbols_of


def rows(shapes: Shapes) -> list[tuple[object, ...]]:
    """Shapes as plain values, sorted."""
    ends, ring_ends = shapes.shape_ends.tolist(), shapes.ring_ends.tolist()
    found = []
    for n, (begin, end) in enumerate(zip([0, *ends], ends, strict=False)):
        rings = [
            tuple(map(tuple, shapes.corners[ring_ends[r - 1] if r else 0 : ring_ends[r]].tolist()))
            for r in range(begin, end)
        ]
        found.append((int(shapes.classes[n]), int(shapes.scores[n]), tuple(rings)))
    return sorted(found)


def columns_of(symbols: Symbols) -> list[list[int]]:
    """A row for each symbol, sorted."""
    of = symbols.classes.astype(np.int64), symbols.scores.astype(np.int64)
    return sorted(np.column_stack([symbols.middles, symbols.long, symbols.short, symbols.turns, *of]).tolist())


@pytest.mark.parametrize("scored", [False, True])
@pytest.mark.parametrize("level", [0, 2, 3, 5])
def test_ov13_outlines_are_read_as_they_were_written(level: int, scored: bool) -> None:
    shapes = mixed(3, 2048.0)
    if not scored:
        shapes = Shapes(shapes.corners, shapes.ring_ends, shapes.shape_ends, shapes.classes, 0 * shapes.scores)
    place = Place(level, 1, 2, scored)
    assert rows(decoded(encoded(Tile(shapes), place), place).shapes) == rows(shapes)


def test_ov14_steps_that_are_expected_cost_nothing_but_rounding() -> None:
    circle = shape(ring(100, 100, 50, 64))
    plain = decompressed(encoded(Tile(circle), Place(0, 0, 0, scored=False), TURNED))
    assert max(plain[-2 * 63 + 2 :]) <= 4 + 2 * 4 * 2 * np.pi * 50 / 64  # of the first step only


def test_ov14_turns_are_far_from_a_border_of_rounding() -> None:
    angles = 2 * np.pi / np.arange(3, 100_001)
    for values in (16384 * np.cos(angles), 16384 * np.sin(angles)):
        assert np.abs(values + 0.5 - np.round(values + 0.5)).min() > 1e-6


def test_ov14_turns_of_short_rings() -> None:
    cosines, sines = turning(np.array([1, 2, 3, 4, 20]))
    assert cosines.tolist() == [16384, -16384, -8192, 0, 15582]
    assert sines.tolist() == [0, 0, 14189, 16384, 5063]


@pytest.mark.parametrize("level", [0, 4])
@pytest.mark.parametrize("prediction", range(MAX_PREDICTION + 1))
def test_ov13_ov55_ov78_outlines_of_every_prediction_are_read_as_they_were_written(prediction: int, level: int) -> None:
    shapes, place = mixed(4, 2048.0), Place(level, 2, 1, scored=True)
    member = encoded(Tile(shapes), place, prediction)
    assert decompressed(member)[3] & 127 == prediction
    assert rows(decoded(member, place).shapes) == rows(shapes)


def test_ov55_corners_on_an_ellipse_cost_nothing() -> None:
    angle = np.arange(40) * (2 * np.pi / 40)
    places = np.stack([500 + 40 * np.cos(angle + 1), 300 + 17 * np.sin(angle)], axis=1)
    plain = decompressed(encoded(Tile(shape(places)), Place(0, 0, 0, scored=False), 1))
    assert plain[-2:] == bytes(2)  # two columns of zeros


def test_ov78_a_smooth_outline_is_expected_from_the_two_corners_before() -> None:
    angle = np.arange(20) * (2 * np.pi / 20)
    rng, place = np.random.default_rng(5), Place(0, 0, 0, scored=False)
    waves = [(1 + 0.1 * np.cos(3 * angle + phase))[:, None] for phase in rng.uniform(0, 6, 60)]
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    shapes = joined([shape(256 + 20 * wave * circle) for wave in waves])
    chosen = encoded(Tile(shapes), place)
    assert decompressed(chosen)[3] & 127 > 5
    assert len(chosen) < 0.95 * min(len(encoded(Tile(shapes), place, number)) for number in range(6))


def test_ov78_a_deviation_that_grows_without_end_is_refused() -> None:
    plain = bytearray(decompressed(encoded(Tile(shape(ring(256, 256, 200, 250))), Place(0, 0, 0, scored=False), 13)))
    plain[3] = 13 | 128  # 7 quarters of the corner before, less one of the one before that
    at = len(plain) - 2 * 250
    plain[at:] = b"\xfe" * (len(plain) - at)
    with pytest.raises(CorruptOverlay):
        decoded(gzip.compress(bytes(plain)), Place(0, 0, 0, scored=False))


def test_ov55_cosines_and_sines_are_far_from_a_border_of_rounding() -> None:
    for corners in range(1, MAX_ELLIPSE + 1):
        angles = 2 * np.pi * np.arange(corners) / corners
        for values in (16384 * np.cos(angles), 16384 * np.sin(angles)):
            assert np.abs(values + 0.5 - np.round(values + 0.5)).min() > 1e-6


@pytest.mark.parametrize(("noise", "corners", "most"), [(0.0, 20, 15), (0.25, 20, 20), (0.5, 20, 24)])
def test_ov55_bytes_of_a_cell(noise: float, corners: int, most: float) -> None:
    member = encoded(Tile(cells(11, 220, 512.0, corners, noise, classes=3)), Place(0, 0, 0, scored=True))
    assert len(member) / 220 < most


def test_ov15_symbols_are_read_as_they_were_written() -> None:
    place = Place(2, 0, 0, scored=True)
    symbols = symbols_of(cells(1, 500, 2048.0))
    read = decoded(encoded(Tile(joined([]), symbols), place), place).symbols
    assert read is not None
    assert columns_of(read) == columns_of(symbols)


def test_ov8_a_symbol_has_the_area_and_direction_of_its_shape() -> None:
    angle = np.arange(40) * (2 * np.pi / 40)
    x, y = 30 * np.cos(angle), 10 * np.sin(angle)
    turn = 3 * np.pi / 16
    places = np.stack([x * np.cos(turn) - y * np.sin(turn) + 500, x * np.sin(turn) + y * np.cos(turn) + 300], axis=1)
    one = symbols_of(shape(places))
    assert one.turns.tolist() == [3]
    assert abs(one.long[0] - 60) <= 1
    assert abs(one.short[0] - 20) <= 1
    assert np.abs(one.middles - [500, 300]).max() <= 1


def test_ov16_counts_and_sums_are_read_as_they_were_written() -> None:
    place = Place(4, 0, 0, scored=True)
    counts = counted(cells(2, 5000, 8192.0), place, 8192, 8192)
    read = decoded(encoded(Tile(joined([]), None, counts), place), place).counts
    assert read is not None
    for of, expected in ((read.shapes, counts.shapes), (read.scores, counts.scores)):
        assert {one: values.tolist() for one, values in of.items()} == {
            one: values.tolist() for one, values in expected.items()
        }
    assert sum(int(values.sum()) for values in read.shapes.values()) == 5000


def test_ov11_ov12_columns_of_every_width() -> None:
    for values in ([0, 0], [0, 255], [256], [1 << 16], [(1 << 32) - 1], []):
        columns = Columns(b"".join(column(np.array(values, np.int64))))
        assert columns.column(len(values)).tolist() == values
        columns.end()
    for values in ([0, -1, 1], [-128, 127], [1 - (1 << 31), (1 << 31) - 1]):
        assert Columns(b"".join(column(np.array(values), signed=True))).signed(len(values)).tolist() == values


def test_ov79_columns_of_codes_are_read_as_they_were_written() -> None:
    rng = np.random.default_rng(3)
    kinds = set()
    for _ in range(400):
        count, scale = int(rng.integers(1, 90)), 10 ** rng.uniform(0, 9)
        values = np.floor(rng.exponential(scale, count)).clip(0, (1 << 31) - 1).astype(np.int64)
        if rng.random() < 0.3:
            values = 255 - np.minimum(values, 255)
        signed = values * rng.choice([-1, 1], count)
        data = b"".join([*column(values), *column(signed, values, signed=True)])
        kinds.add(data[0] & ~31)
        columns = Columns(data)
        assert columns.column(count).tolist() == values.tolist()
        assert columns.signed(count).tolist() == signed.tolist()
        assert columns.signed(count).tolist() == values.tolist()
        columns.end()
    assert kinds == {0, RICE, BELOW, BITS}


def test_ov79_codes_of_few_numbers_are_smaller_than_planes_with_a_code_of_their_own() -> None:
    steps = np.random.default_rng(4).geometric(1 / 700, 80)
    parts = [column(steps), planes(steps)]
    assert isinstance(parts[0][0], Codes)
    assert len(compressed(parts[0], repeats=False)) < 0.9 * len(compressed(parts[1], repeats=False))


@pytest.mark.parametrize("spread", [1, 700, 1 << 22])
def test_ov80_places_are_read_as_they_were_written(spread: int) -> None:
    points, origin = np.random.default_rng(6).integers(-60 * spread, 60 * spread, (300, 2)), np.array([7, -9])
    order, parts = places.written(points, origin, 4)
    columns = Columns(b"".join(parts))
    assert (places.read(columns, 300) + origin).tolist() == points[order].tolist()
    columns.end()


def test_ov81_sums_cost_what_they_differ_from_those_of_the_mean_score() -> None:
    place, rng = Place(3, 0, 0, scored=True), np.random.default_rng(7)
    numbers = rng.poisson(0.5, (32, 32)).astype(np.int64)
    even = Counts({2: numbers}, {2: 200 * numbers})
    read = decoded(encoded(Tile(joined([]), None, even), place), place).counts
    assert read is not None
    assert read.scores[2].tolist() == even.scores[2].tolist()
    assert decompressed(encoded(Tile(joined([]), None, even), place))[-2:] == bytes(2)


def test_ov81_the_largest_sums_are_read_as_they_were_written() -> None:
    place, numbers = Place(9, 0, 0, scored=True), np.zeros((32, 32), np.int64)
    numbers[3, 4:7] = [1, (1 << 32) - 1, (1 << 32) - 1]
    counts = Counts({0: numbers}, {0: numbers * 255 - 3 * (numbers > 1)})
    read = decoded(encoded(Tile(joined([]), None, counts), place), place).counts
    assert read is not None
    assert read.scores[0].tolist() == counts.scores[0].tolist()


def test_ov21_a_tile_that_is_cut_off_or_changed_is_refused() -> None:
    place = Place(3, 0, 0, scored=True)
    shapes = mixed(5, 4096.0)
    member = encoded(Tile(shapes, None, counted(shapes, place, 4096, 4096)), place)
    for end in range(0, len(member), 7):
        with pytest.raises(CorruptOverlay):
            decoded(member[:end], place)
    with pytest.raises(CorruptOverlay):
        decoded(member + b"\0", place)
    rng, unchanged = np.random.default_rng(1), []
    for at in rng.integers(10, len(member), 300).tolist():
        flipped = bytearray(member)
        flipped[at] ^= 1 << int(rng.integers(8))
        try:  # some bits of deflate mean nothing, such as the last ones
            read = decoded(bytes(flipped), place)
        except CorruptOverlay:
            continue
        unchanged.append(at)
        assert rows(read.shapes) == rows(shapes)
    assert len(unchanged) < 5


def test_ov21_wrong_numbers_under_a_right_checksum_are_refused_or_read_and_never_break_the_reader() -> None:
    place = Place(3, 0, 0, scored=True)
    plain = decompressed(encoded(Tile(mixed(5, 4096.0), None, None), place))
    rng = np.random.default_rng(2)
    for _ in range(400):
        wrong = bytearray(plain)
        wrong[int(rng.integers(min(len(wrong), 4000)))] = int(rng.integers(256))
        try:
            decoded(gzip.compress(bytes(wrong)), place)
        except CorruptOverlay:
            continue
    for end in range(0, len(plain), 101):
        with pytest.raises(CorruptOverlay):
            decoded(gzip.compress(plain[:end]), place)


@pytest.mark.parametrize("count", [(1 << 24) - 1, (4 << 20) + 1])
def test_ov21_a_number_beyond_the_limits_allocates_nothing(count: int) -> None:
    columns = count.to_bytes(4, "little") + bytes(20)
    with pytest.raises(CorruptOverlay, match="shapes, rings or corners"):
        decoded(gzip.compress(columns), Place(0, 0, 0, scored=False))


def test_ov21_a_tile_that_grows_beyond_the_limit_is_refused() -> None:
    with pytest.raises(CorruptOverlay, match="too large"):
        decompressed(compressed([bytes(65 << 20)], repeats=True))

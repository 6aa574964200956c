"""The order of a view's blocks: first layers, later layers, then what the motion comes to (WI116, WI117)."""

from __future__ import annotations

import itertools
from math import hypot

from hypothesis import given
from hypothesis import strategies as st

from wavescope.geometry import Address
from wavescope.service.push.messages import PushView, rectangles
from wavescope.service.push.order import missing_segments

TOP = 5
LAYERS = 3


def view_of(
    region: tuple[int, int, int, int],
    field: tuple[int, int, int, int] | None = None,
    held: str | None = None,
    level: int = 1,
    layers: int = LAYERS,
    motion: tuple[tuple[float, float] | None, tuple[float, float]] = (None, (0.0, 0.0)),
) -> PushView:
    x, y, columns, rows = field or region
    centre, velocity = motion
    view = PushView(
        type="view", number=1, z=0, level=level, region=region, field=field or region, held="", layers=layers,
        centre=centre or (x + columns / 2, y + rows / 2), velocity=velocity, bytes=0,
    )  # fmt: skip
    size = sum(columns * rows for _, _, columns, rows in rectangles(view, TOP))
    return view.model_copy(update={"held": "0" * size if held is None else held.ljust(size, "0")[:size]})


@st.composite
def views(draw: st.DrawFn) -> PushView:
    level = draw(st.integers(0, TOP - 1))
    x, y = draw(st.integers(0, 40)), draw(st.integers(0, 40))
    columns, rows = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    left, up = draw(st.integers(0, columns - 1)), draw(st.integers(0, rows - 1))
    field = (x + left, y + up, draw(st.integers(1, columns - left)), draw(st.integers(1, rows - up)))
    return view_of(
        (x, y, columns, rows),
        field,
        draw(st.text("0123-", max_size=200)),
        level,
        draw(st.integers(1, LAYERS)),
        ((draw(st.floats(-50, 50)), draw(st.floats(-50, 50))), (draw(st.floats(-9, 9)), draw(st.floats(-9, 9)))),
    )


@given(views(), st.integers(0, LAYERS))
def test_each_missing_layer_comes_once_and_nothing_that_is_held_wi116(view: PushView, flying_layers: int) -> None:
    x, y, _, _ = view.region
    flying = {Address(0, 0, view.level, x, y): flying_layers}
    pieces = missing_segments(view, TOP, LAYERS, flying)
    addresses = [
        Address(0, 0, view.level + shift, column, row)
        for shift, (left, up, columns, rows) in enumerate(rectangles(view, TOP))
        for row in range(up, up + rows)
        for column in range(left, left + columns)
    ]
    sent: dict[Address, int] = {}
    for piece in pieces:
        assert addresses[piece.position] == piece.address
        character = view.held[piece.position]
        assert character != "-"
        before = max(int(character), flying.get(piece.address, 0), sent.get(piece.address, 0))
        assert (piece.start, piece.start < piece.stop) == (before, True)
        sent[piece.address] = piece.stop
    left, up, columns, rows = view.field
    for character, address in zip(view.held, addresses, strict=True):
        shift = address.level - view.level
        inside = (
            left >> shift <= address.x <= (left + columns - 1) >> shift
            and up >> shift <= address.y <= (up + rows - 1) >> shift
        )
        if character != "-":
            held = max(int(character), flying.get(address, 0))
            assert max(held, sent.get(address, 0)) >= (view.layers if inside else 1)


@given(views())
def test_first_layers_of_the_field_come_first_and_the_motion_last_wi117(view: PushView) -> None:
    x, y, columns, rows = view.field

    def stage(address: Address, start: int) -> int:
        shift = address.level - view.level
        inside = (
            x >> shift <= address.x <= (x + columns - 1) >> shift and y >> shift <= address.y <= (y + rows - 1) >> shift
        )
        return (0 if start == 0 else 1) if inside else 2

    pieces = missing_segments(view, TOP, LAYERS, {})
    stages = [stage(piece.address, piece.start) for piece in pieces]
    assert stages == sorted(stages)
    for number in range(3):
        chosen = [piece.address for piece, one in zip(pieces, stages, strict=True) if one == number]
        assert [one.level for one in chosen] == sorted((one.level for one in chosen), reverse=True)
        if number < 2:
            for first, second in itertools.pairwise(chosen):
                if first.level == second.level:
                    assert distance(view, first) <= distance(view, second)


def distance(view: PushView, address: Address) -> float:
    scale = 1 << (address.level - view.level)
    return hypot(address.x + 0.5 - view.centre[0] / scale, address.y + 0.5 - view.centre[1] / scale)


def test_what_the_motion_reaches_first_comes_first_and_what_lies_behind_it_last_wi117() -> None:
    view = view_of((0, 4, 9, 1), (3, 4, 3, 1), level=TOP - 1, motion=(None, (2.0, 0.0)))
    ahead = [one.address.x for one in missing_segments(view, TOP, LAYERS, {})][6:]
    assert ahead == [6, 7, 8, 2, 1, 0]
    back = [one.address.x for one in missing_segments(view.model_copy(update={"velocity": (-2.0, 0.0)}), TOP, 3, {})]
    assert back[6:] == [2, 1, 0, 6, 7, 8]


def test_while_the_view_moves_only_first_layers_are_sent_wi115() -> None:
    view = view_of((0, 0, 2, 2), layers=1)
    assert {(piece.start, piece.stop) for piece in missing_segments(view, TOP, LAYERS, {})} == {(0, 1)}

"""The order in which the blocks of a view matter: pure (WI117)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import hypot
from typing import NamedTuple

from wavescope.geometry import Address
from wavescope.service.push.messages import PushView, Rectangle, rectangles

NOT_WANTED = "-"
BEHIND = 4.0  # what lies behind the motion counts as so many times as far


class Segment(NamedTuple):
    """The layers [start, stop) of one block; ``position``: its index in the view's ``held``."""

    position: int
    address: Address
    start: int
    stop: int


class _Block(NamedTuple):
    """A block that is wanted. ``shift``: levels above the view's."""

    position: int
    address: Address
    shift: int
    held: int
    in_field: bool


def missing_segments(view: PushView, top: int, layers: int, flying: Mapping[Address, int]) -> list[Segment]:
    """What a view lacks, first what matters most.

    ``top``: L; ``layers``: of every block of the slide; ``flying``: the layers, from the first, of blocks that were
    sent and not received yet.
    """
    blocks = list(_wanted(view, top, flying))
    last = min(view.layers, layers)
    field = sorted((one for one in blocks if one.in_field), key=lambda one: (-one.shift, _from_centre(view, one)))
    ahead = sorted((one for one in blocks if not one.in_field), key=lambda one: (-one.shift, _from_motion(view, one)))
    segments = [_segment(one, 0, 1) for one in field if one.held == 0]
    segments += [_segment(one, max(one.held, 1), last) for one in field if max(one.held, 1) < last]
    return segments + [_segment(one, 0, 1) for one in ahead if one.held == 0]


def _wanted(view: PushView, top: int, flying: Mapping[Address, int]) -> Iterator[_Block]:
    position = 0
    for shift, (x, y, columns, rows) in enumerate(rectangles(view, top)):
        for row in range(y, y + rows):
            for column in range(x, x + columns):
                held = view.held[position]
                if held != NOT_WANTED:
                    address = Address(view.z, 0, view.level + shift, column, row)
                    layers = max(int(held), flying.get(address, 0))
                    yield _Block(position, address, shift, layers, _covers(view.field, shift, column, row))
                position += 1


def _covers(field: Rectangle, shift: int, column: int, row: int) -> bool:
    x, y, columns, rows = field
    return x >> shift <= column <= (x + columns - 1) >> shift and y >> shift <= row <= (y + rows - 1) >> shift


def _segment(block: _Block, start: int, stop: int) -> Segment:
    return Segment(block.position, block.address, start, stop)


def _offset(view: PushView, block: _Block) -> tuple[float, float]:
    """From the view's centre to the block's, in tiles of the block's level."""
    scale = 1 << block.shift
    return block.address.x + 0.5 - view.centre[0] / scale, block.address.y + 0.5 - view.centre[1] / scale


def _from_centre(view: PushView, block: _Block) -> float:
    return hypot(*_offset(view, block))


def _from_motion(view: PushView, block: _Block) -> float:
    """How far the view must move until the block is at its centre: along the motion, and beside it."""
    x, y = _offset(view, block)
    speed = hypot(*view.velocity)
    if speed == 0:
        return hypot(x, y)
    along = (x * view.velocity[0] + y * view.velocity[1]) / speed
    beside = abs(x * view.velocity[1] - y * view.velocity[0]) / speed
    return (along if along >= 0 else -BEHIND * along) + beside

"""The coordinates of GeoJSON's geometries, without an object for each corner.

To make a list of two numbers for each corner takes longer than all the rest of an import. So the coordinates are taken
out of the text: they become one list of numbers, and their brackets say which of these belong together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json

from wavescope.overlays.shapes import Floats, Longs, ranges, starts_of

KEY = b'"coordinates"'
COMMA, OPEN, CLOSE = b",[]"
TOKENS = bytes(one not in b"-+.0123456789eE \t\r\n" for one in range(256))
BLANK = bytes.maketrans(b"[]", b"  ")
CORNER = b"[0,0]"


@dataclass(frozen=True)
class Coordinates:
    """m lists of coordinates with c corners.

    ``corners`` (c, 2) float64, a third coordinate is left out; ``last`` (c,): whether the list that contains a corner
    ends with it; ``ends`` (m,) int64: corners up to the end of each. ``depths``: how many lists are within each other,
    1 for a single corner, 0 for what is not made of corners alone.
    """

    corners: Floats
    last: NDArray[np.bool_]
    ends: Longs
    depths: list[int]

    def shapes(self, chosen: Longs, scattered: NDArray[np.bool_]) -> tuple[Floats, tuple[Longs, Longs]]:
        """The corners of some of them, one shape each, and the ends of their rings and of the shapes, as Shapes has
        them. ``scattered``: those of which each corner is a ring.
        """
        sizes = np.diff(self.ends, prepend=0)[chosen]
        corners, last = self.corners, self.last
        if not np.array_equal(chosen, np.arange(len(self.ends))):
            of_chosen = ranges(self.ends, chosen)
            corners, last = corners[of_chosen], last[of_chosen]
        ring_ends = np.flatnonzero(last | np.repeat(scattered, sizes) if scattered.any() else last) + 1
        return corners, (ring_ends, np.searchsorted(ring_ends, np.cumsum(sizes), side="right"))


def taken_out(text: bytes) -> tuple[bytes, list[bytes]]:
    """JSON with a list of its number alone in the place of each list of coordinates, and the texts of these lists."""
    first, *others = text.split(KEY)
    rest, texts = [first], list[bytes]()
    for other in others:
        begin, end = _list_at(other)
        if end:
            rest.append(b":[%d]%b" % (len(texts), other[end:]))
            texts.append(other[begin:end])
        else:
            rest.append(other)
    return KEY.join(rest), texts


def _list_at(text: bytes) -> tuple[int, int]:
    """Where a list without names and texts begins and ends after its name; 0 and 0: none is there."""
    begin = text.find(b"[")
    if text[: max(begin, 0)].strip() != b":":
        return 0, 0
    brace = text.find(b"}", begin)
    quote = text.find(b'"', begin, brace)
    return begin, text.rfind(b"]", begin, brace if quote < 0 else quote) + 1


def coordinates_of(texts: Sequence[bytes]) -> Coordinates:
    """Raises ValueError for what is no JSON."""
    if not texts:
        return Coordinates(np.zeros((0, 2)), np.zeros(0, bool), np.zeros(0, np.int64), [])
    joined = b"[" + b"],[".join(texts) + b"]"
    text = np.frombuffer(joined, np.uint8)
    at = np.flatnonzero(np.frombuffer(joined.translate(TOKENS), bool))
    kinds = text[at]
    commas, opens, closes = (kinds == one for one in (COMMA, OPEN, CLOSE))
    ends = np.cumsum([len(one) + 3 for one in texts]) - 2  # where the lists end in the text
    others = at[~(commas | opens | closes)]
    if len(others):
        return _without({*np.searchsorted(ends, others).tolist()}, texts)
    brackets = np.flatnonzero(~commas)
    opening = opens[brackets]
    depth = np.cumsum(2 * opening.view(np.int8) - 1, dtype=np.int32)
    complete = at[brackets[(depth == 1) & ~opening]]
    if not np.array_equal(at[brackets[depth == 0]], ends) or not np.array_equal(complete, ends - 1):
        raise ValueError("brackets without a counterpart")
    inner = np.flatnonzero(opening[:-1] & ~opening[1:])
    begin, end = brackets[inner], brackets[inner + 1]
    sizes = end - begin  # numbers of a corner
    corner_ends = np.searchsorted(at[end], ends, side="right")
    levels = depth[inner] - 1
    least, most = (of.reduceat(levels, starts_of(corner_ends)) for of in (np.minimum, np.maximum))
    # a comma is between two lists or between two numbers
    mixed = 1 + np.flatnonzero(commas[1:-1] & (closes[:-2] != opens[2:]))
    wrong = {*np.searchsorted(ends, at[np.concatenate([mixed, begin[sizes < 2]])]).tolist()}
    wrong.update(np.flatnonzero(least != most).tolist())
    if wrong:
        return _without(wrong, texts)
    numbers = _numbers(joined)
    if (sizes == 2).all():
        corners = numbers.reshape(-1, 2)
    else:
        first = np.cumsum(sizes) - sizes
        corners = np.stack([numbers[first], numbers[first + 1]], axis=1)
    return Coordinates(corners, closes[np.minimum(end + 1, len(at) - 1)], corner_ends, least.tolist())


def _without(wrong: set[int], texts: Sequence[bytes]) -> Coordinates:
    """All coordinates but these lists, which are not made of corners alone. Raises ValueError for what is no JSON."""
    for number in wrong:
        from_json(texts[number])
    kept = coordinates_of([CORNER if number in wrong else one for number, one in enumerate(texts)])
    return replace(kept, depths=[0 if number in wrong else one for number, one in enumerate(kept.depths)])


def _numbers(joined: bytes) -> Floats:
    """All numbers of lists. Raises ValueError."""
    try:
        found = from_json(b"[" + joined.translate(BLANK) + b"]")
        return np.fromiter(found, np.float64, len(found))
    except OverflowError as error:
        raise ValueError("a number that is too large") from error

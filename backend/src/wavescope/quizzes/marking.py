"""How much of an answer is right: a pure function of the question and the answer (QZ10 to QZ14)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PIL import Image, ImageDraw

GRID = 512  # cells along the longer side of both outlines together

Part = Mapping[str, Any]


def mark(question: Part, answer: Part) -> float:
    """The right share of the answer, 0 to 1. An answer of another kind than the question has none."""
    if answer["kind"] != question["kind"]:
        return 0.0
    return MARKS[question["kind"]](question, answer)


def share_of(question: Part, answer: Part | None, given: float | None) -> float | None:
    """The right share, 0 to 1; ``given``: by the person who marks texts. None: no answer, or not marked yet (QZ25)."""
    if answer is None:
        return None
    if question["kind"] == answer["kind"] == "text":
        return given
    return mark(question, answer)


def waits(question: Part, answer: Part | None, given: float | None) -> bool:
    """Whether a person has to mark the answer (QZ25)."""
    return answer is not None and question["kind"] == answer["kind"] == "text" and given is None


def _choice(question: Part, answer: Part) -> float:
    key, chosen = set(question["key"]), set(answer["chosen"])
    if not question["multiple"]:
        return float(chosen == key)
    share: float = (len(chosen & key) - len(chosen - key)) / len(key)
    return max(0.0, share)


def _point(question: Part, answer: Part) -> float:
    key = question["key"]
    if "outline" in key:
        return float(is_inside(key["outline"], answer["l0_x"], answer["l0_y"]))
    distance = math.hypot(answer["l0_x"] - key["l0_x"], answer["l0_y"] - key["l0_y"])
    return float(distance <= key["l0_radius"])


def _region(question: Part, answer: Part) -> float:
    key = question["key"]
    return float(overlap(key["outline"], answer["outline"]) >= key["overlap"])


def _number(question: Part, answer: Part) -> float:
    key = question["key"]
    return float(abs(answer["value"] - key["value"]) <= key["tolerance"])


def _order(question: Part, answer: Part) -> float:
    key, order = question["key"], answer["order"]
    share: float = sum(right == given for right, given in zip(key, order, strict=False)) / len(key)
    return share


MARKS: Mapping[str, Callable[[Part, Part], float]] = {
    "choice": _choice,
    "point": _point,
    "region": _region,
    "number": _number,
    "order": _order,
}


def is_inside(outline: Sequence[Sequence[float]], x: float, y: float) -> bool:
    """Whether a ray from the point to the left crosses the outline an odd number of times (QZ11)."""
    inside = False
    for (x0, y0), (x1, y1) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (y0 > y) != (y1 > y):
            inside ^= x0 + (y - y0) / (y1 - y0) * (x1 - x0) < x
    return inside


def overlap(left: Sequence[Sequence[float]], right: Sequence[Sequence[float]]) -> float:
    """Intersection over union of two outlines of (x, y), counted in cells of a grid over both (QZ12)."""
    points = [*left, *right]
    low = [min(point[axis] for point in points) for axis in (0, 1)]
    extent = max(max(point[axis] for point in points) - low[axis] for axis in (0, 1))
    if extent == 0:
        return 0.0
    one, other = (_mask(outline, low, (GRID - 1) / extent) for outline in (left, right))
    return (one & other).bit_count() / max(1, (one | other).bit_count())


def _mask(outline: Sequence[Sequence[float]], low: Sequence[float], scale: float) -> int:
    """A byte per cell, as one number: 1 inside the outline."""
    image = Image.new("L", (GRID, GRID))
    ImageDraw.Draw(image).polygon([((x - low[0]) * scale, (y - low[1]) * scale) for x, y in outline], fill=1)
    return int.from_bytes(image.tobytes())

"""Registers two sections: how they lie, then the smooth field that is left, then how far they still are apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from wavescope.errors import SectionsDiffer
from wavescope.registration.coarse import by_phase
from wavescope.registration.density import Section, section_of
from wavescope.registration.features import Matches
from wavescope.registration.field import lay, refine, remaining, similarity
from wavescope.registration.place_map import PlaceMap
from wavescope.registration.result import Registration, Residual
from wavescope.registration.spline import Floats

WORK = 1024
"""Pixels along the longer side of the larger picture while they are compared."""
INTERVALS = 24
"""Of the lattice of control points along the left picture's longer side."""
COARSE, SCALES = 0.25, (0.5, 0.5, 1.0)
REACHES = (0.06, 0.03)
"""Of the longer side: how far features may be from where they are expected, first and then."""
CERTAIN = 40
"""So many features in agreement leave no other way to lie."""
WINDOW = 31
LEAST_LIKENESS = 0.1
"""Below it two sections count as different tissue (RE5): those of two specimens come to 0.05."""
NARROWEST = 64
"""Pixels: coarse pictures are a quarter of that."""
LEAST_TISSUE = 400
"""Pixels: less is dust."""


class Picture(NamedTuple):
    """A level of a slide, (height, width, 1 or 3) samples; ``pixel``: a side of one in pixels of level 0; ``um``: the
    same in micrometres, None where the slide states no scale.
    """

    pixels: NDArray[Any]
    pixel: float
    um: float | None


def register(left: Picture, right: Picture) -> Registration:
    """Where the tissue of the left slide lies on the right one: turned by any angle, mirrored or not, drawn out, and
    smoothly deformed; stained as it may be. Raises SectionsDiffer where no match is found.
    """
    factors = _factors(left, right)
    shortest = (min(one.pixels.shape[:2]) * factor for one, factor in zip((left, right), factors, strict=True))
    if min(shortest) < NARROWEST:
        raise SectionsDiffer("one of them is too narrow beside the other one")
    one, other = (section_of(_resized(*both)) for both in zip((left.pixels, right.pixels), factors, strict=True))
    if min(int(one.tissue.sum()), int(other.tissue.sum())) < LEAST_TISSUE:
        raise SectionsDiffer("one of them shows no tissue")
    places = _lie(one, other)
    for scale in SCALES:
        places = refine(one, other, places, scale)
    found = likeness(one, other, places)
    if found < LEAST_LIKENESS:
        raise SectionsDiffer(f"they are alike to {found:.0%} where {LEAST_LIKENESS:.0%} are needed")
    to_left, to_right = left.pixel / factors[0], right.pixel / factors[1]
    cells, side = remaining(one, other, places)
    residuals = [
        Residual(x * to_left, y * to_left, dx * to_right, dy * to_right, alike) for x, y, dx, dy, alike in cells
    ]
    return Registration(places.scaled(to_left, to_right), found, side * to_left, residuals)


def likeness(left: Section, right: Section, places: PlaceMap) -> float:
    """The mean correlation of windows over the tissue of either section; where only one has any, it is 0."""
    height, width = left.contrast.shape
    laid, tissue = lay(right, places, width, height)
    alike = np.clip(similarity(left.contrast, laid, WINDOW), 0, 1)
    return float(alike[left.tissue & tissue].sum() / max(int((left.tissue | tissue).sum()), 1))


def _factors(left: Picture, right: Picture) -> tuple[float, float]:
    """That make pixels of both the same length, as far as it is known."""
    longest = [max(picture.pixels.shape[:2]) for picture in (left, right)]
    if left.um is None or right.um is None:
        return WORK / longest[0], WORK / longest[1]
    unit = max(longest[0] * left.um, longest[1] * right.um) / WORK
    return left.um / unit, right.um / unit


def _resized(pixels: NDArray[Any], factor: float) -> NDArray[Any]:
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    made = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=way)
    return made if made.ndim == 3 else made[:, :, None]


def _lie(left: Section, right: Section) -> PlaceMap:
    """The most alike of all ways to lie, already with a coarse field."""
    height, width = left.contrast.shape
    found: list[tuple[float, PlaceMap]] = []
    for affine, certain in _affines(left, right):
        places = refine(left, right, PlaceMap.of_affine(affine, width, height, INTERVALS), COARSE)
        found.append((likeness(left, right, places), places))
        if certain:
            break
    return max(found, key=lambda one: one[0])[1]


def _affines(left: Section, right: Section) -> Iterator[tuple[Floats, bool]]:
    """Affine maps, and whether one needs no other beside it."""
    matches = {mirrored: Matches(left, right, mirrored) for mirrored in (False, True)}
    common = [found for one in matches.values() if (found := one.similarity())]
    for affine, _ in sorted(common, key=lambda found: -found[1]):
        yield _closer(matches, affine, left)
    for affine in by_phase(left, right):
        yield _closer(matches, affine, left)


def _closer(matches: Mapping[bool, Matches], affine: Floats, left: Section) -> tuple[Floats, bool]:
    count = 0
    for reach in REACHES:
        near = matches[bool(np.linalg.det(affine[:, :2]) < 0)]
        better = near.affine(affine, reach * max(left.density.shape))
        if better is not None:
            affine, count = better
    return affine, count >= CERTAIN

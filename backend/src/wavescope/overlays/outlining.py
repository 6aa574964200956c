"""Outlines of the areas of a label mask, from rows that arrive from the top (OV60). Pure.

An area is connected by the sides of its pixels. Its outline runs along the edges of pixels with the area to the right.
An edge is a number: 4 times that of the corner at which it begins, plus its direction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import TooLarge
from wavescope.overlays.shapes import Floats, Longs, starts_of

RIGHT, DOWN, LEFT, UP = range(4)
MAX_EDGES = 1 << 23
"""Of the areas that are not complete, with those of the rows that were added last."""
Labels = NDArray[np.integer]


class Outlines(NamedTuple):
    """n areas of r rings, an area's outer ring first. ``corners`` (c, 2) in pixels of the mask; ``ring_ends`` (r,) and
    ``shape_ends`` (n,) as Shapes has them; ``labels`` (n,) int64.
    """

    corners: Floats
    ring_ends: Longs
    shape_ends: Longs
    labels: Longs


class Outliner:
    """For a mask of ``width`` pixels."""

    def __init__(self, width: int) -> None:
        self._stride = width + 1
        self._row = 0
        self._above: Labels = np.zeros((1, width + 2), np.int64)
        self._edges, self._labels = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def add(self, rows: Labels) -> Outlines:
        """``rows`` (h, width): the next ones, 0 where no area is. The areas that end above their last row. Raises
        TooLarge.
        """
        block = np.concatenate([self._above, np.pad(np.maximum(rows, 0).astype(np.int64), ((0, 0), (1, 1)))])
        edges, labels = self._edges_of(block)
        self._above, self._row = block[-1:], self._row + len(rows)
        edges, labels = np.concatenate([self._edges, edges]), np.concatenate([self._labels, labels])
        if len(edges) > MAX_EDGES:
            raise TooLarge("the length of the outlines in a part of the mask, in pixels", len(edges), MAX_EDGES)
        order = np.argsort(edges)
        return self._completed(edges[order], labels[order])

    def end(self) -> Outlines:
        """The last areas. Raises TooLarge."""
        return self.add(np.zeros((1, self._stride - 1), np.int64))

    def _edges_of(self, block: Labels) -> tuple[Longs, Longs]:
        """Edges around the pixels of a block, whose first row has had all but its lower ones."""
        above, own = block[:-1, 1:-1], block[1:, 1:-1]
        edges, labels = [], []
        for direction, pixels, beside, down, along in (
            (RIGHT, own, above, 0, 0),
            (DOWN, own, block[1:, 2:], 0, 1),
            (LEFT, above, own, 0, 1),  # of the row above: its lower edge is the upper one of this row
            (UP, own, block[1:, :-2], 1, 0),
        ):
            y, x = np.nonzero((pixels != beside) & (pixels != 0))
            edges.append(((self._row + y + down) * self._stride + x + along) * 4 + direction)
            labels.append(pixels[y, x])
        return np.concatenate(edges), np.concatenate(labels)

    def _completed(self, edges: Longs, labels: Longs) -> Outlines:
        order, rings, links, unfinished = _walked(_following(edges, self._stride).tolist())
        of_edge = np.zeros(len(edges), np.int64)
        of_edge[order] = np.repeat(np.arange(len(rings)), rings)
        areas = _areas(len(rings), np.concatenate([links, self._across(edges, of_edge)]))
        open_ = np.isin(areas, areas[unfinished])
        waiting = open_[of_edge]
        self._edges, self._labels = edges[waiting], labels[waiting]
        by_area = np.argsort(areas, kind="stable")
        by_area = by_area[~open_[by_area]]
        chosen = _parts(rings, by_area, order)
        return self._outlines(edges[chosen], labels[chosen], rings[by_area], areas[by_area])

    def _across(self, edges: Longs, of_edge: Longs) -> Longs:
        """(k, 2): the rings at the left and at the right end of each row of pixels of one area."""
        corner, direction = edges // 4, edges % 4
        lefts, rights = np.flatnonzero(direction == UP), np.flatnonzero(direction == DOWN)
        lefts = lefts[np.argsort(corner[lefts] - self._stride)]
        rights = rights[np.argsort(corner[rights] - 1)]
        pairs = np.stack([of_edge[lefts], of_edge[rights]], axis=1)
        return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)

    def _outlines(self, edges: Longs, labels: Longs, rings: Longs, areas: Longs) -> Outlines:
        """``edges`` ring by ring, ``rings``: how many each has, ``areas``: of which area each is."""
        ends = np.cumsum(rings)
        before = np.arange(len(edges)) - 1
        before[starts_of(ends)] = ends - 1
        turning = edges % 4 != edges[before] % 4
        corner = edges[turning] // 4
        places = np.stack([corner % self._stride, corner // self._stride], axis=1).astype(np.float64)
        first_of_area = np.flatnonzero(np.diff(areas, prepend=-1))
        shape_ends = np.append(first_of_area, len(areas))[1:] if len(areas) else np.zeros(0, np.int64)
        return Outlines(places, np.cumsum(turning)[ends - 1], shape_ends, labels[starts_of(ends)[first_of_area]])


def _following(edges: Longs, stride: int) -> Longs:
    """The number of the edge after each, -1: it is not there yet. Where two follow, the one around the same pixel."""
    direction = edges % 4
    end = edges // 4 + np.array([1, stride, -1, -stride])[direction]
    found = np.full(len(edges), -1, np.int64)
    for turn in (3, 0, 1):  # left, straight on, right: the last one that is there
        wanted = 4 * end + (direction + turn) % 4
        at = np.searchsorted(edges, wanted)
        there = edges[np.minimum(at, len(edges) - 1)] == wanted
        found[there] = at[there]
    return found


def _walked(following: list[int]) -> tuple[Longs, Longs, Longs, Longs]:
    """The edges in the order of their rings; how many each ring has; pairs (k, 2) of those that are parts of one ring;
    those that are not closed.
    """
    of_edge, order, sizes = [-1] * len(following), list[int](), list[int]()
    links, unfinished = list[tuple[int, int]](), list[int]()
    for first in range(len(following)):
        if of_edge[first] >= 0:
            continue
        own, begin, at = len(sizes), len(order), first
        while at >= 0 and of_edge[at] < 0:
            of_edge[at] = own
            order.append(at)
            at = following[at]
        sizes.append(len(order) - begin)
        if at != first:
            unfinished.append(own)
            if at >= 0:
                links.append((own, of_edge[at]))
    pairs = np.array(links, np.int64).reshape(-1, 2)
    return np.array(order, np.int64), np.array(sizes, np.int64), pairs, np.array(unfinished, np.int64)


def _areas(rings: int, pairs: Longs) -> Longs:
    """The first ring of the area of each ring (r,)."""
    parent = list(range(rings))

    def root(one: int) -> int:
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for one, other in pairs.tolist():
        low, high = sorted((root(one), root(other)))
        parent[high] = low
    return np.array([root(one) for one in range(rings)], np.int64)


def _parts(sizes: Longs, chosen: Longs, order: Longs) -> Longs:
    """The edges of the chosen rings, ring by ring."""
    ends = np.cumsum(sizes)
    own = sizes[chosen]
    offsets = np.arange(int(own.sum())) + np.repeat(ends[chosen] - np.cumsum(own), own)
    return order[offsets]

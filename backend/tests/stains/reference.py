"""Stain views by integers of Python and decimal numbers, pixel by pixel (shared/spec/stains.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

Vector = tuple[int, int, int]
RUIFROK: tuple[Vector, Vector, Vector] = ((650, 700, 290), (70, 990, 110), (270, 570, 780))
HALF = Fraction(1, 2)


@cache
def density(value: int, white: int) -> Fraction:
    """SN1 with 40 decimal digits."""
    with localcontext() as context:
        context.prec = 40
        part = min(Decimal(1), max(Decimal(value) / white, Decimal("1e-6")))
        return Fraction(-part.log10())


def cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def with_residual(first: Vector, second: Vector) -> tuple[Vector, Vector, Vector]:
    """SN2."""
    across = cross(first, second)
    length = math.sqrt(sum(k * k for k in across))
    red, green, blue = (math.floor(1000 * k / length + 0.5) for k in across)
    return first, second, (red, green, blue)


def inverse(vectors: Sequence[Vector]) -> list[list[Fraction]]:
    """N of SN3, `[component][stain]`."""
    a, b, c = vectors
    determinant = sum(x * y for x, y in zip(a, cross(b, c), strict=True))
    columns = (cross(b, c), cross(c, a), cross(a, b))
    return [[Fraction(1000 * column[k], determinant) for column in columns] for k in range(3)]


class Reference:
    """The view that entries describe (SN7), which have to be valid."""

    def __init__(self, entries: Mapping[str, Any], white: Sequence[int] | None) -> None:
        self.white = white or (255, 255, 255)
        pair = [tuple(entries[name]) for name in ("stain1", "stain2") if name in entries]
        self.vectors = with_residual(*pair) if pair else RUIFROK
        self.weights = [[0, 0, 0] for _ in range(3)]
        if entries["stain"]:
            s = entries["stain"] - 1
            self.weights[s] = [math.floor(Fraction(2048 * k, 1000) + HALF) for k in self.vectors[s]]
        for s, name in enumerate(("stainTo1", "stainTo2")):
            if entries["stain"] == 0:
                *vector, ratio = entries[name]
                self.weights[s] = [math.floor(Fraction(2048 * k * ratio, 100_000) + HALF) for k in vector]
        of = inverse(self.vectors)
        self.table = [
            [[math.floor(65536 * density(v, self.white[c]) * of[c][s] + HALF) for v in range(256)] for c in range(3)]
            for s in range(3)
        ]

    def amounts(self, pixel: Sequence[int]) -> list[int]:
        """SN3."""
        sums = [sum(table[c][pixel[c]] for c in range(3)) for table in self.table]
        return [min(65535, max(0, (total + 8) >> 4)) for total in sums]

    def picture(self, pixel: Sequence[int]) -> list[int]:
        """SN4."""
        a = self.amounts(pixel)
        shown = []
        for c in range(3):
            total = 1024 + sum(a[s] * self.weights[s][c] for s in range(3))
            assert -(2**31) <= total < 2**31
            shown.append(level(min(16383, max(0, total >> 11))))
        return shown


@cache
def level(d: int) -> int:
    with localcontext() as context:
        context.prec = 40
        return math.floor(255 * Decimal(10) ** (Decimal(-d) / 4096) + Decimal("0.5"))

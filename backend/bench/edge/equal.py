"""Bytes at equal quality: the JPEG qualities at which a DZI has the PSNR of our layers, for what a class looks at."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from traffic import Wavescope
from views import View

from edge.jpeg import LEVELS, Jpeg, JpegLevels, pooled_psnr
from wavescope_lab.workload.pathologist import Field

EQUAL_COLUMNS = ["", *(f"level {level}" for level in range(LEVELS)), "MB", "ours : DZI"]
COMPARED = 10  # fields of each level whose PSNR is measured
MIN_QUALITY, MAX_QUALITY = 40, 99  # qualities that are tried


@dataclass(frozen=True)
class Equal:
    """Our first ``layers`` layers beside JPEG; ``usual``: with the colour that ``vips dzsave`` gives it by default.

    ``by_level``: where each level by itself has our PSNR, between two qualities; ``weakest`` is the least of these, and
    ``quality`` the whole number below it: no level of such a DZI is better than ours. Bytes are those of all tiles and
    blocks that the class looks at.
    """

    layers: int
    usual: bool
    psnr: tuple[float, ...]
    bytes: int
    quality: int
    quality_bytes: int
    quality_psnr: tuple[float, ...]
    weakest_bytes: int
    by_level: tuple[float, ...]
    by_level_bytes: int

    @property
    def weakest(self) -> float:
        """The quality at which our weakest level has the PSNR of the DZI, and the others have more."""
        return min(self.by_level)

    @property
    def ratio(self) -> float:
        """Our bytes : those of the DZI of ``quality``."""
        return self.bytes / self.quality_bytes

    @property
    def ratio_at_weakest(self) -> float:
        """Our bytes : those of one quality for all levels, at the same PSNR on our weakest level."""
        return self.bytes / self.weakest_bytes

    @property
    def ratio_by_level(self) -> float:
        """Our bytes : those at the same PSNR on every level."""
        return self.bytes / self.by_level_bytes


def compared_views(fields: Sequence[Field], size: tuple[int, int], seed: int = 1998) -> list[View]:
    """Some full fields of each level, inside the boxes of level 0 that are complete."""
    full = max(field.ln_width * field.ln_height for field in fields)
    chosen = []
    for level in range(LEVELS):
        views = {View(f.level, f.ln_x, f.ln_y, f.ln_width, f.ln_height) for f in fields if f.level == level}
        inside = [view for view in views if view.ln_width * view.ln_height == full and _inside(view, size)]
        chosen += random.Random(seed).sample(sorted(inside), min(COMPARED, len(inside)))
    return chosen


def _inside(view: View, size: tuple[int, int]) -> bool:
    right, bottom = view.ln_x + view.ln_width, view.ln_y + view.ln_height
    return right << view.level <= size[0] and bottom << view.level <= size[1]


def equal_qualities(ours: Wavescope, jpeg: JpegLevels, fields: Sequence[Field]) -> list[Equal]:
    """For every number of layers, beside the usual DZI and one with full colour."""
    views = [View(f.level, f.ln_x, f.ln_y, f.ln_width, f.ln_height) for f in fields]
    found = []
    for layers in range(1, ours.layers + 1):
        psnr = tuple(_our_psnr(ours, jpeg, level, layers) for level in range(LEVELS))
        size = ours.cost(views, layers)
        found += [_equal(jpeg, (layers, usual), psnr, size) for usual in (True, False)]
    return found


def _our_psnr(ours: Wavescope, jpeg: JpegLevels, level: int, layers: int) -> float:
    mine = [(view, reference) for view, reference in jpeg.references.items() if view.level == level]
    return pooled_psnr([(reference, ours.pixels(view, layers)) for view, reference in mine])


def _equal(jpeg: JpegLevels, form: tuple[int, bool], psnr: tuple[float, ...], size: int) -> Equal:
    layers, usual = form
    by_level = tuple(_quality_of(jpeg, level, usual, psnr[level]) for level in range(LEVELS))
    quality = math.floor(min(by_level))
    here = [jpeg.amount(level, Jpeg(quality, usual)) for level in range(LEVELS)]
    return Equal(
        layers,
        usual,
        psnr,
        size,
        quality,
        sum(amount.bytes for amount in here),
        tuple(amount.psnr for amount in here),
        round(sum(_bytes_at(jpeg, level, usual, min(by_level)) for level in range(LEVELS))),
        by_level,
        round(sum(_bytes_at(jpeg, level, usual, by_level[level]) for level in range(LEVELS))),
    )


def _quality_of(jpeg: JpegLevels, level: int, usual: bool, psnr: float) -> float:
    """The quality at which a level has this PSNR, between two whole numbers by dB; beyond these the bound."""
    low, high = MIN_QUALITY, MAX_QUALITY
    while high - low > 1:
        middle = (low + high) // 2
        if jpeg.amount(level, Jpeg(middle, usual)).psnr <= psnr:
            low = middle
        else:
            high = middle
    before, after = (jpeg.amount(level, Jpeg(quality, usual)).psnr for quality in (low, high))
    return low + min(1.0, max(0.0, (psnr - before) / (after - before)))


def _bytes_at(jpeg: JpegLevels, level: int, usual: bool, quality: float) -> float:
    """Bytes of a level at a quality between two whole numbers, by their logarithm."""
    whole = math.floor(quality)
    share = quality - whole
    before, after = (jpeg.amount(level, Jpeg(min(MAX_QUALITY, each), usual)).bytes for each in (whole, whole + 1))
    return math.exp((1 - share) * math.log(before) + share * math.log(after))


def rows_of(equals: Sequence[Equal]) -> list[Sequence[object]]:
    """Lines of the table with EQUAL_COLUMNS."""
    return [row for equal in equals for row in _rows(equal)]


def _rows(equal: Equal) -> list[Sequence[object]]:
    colour = "usual colour" if equal.usual else "4:4:4"
    own = [f"{value:.2f} dB" for value in equal.psnr]
    theirs = [f"{value:.2f} dB" for value in equal.quality_psnr]
    levels = [f"Q{value:.1f}" for value in equal.by_level]
    return [
        (f"ours, layers 1 to {equal.layers}", *own, f"{equal.bytes / 1e6:.2f}", ""),
        (f"  DZI Q{equal.quality}, {colour}", *theirs, f"{equal.quality_bytes / 1e6:.2f}", f"{equal.ratio:.3f}"),
        (f"  DZI Q{equal.weakest:.1f}", *4 * [""], f"{equal.weakest_bytes / 1e6:.2f}", f"{equal.ratio_at_weakest:.3f}"),
        (
            "  DZI with our PSNR on each level",
            *levels,
            f"{equal.by_level_bytes / 1e6:.2f}",
            f"{equal.ratio_by_level:.3f}",
        ),
    ]


def record_of(equal: Equal) -> dict[str, Any]:
    """For the file of figures."""
    ratios = {name: getattr(equal, name) for name in ("weakest", "ratio", "ratio_at_weakest", "ratio_by_level")}
    return {**asdict(equal), **ratios}

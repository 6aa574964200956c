"""A receipt compared with the slide, and what holds in words (PF12)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from wavescope.pixels.images import Pixels
from wavescope.proof.receipt import AnyReceipt, ComparisonReceipt, Fidelity, Shown, ShownChannel
from wavescope.proof.stored import Stored

ROWS, LINES = 256, 64
"""Of a level that are read at once, and of a canvas that are made at once."""


@dataclass(frozen=True)
class Found:
    """What of a receipt holds. None: it cannot be said."""

    version: bool
    """The slide has the version of the receipt, or the file is the one that was shown."""
    place: bool | None
    """The rectangle lies in that level of the slide, and the channels are its own."""
    level: bool | None
    """The stored pixels have the sum of the receipt."""
    canvas: bool | None
    """The pixels of the screen follow from the stored ones."""

    @property
    def holds(self) -> bool:
        """Whether the version is the same and nothing that can be said is false."""
        return self.version and False not in (self.place, self.level, self.canvas)


def checked(shown: Shown, stored: Stored, blended: bool = False) -> Found:
    """Compares what was shown with the pixels of the slide, some rows at a time. ``blended``: with another slide."""
    if not stored.is_of(shown):
        return Found(version=False, place=None, level=None, canvas=None)
    if not _lies(shown, stored):
        return Found(version=True, place=False, level=None, canvas=None)
    if shown.sha256.level is None:
        return Found(version=True, place=True, level=None, canvas=None)
    level, canvas = hashlib.sha256(), hashlib.sha256()
    cut = None if blended else _cut(shown)
    for first in range(0, shown.view.height, ROWS):
        rows = np.ascontiguousarray(stored.read(shown, first, min(ROWS, shown.view.height - first)))
        level.update(rows.tobytes())
        if cut is not None:
            for lines in _on_canvas(rows, first, cut):
                canvas.update(lines.tobytes())
    return Found(
        version=True,
        place=True,
        level=level.hexdigest() == shown.sha256.level,
        canvas=None if cut is None else canvas.hexdigest() == shown.sha256.canvas,
    )


def _lies(shown: Shown, stored: Stored) -> bool:
    """Whether there is such a rectangle."""
    slide, view = shown.slide, shown.view
    if (slide.width, slide.height) != stored.levels[0] or view.level >= len(stored.levels):
        return False
    width, height = stored.levels[view.level]
    within = view.x + view.width <= width and view.y + view.height <= height
    return within and view.plane < stored.planes and stored.has(shown.channels)


@dataclass(frozen=True)
class _Cut:
    """How often a pixel is repeated, and which part of the repeated ones is on the canvas."""

    scale: int
    left: int
    top: int
    width: int
    height: int


def _cut(shown: Shown) -> _Cut | None:
    """None: the canvas does not follow from the level alone (PF10)."""
    view, canvas, scale = shown.view, shown.canvas, round(shown.view.scale)
    plain = not shown.adjusted and not shown.colour_profile and view.rotation == 0 and not view.flip
    if not (shown.exact and plain and scale == view.scale):
        return None
    left, top = canvas.x - canvas.corner[0], canvas.y - canvas.corner[1]
    if not (left.is_integer() and top.is_integer() and left >= 0 and top >= 0):
        return None
    if left + canvas.width > view.width * scale or top + canvas.height > view.height * scale:
        return None
    return _Cut(scale, int(left), int(top), canvas.width, canvas.height)


def _on_canvas(rows: Pixels, first: int, cut: _Cut) -> Iterator[Pixels]:
    """What the canvas shows of a strip that begins with row ``first`` of the rectangle, some lines at a time."""
    begin, end = max(cut.top, first * cut.scale), min(cut.top + cut.height, (first + len(rows)) * cut.scale)
    columns = (cut.left + np.arange(cut.width)) // cut.scale
    for line in range(begin, end, LINES):
        lines = np.arange(line, min(line + LINES, end)) // cut.scale - first
        yield np.ascontiguousarray(rows[lines[:, None], columns])


def opening(receipt: AnyReceipt) -> str:
    """When the receipt was made, and for whom."""
    made = f"the receipt is of {receipt.time.isoformat(timespec='seconds')}, made by Wavescope {receipt.wavescope!r} "
    return made + ("without an account" if receipt.account is None else f"for the account {receipt.account!r}")


def layout(receipt: ComparisonReceipt) -> str:
    """How the slides lay on the page."""
    swipe, linked = receipt.swipe, "linked" if receipt.linked else "not linked"
    if swipe is None:
        return f"the slides lay side by side, {linked}"
    part = f"up to {swipe.divider:.1%}" if swipe.swapped else f"from {swipe.divider:.1%} on"
    return f"{swipe.upper} lay over {swipe.lower}, {part} of the width, with {swipe.blend:.0%} opacity, {linked}"


def sentences(shown: Shown, found: Found, blended: bool = False) -> list[str]:
    """What holds of one slide, in plain words."""
    view, slide = shown.view, shown.slide
    name = slide.id if slide.file is None else "a file of the user's computer"
    said = [
        f"it shows {name}: level {view.level}, {view.width} x {view.height} pixels from ({view.x}, {view.y})",
        *([] if shown.channels is None else ["mixed of " + ", ".join(map(_channel, shown.channels))]),
        _sharpness(shown.fidelity, slide.file is not None),
    ]
    what, version = ("slide", f"version {slide.digest}") if slide.file is None else ("file", f"sum {slide.file.sha256}")
    if not found.version:
        return [*said, f"DOES NOT HOLD: the {what} has not the {version} of the receipt"]
    said.append(f"the {what} has the {version} of the receipt")
    if found.place is False:
        return [*said, "DOES NOT HOLD: the slide has no such level, place, plane, size or channel"]
    said.append(
        {
            True: "the stored pixels have the sum of the receipt",
            False: "DOES NOT HOLD: the stored pixels have another sum",
            None: "the receipt has no sum of stored pixels",
        }[found.level]
    )
    said.append(
        {
            True: "the screen showed exactly these pixels"
            + ("" if view.scale == 1 else f", each as {view.scale:g} x {view.scale:g}"),
            False: "DOES NOT HOLD: the pixels of the screen are not those stored",
            None: "the pixels of the screen cannot be calculated again: " + _why(shown, blended),
        }[found.canvas]
    )
    return said


UNSIGNED = "the receipt is not signed: it proves what a page said, not who saved it"


def _channel(one: ShownChannel) -> str:
    return f"{one.name!r} (channel {one.c}, #{one.colour}, {one.low} to {one.high}, gamma {one.gamma / 100:g})"


def _sharpness(fidelity: Fidelity, file: bool) -> str:
    if fidelity.state == "damaged":
        return "part of the picture was damaged"
    if fidelity.coarse:
        return f"it was not complete: {fidelity.coarse} of {fidelity.tiles} tiles were still coarse"
    layers = "" if file else f" with all {fidelity.layers} quality layers"
    return f"it was complete: {fidelity.tiles} tiles{layers}"


def _why(shown: Shown, blended: bool) -> str:
    view, extended = shown.view, (shown.adjustments or {}).get("extended") is True
    reasons = {
        "scaled": not view.scale.is_integer(),
        "turned": view.rotation != 0,
        "mirrored": view.flip,
        "adjusted": not set(shown.adjustments or {}) <= {"profile", "extended"},
        "computed from all focal planes": extended,
        "shown with the colour profile": shown.colour_profile,
        "blended with another slide": blended,
        "not complete": shown.fidelity.state != "exact",
        "made by the service": shown.sha256.level is None and not extended,
    }
    held = [reason for reason, true in reasons.items() if true]
    return f"the picture was {', '.join(held)}" if held else "the receipt does not say where it lay"

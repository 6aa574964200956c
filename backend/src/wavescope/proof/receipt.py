"""A receipt of what a page showed (PF8): read, with its bounds, and compared with the slide (PF12)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from wavescope.client.slide import Slide
from wavescope.errors import InvalidParameter
from wavescope.pixels.images import Pixels

MOST_BYTES = 8 << 20
"""Of a file; the picture in it is small."""
MOST_PIXELS = 1 << 28
"""Of a rectangle of a level: a screen of 8K with the slide turned, at twice its scale."""
ROWS, LINES = 256, 64
"""Of a level that are read at once, and of a canvas that are made at once."""
GREATEST_SCALE = 64

Side = Annotated[int, Field(ge=1, le=1 << 31)]
CanvasSide = Annotated[int, Field(ge=1, le=1 << 15)]
"""No browser has a larger canvas."""
ViewSide = Annotated[int, Field(ge=1, le=1 << 17)]
"""Across a turned canvas, at twice its scale."""
Place = Annotated[int, Field(ge=0, le=1 << 31)]
Offset = Annotated[float, Field(ge=-(1 << 31), le=1 << 31, allow_inf_nan=False)]
Scale = Annotated[float, Field(gt=0, le=GREATEST_SCALE, allow_inf_nan=False)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Name = Annotated[str, Field(max_length=256)]


class _Part(BaseModel):
    """More fields are let be; numbers are not made of texts."""

    model_config = ConfigDict(strict=True, frozen=True)


class ShownSlide(_Part):
    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    width: Side
    height: Side


class ShownView(_Part):
    level: Annotated[int, Field(ge=0, le=32)]
    x: Place
    y: Place
    width: ViewSide
    height: ViewSide
    plane: Place
    scale: Scale
    rotation: Annotated[float, Field(ge=0, lt=360)]
    flip: bool


class Canvas(_Part):
    x: Place
    y: Place
    width: CanvasSide
    height: CanvasSide
    corner: tuple[Offset, Offset]
    density: Scale


class Fidelity(_Part):
    state: Literal["preview", "refining", "sharp", "exact", "damaged"]
    tiles: Place
    coarse: Place
    layers: Place
    fewest_layers: Place


class Sums(_Part):
    level: Sha256 | None
    canvas: Sha256


class Receipt(_Part):
    """See shared/spec/proof.md, PF8 to PF11."""

    kind: Literal["wavescope-receipt"]
    form: Literal[1]
    wavescope: Name
    time: AwareDatetime
    account: Name | None
    slide: ShownSlide
    view: ShownView
    canvas: Canvas
    fidelity: Fidelity
    adjustments: dict[str, Any] | None
    colour_profile: bool
    exact: bool
    sha256: Sums


def read_receipt(path: Path) -> Receipt:
    """The receipt in a file. Raises InvalidParameter, OSError."""
    if path.stat().st_size > MOST_BYTES:
        raise InvalidParameter("--check", str(path), f"a receipt of at most {MOST_BYTES} bytes")
    try:
        receipt = Receipt.model_validate_json(path.read_bytes())
    except ValidationError as cause:
        first = cause.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise InvalidParameter("--check", str(path), f"a receipt; {where}: {first['msg']}") from cause
    if receipt.view.width * receipt.view.height > MOST_PIXELS:
        raise InvalidParameter("--check", str(path), f"a receipt of at most {MOST_PIXELS} pixels")
    return receipt


@dataclass(frozen=True)
class Found:
    """What of a receipt holds. None: it cannot be said."""

    version: bool
    """The slide has the version of the receipt."""
    place: bool | None
    """The rectangle lies in that level of the slide."""
    level: bool | None
    """The stored pixels have the sum of the receipt."""
    canvas: bool | None
    """The pixels of the screen follow from the stored ones."""

    @property
    def holds(self) -> bool:
        """Whether the version is the same and nothing that can be said is false."""
        return self.version and False not in (self.place, self.level, self.canvas)


def checked(receipt: Receipt, slide: Slide) -> Found:
    """Compares a receipt with a slide, some rows at a time."""
    view, manifest = receipt.view, slide.version.manifest
    size = receipt.slide.width, receipt.slide.height
    if slide.version.digest != receipt.slide.digest:
        return Found(version=False, place=None, level=None, canvas=None)
    within = size == (manifest.width, manifest.height) and view.plane < manifest.planes
    if not (within and view.level < len(slide.level_dimensions)) or _outside(view, slide):
        return Found(version=True, place=False, level=None, canvas=None)
    if receipt.sha256.level is None:
        return Found(version=True, place=True, level=None, canvas=None)
    level, canvas = hashlib.sha256(), hashlib.sha256()
    cut = _cut(receipt)
    for first, rows in _strips(view, slide):
        level.update(rows.tobytes())
        if cut is not None:
            for lines in _on_canvas(rows, first, cut):
                canvas.update(lines.tobytes())
    return Found(
        version=True,
        place=True,
        level=level.hexdigest() == receipt.sha256.level,
        canvas=None if cut is None else canvas.hexdigest() == receipt.sha256.canvas,
    )


def _outside(view: ShownView, slide: Slide) -> bool:
    width, height = slide.level_dimensions[view.level]
    return view.x + view.width > width or view.y + view.height > height


def _strips(view: ShownView, slide: Slide) -> Iterator[tuple[int, Pixels]]:
    """The rectangle's rows from the first on, RGB, with the number of the first of each strip."""
    for first in range(0, view.height, ROWS):
        rows = min(ROWS, view.height - first)
        pixels = slide.read_array(view.level, view.x, view.y + first, view.width, rows, plane=view.plane)
        yield first, np.ascontiguousarray(np.broadcast_to(pixels, (rows, view.width, 3)))


@dataclass(frozen=True)
class _Cut:
    """How often a pixel is repeated, and which part of the repeated ones is on the canvas."""

    scale: int
    left: int
    top: int
    width: int
    height: int


def _cut(receipt: Receipt) -> _Cut | None:
    """None: the canvas does not follow from the level alone (PF10)."""
    view, canvas, scale = receipt.view, receipt.canvas, round(receipt.view.scale)
    plain = receipt.adjustments is None and not receipt.colour_profile and view.rotation == 0 and not view.flip
    if not (receipt.exact and plain and scale == view.scale):
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


def sentences(receipt: Receipt, found: Found) -> list[str]:
    """What holds, in plain words."""
    view, slide = receipt.view, receipt.slide
    said = [
        f"the receipt is of {receipt.time.isoformat(timespec='seconds')}, made by Wavescope {receipt.wavescope!r} "
        + ("without an account" if receipt.account is None else f"for the account {receipt.account!r}"),
        f"it shows {slide.id}: level {view.level}, {view.width} x {view.height} pixels from ({view.x}, {view.y})",
        _sharpness(receipt.fidelity),
    ]
    if not found.version:
        return [*said, f"DOES NOT HOLD: the slide has not the version {slide.digest} of the receipt"]
    said.append(f"the slide has the version {slide.digest} of the receipt")
    if found.place is False:
        return [*said, "DOES NOT HOLD: the slide has no such level, place, plane or size"]
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
            None: "the pixels of the screen cannot be calculated again: " + _why(receipt),
        }[found.canvas]
    )
    return [*said, "the receipt is not signed: it proves what a page said, not who saved it"]


def _sharpness(fidelity: Fidelity) -> str:
    if fidelity.state == "damaged":
        return "part of the picture was damaged"
    if fidelity.coarse:
        return f"it was not complete: {fidelity.coarse} of {fidelity.tiles} tiles were still coarse"
    return f"it was complete: {fidelity.tiles} tiles with all {fidelity.layers} quality layers"


def _why(receipt: Receipt) -> str:
    view = receipt.view
    reasons = {
        "the view was scaled": not view.scale.is_integer(),
        "turned": view.rotation != 0,
        "mirrored": view.flip,
        "adjusted": receipt.adjustments is not None,
        "shown with the colour profile": receipt.colour_profile,
        "not complete": receipt.fidelity.state != "exact",
        "mixed from channels or made by the service": receipt.sha256.level is None,
    }
    return ", ".join(reason for reason, true in reasons.items() if true) or "the receipt does not say where it lay"

"""A receipt of what a page showed (PF8 to PF15), read with its bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from wavescope.channels.channel import MAX_CHANNELS
from wavescope.errors import InvalidParameter

MOST_BYTES = 8 << 20
"""Of a file; the picture in it is small."""
MOST_PIXELS = 1 << 28
"""Of a rectangle of a level: a screen of 8K with the slide turned, at twice its scale."""
GREATEST_SCALE = 64

Side = Annotated[int, Field(ge=1, le=1 << 31)]
CanvasSide = Annotated[int, Field(ge=1, le=1 << 15)]
"""No browser has a larger canvas."""
ViewSide = Annotated[int, Field(ge=1, le=1 << 17)]
"""Across a turned canvas, at twice its scale."""
Number = Annotated[int, Field(ge=0, le=1 << 31)]
Offset = Annotated[float, Field(ge=-(1 << 31), le=1 << 31, allow_inf_nan=False)]
Scale = Annotated[float, Field(gt=0, le=GREATEST_SCALE, allow_inf_nan=False)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Name = Annotated[str, Field(max_length=256)]


class _Part(BaseModel):
    """More fields are let be; numbers are not made of texts."""

    model_config = ConfigDict(strict=True, frozen=True)


class ShownFile(_Part):
    """A file of the user's computer, without its name."""

    bytes: Annotated[int, Field(ge=0, le=1 << 53)]
    sha256: Sha256


class ShownSlide(_Part):
    """A version of a slide, or a file (PF15)."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")] | None = None
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    file: ShownFile | None = None
    width: Side
    height: Side

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if ((self.id is None) != (self.digest is None)) or ((self.id is None) == (self.file is None)):
            raise ValueError("expected id and digest, or file")
        return self


class ShownView(_Part):
    level: Annotated[int, Field(ge=0, le=32)]
    x: Number
    y: Number
    width: ViewSide
    height: ViewSide
    plane: Number
    scale: Scale
    rotation: Annotated[float, Field(ge=0, lt=360)]
    flip: bool


class Canvas(_Part):
    x: Number
    y: Number
    width: CanvasSide
    height: CanvasSide
    corner: tuple[Offset, Offset]
    density: Scale


class Fidelity(_Part):
    state: Literal["preview", "refining", "sharp", "exact", "damaged"]
    tiles: Number
    coarse: Number
    layers: Number
    fewest_layers: Number


class Sums(_Part):
    level: Sha256 | None
    canvas: Sha256


class ShownChannel(_Part):
    """A channel of the mix (PF13)."""

    c: Annotated[int, Field(ge=0, lt=MAX_CHANNELS)]
    name: Name
    colour: Annotated[str, Field(pattern=r"^[0-9A-F]{6}$")]
    low: Annotated[int, Field(ge=-(1 << 15), lt=1 << 16)]
    high: Annotated[int, Field(ge=-(1 << 15), lt=1 << 16)]
    gamma: Annotated[int, Field(ge=10, le=1000)]


class Shown(_Part):
    """What one canvas showed of one slide."""

    slide: ShownSlide
    view: ShownView
    canvas: Canvas
    fidelity: Fidelity
    channels: Annotated[tuple[ShownChannel, ...], Field(min_length=1, max_length=MAX_CHANNELS)] | None = None
    adjustments: dict[str, Any] | None
    colour_profile: bool
    exact: bool
    sha256: Sums

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if self.view.width * self.view.height > MOST_PIXELS:
            raise ValueError(f"expected a rectangle of at most {MOST_PIXELS} pixels")
        mix = self.channels or ()
        if len({one.c for one in mix}) < len(mix) or any(one.low >= one.high for one in mix):
            raise ValueError("expected each channel once, with a window")
        return self

    @property
    def adjusted(self) -> bool:
        """Whether the colours were changed. That the profile is off changes nothing."""
        return not set(self.adjustments or {}) <= {"profile"}


class _Taken(_Part):
    wavescope: Name
    time: AwareDatetime
    account: Name | None


class Receipt(_Taken, Shown):
    """See shared/spec/proof.md, PF8 to PF13 and PF15. ``form`` 1 has neither channels nor files."""

    kind: Literal["wavescope-receipt"]
    form: Literal[1, 2]


Letter = Literal["A", "B", "C", "D"]
Share = Annotated[float, Field(ge=0, le=1)]


class Place(_Part):
    left: Offset
    top: Offset
    width: Offset
    height: Offset


class ShownPane(Shown):
    pane: Letter
    place: Place


class Swipe(_Part):
    lower: Letter
    upper: Letter
    divider: Share
    blend: Share
    swapped: bool

    @property
    def blends(self) -> bool:
        """Whether pixels of both are mixed."""
        return 0 < self.blend < 1


class ComparisonReceipt(_Taken):
    """Of compared slides (PF14)."""

    kind: Literal["wavescope-comparison"]
    form: Literal[1]
    mode: Literal["side", "swipe"]
    linked: bool
    swipe: Swipe | None
    panes: Annotated[tuple[ShownPane, ...], Field(min_length=1, max_length=4)]

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        letters = [one.pane for one in self.panes]
        if letters != sorted(set(letters)) or (self.swipe is None) != (self.mode == "side"):
            raise ValueError("expected panes in the order of their letters, and how they are swiped if they are")
        return self


AnyReceipt = Receipt | ComparisonReceipt
_RECEIPT: TypeAdapter[AnyReceipt] = TypeAdapter(Annotated[AnyReceipt, Field(discriminator="kind")])


def read_receipt(path: Path) -> AnyReceipt:
    """The receipt in a file. Raises InvalidParameter, OSError."""
    if path.stat().st_size > MOST_BYTES:
        raise InvalidParameter("--check", str(path), f"a receipt of at most {MOST_BYTES} bytes")
    try:
        return _RECEIPT.validate_json(path.read_bytes())
    except ValidationError as cause:
        first = cause.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(one) for one in first["loc"] if not str(one).startswith("wavescope-")) or "the file"
        said = "another kind" if first["type"].startswith("union_tag") else first["msg"]
        raise InvalidParameter("--check", str(path), f"a receipt; {where}: {said}") from cause

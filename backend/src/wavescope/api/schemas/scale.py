"""The scale of slides on the wire (WI80)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from wavescope.catalog.records import SlideRecord
from wavescope.catalog.scale import Line


class Mpp(BaseModel):
    """Micrometres per level-0 pixel."""

    x: float
    y: float


class LineView(BaseModel):
    """A line on the slide, in level-0 pixels, and its known length."""

    model_config = ConfigDict(extra="forbid")
    x0: float
    y0: float
    x1: float
    y1: float
    length_um: float

    def line(self) -> Line:
        """The same, for the service."""
        return Line(**self.model_dump())


class ScaleView(BaseModel):
    """Where a slide's scale is from."""

    origin: Literal["file", "entered"]
    by: str | None = Field(description="who entered it")
    at: datetime | None = Field(description="when it was entered")
    line: LineView | None = Field(description="the line it was calculated from; null: the value itself was entered")


class CalibrationChange(BaseModel):
    """The scale to set: either the value, or a line of known length."""

    model_config = ConfigDict(extra="forbid")
    um_per_pixel: float | None = None
    line: LineView | None = None


def scale_view(record: SlideRecord) -> ScaleView | None:
    """As served."""
    if record.manifest.get("mpp") is not None:
        return ScaleView(origin="file", by=None, at=None, line=None)
    entered = record.calibration
    if entered is None:
        return None
    line = None if entered.line is None else LineView(**entered.line._asdict())
    return ScaleView(origin="entered", by=entered.by, at=datetime.fromtimestamp(entered.at, UTC), line=line)

"""Estimates of an ingest on the wire, as types."""

from __future__ import annotations

from pydantic import BaseModel, Field

from wavescope.api.schemas.numbers import Count, Planes, Side


class Expected(BaseModel):
    """The estimate for one quality: bytes in the store, seconds of work, whether the disk has enough space."""

    bytes: Count
    seconds: float
    psnr: float = Field(description="dB of level 0; 99: no difference")
    score: float = Field(description="of the measure")
    fits: bool


class WindowView(BaseModel):
    """Which samples of the source became 0 and 255 (ST98)."""

    bits: int = Field(description="of a sample of the source")
    low: Count = Field(description="this and all below became 0")
    high: Count = Field(description="this and all above became 255")


class ExpectedOfPresets(BaseModel):
    """The estimate for each preset."""

    compact: Expected
    visual: Expected
    fine: Expected
    auto: Expected
    lossless: Expected


class AdviceView(BaseModel):
    """An estimate of the ingest of a source file, or of encoding a stored slide again (WI51, WI73)."""

    width: Side
    height: Side
    planes: Planes
    source_bytes: Count
    raw_bytes: Count
    tiles: Count
    free_bytes: Count
    processors: int
    presets: ExpectedOfPresets
    by_psnr: list[Expected] = Field(
        description="by rising PSNR, from about 30 to 50 dB: a requested PSNR lies between two of them"
    )
    window: WindowView | None = Field(
        default=None, description="not null: the file's colour has more than 8 bits, and lossless is refused"
    )
    times: Count = Field(default=1, description="time points of the file: one of them is imported")
    measure: str = Field(
        default="SSIMULACRA 2",
        description="of the scores: SSIMULACRA 2 (100: no difference; 80: none seen side by side), or of channels "
        "sigma: the error in standard deviations of their noise",
    )

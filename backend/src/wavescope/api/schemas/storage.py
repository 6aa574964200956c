"""The disk of the store as served."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from wavescope.api.schemas.numbers import Count


class StorageView(BaseModel):
    """Space on the disk of the store (OP23)."""

    state: Literal["ok", "low", "full"]
    free_bytes: Count
    total_bytes: Count
    stored_bytes: Count = Field(description="bytes of all stored versions of slides")
    original_bytes: Count = Field(default=0, description="bytes of all original files (ST90)")
    overlay_bytes: Count = Field(default=0, description="bytes of all overlays (OV22)")
    low_bytes: Count = Field(description="free bytes below which the state is low")
    reserved_bytes: Count = Field(description="bytes that uploads leave free")

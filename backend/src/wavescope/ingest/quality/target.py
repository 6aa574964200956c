"""What a round of encoding a slide aims at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class EncodeTarget:
    """``psnr`` in dB, and the share of the bytes that ``auto`` may have."""

    psnr: float | None
    margin: float
    round: int

    @classmethod
    def of(cls, description: Mapping[str, Any]) -> EncodeTarget | None:
        """That of an ingest to be resumed; None if there is none."""
        found = description.get("aim")
        if not isinstance(found, dict) or found.keys() != {"psnr", "margin", "round"}:
            return None
        return cls(**found)

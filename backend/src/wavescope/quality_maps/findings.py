"""What a scan was found to have, and what of it a person should know (QM9, QM11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

FEW, MUCH = 0.02, 0.2
"""Of the judged tissue: from here on it is partly out of focus, and mostly so."""
MARKED = 0.01
"""Of tissue and what covers it: from here on ink and bubbles are worth a word."""
Sharpness = Literal["sharp", "partly", "blurred"]
Covers = Literal["ink", "bubbles", "both"]
Notable = Literal["blurred", "pen", "bubbles"]


@dataclass(frozen=True)
class Findings:
    """Shares of 0 to 1. ``tissue``: of the slide; ``blurred``: of the tissue whose focus was judged, ``judged``: which
    is so much of all tissue; ``pen`` and ``bubbles``: of tissue and what lies beside it together.
    """

    tissue: float
    judged: float
    blurred: float
    pen: float
    bubbles: float

    def to_json(self) -> dict[str, float]:
        return {name: round(value, 4) for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, document: Mapping[str, Any] | None) -> Findings | None:
        """As stored; None stays None."""
        return None if document is None else cls(**{name: float(document[name]) for name in cls.__dataclass_fields__})

    @property
    def focus(self) -> Sharpness:
        """In one word."""
        return "sharp" if self.blurred < FEW else "partly" if self.blurred < MUCH else "blurred"

    @property
    def notable(self) -> list[Notable]:
        """Which shares are worth a word."""
        least: dict[Notable, float] = {"blurred": FEW, "pen": MARKED, "bubbles": MARKED}
        return [name for name, share in least.items() if getattr(self, name) >= share]

    @property
    def covered(self) -> Covers | None:
        """What lies over the tissue; None: nothing worth a word."""
        ink, bubbles = "pen" in self.notable, "bubbles" in self.notable
        return "both" if ink and bubbles else "ink" if ink else "bubbles" if bubbles else None

    @property
    def warning(self) -> str:
        """What a person should know before the scan is read; empty: nothing."""
        words = {"blurred": "is out of focus", "pen": "lies under ink", "bubbles": "lies under air bubbles"}
        parts = [f"{getattr(self, name):.0%} {words[name]}" for name in self.notable]
        return f"Of the tissue, {', '.join(parts)}" if parts else ""

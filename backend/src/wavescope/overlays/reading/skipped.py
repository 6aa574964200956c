"""What a reader leaves out of a file, and the class of what has none."""

from __future__ import annotations

from dataclasses import dataclass, field

NO_CLASS = "Unclassified"
SHOWN_REASONS = 20


@dataclass
class Skipped:
    """Shapes that were left out, and why: the first reasons. ``what``: feature, row. ``notes``: what else is reported
    of an import.
    """

    what: str = "feature"
    count: int = 0
    reasons: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, number: int, reason: str) -> None:
        self.count += 1
        if len(self.reasons) < SHOWN_REASONS:
            self.reasons.append(f"{self.what} {number}: {reason}")

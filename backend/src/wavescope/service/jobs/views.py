"""A job as clients see it."""

from __future__ import annotations

from dataclasses import dataclass

from wavescope.catalog.jobs.table import UNFINISHED
from wavescope.catalog.records import JobRecord
from wavescope.service.access.gate import Principal


@dataclass(frozen=True)
class JobView:
    """A job as it was read."""

    record: JobRecord

    @property
    def ended(self) -> bool:
        return self.record.state not in UNFINISHED

    @property
    def rate(self) -> float | None:
        """Tiles a second; None while unknown."""
        return self.record.rate if self.record.state == "running" else None

    @property
    def seconds_left(self) -> float | None:
        return (self.record.total - self.record.done) / self.rate if self.rate else None

    @property
    def reencodes(self) -> str | None:
        """The id of the slide of which it makes a new version, from a stored one; None: it ingests a file."""
        return str(self.record.options["id"]) if self.record.options.get("reencodes") else None

    @property
    def overlay_of(self) -> str | None:
        """The id of the slide that gets an overlay; None: it makes a slide."""
        return str(self.record.options["overlay_of"]) if self.record.options.get("overlay_of") else None

    def of(self, principal: Principal) -> bool:
        """Whether it is the principal's own job, or the principal may see all."""
        own = principal.user and self.record.options.get("owner") == principal.id
        return principal.has_role("admin") or bool(own)

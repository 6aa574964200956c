"""Files that are stored already: an upload is compared, by its fingerprint, with the slides its owner may see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

from wavescope.catalog.catalog import Catalog
from wavescope.errors import MissingPackage, SourceError
from wavescope.service.access.gate import Gate, Principal
from wavescope.service.jobs.uploads import UploadOptions

MAX_NAMED = 5  # slides of the same file that are named


StoredAs = Callable[[Principal, Path, UploadOptions, bool], tuple[str, ...]]
"""The slides made of the same file and time point that the principal may see; if so asked, of the same quality only.
Waits for the disk and for SQL.
"""
HoldPolicy = Literal["never", "if stored", "always", "answer"]
"""Whether a job waits for ``begin``; "if stored": if its owner has to decide about the existing slide. "answer": no job
if a slide of the same file and quality exists.
"""


class StoredSlide(NamedTuple):
    """The slide that an upload is already."""

    slide_id: str


def not_stored(_principal: Principal, _path: Path, _options: UploadOptions, _alike: bool) -> tuple[str, ...]:
    """No slide is made of the same file."""
    return ()


class Duplicates:
    """Which slides were made of the same file. Blocking; call it in a thread."""

    def __init__(self, catalog: Catalog, gate: Gate) -> None:
        self._catalog, self._gate = catalog, gate

    def of(self, principal: Principal, path: Path, options: UploadOptions, alike: bool = False) -> tuple[str, ...]:
        """Ids of the slides made of this file and time point that the principal may see, the newest first, at most
        MAX_NAMED.

        ``alike``: only slides for which the same quality was requested. Empty for a file that cannot be read: its
        ingest reports why. Slides that the principal may not see are left out (AC24).
        """
        from wavescope.source.open import fingerprint  # here: it imports all readers of slide files

        try:
            found = self._catalog.slides_of_source(fingerprint(path, options.time))
        except (SourceError, MissingPackage):
            return ()
        visible = (slide_id for slide_id in found if self._gate(principal, "view slide", slide_id))
        qualities = (options.quality, options.channel_quality or options.quality)
        same = (slide_id for slide_id in visible if not alike or self._requested(slide_id, qualities))
        return tuple(same)[:MAX_NAMED]

    def _requested(self, slide_id: str, qualities: tuple[str, str]) -> bool:
        """``qualities``: of a picture, and of channels; empty: any."""
        manifest = self._catalog.get(slide_id).manifest
        wanted, chosen = qualities[bool(manifest.get("channel_descriptions"))], manifest.get("chosen") or {}
        return wanted in ("", chosen.get("quality", ""))

"""What the scans of slides were found to have, stored apart from their versions (QM11)."""

from __future__ import annotations

import time

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.labels import relabel
from wavescope.catalog.slide_rows import existing, source_of
from wavescope.quality_maps.findings import Findings


def note_findings(catalog: Catalog, slide_id: str, source: str, findings: Findings) -> None:
    """Keeps them with the slide, if it is still made of this source (its fingerprint). Raises UnknownSlide."""
    with catalog.writing(rights=False) as session:
        row = existing(session, slide_id)
        if source_of(row.manifest) == source:
            row.findings, row.updated = findings.to_json(), time.time()
            relabel(session, row)

"""Scales entered by users, stored apart from the slide's versions, which never change (WI80)."""

from __future__ import annotations

import time

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.labels import relabel
from wavescope.catalog.records import SlideRecord
from wavescope.catalog.scale import Calibration
from wavescope.catalog.slide_rows import existing, record_of
from wavescope.errors import ScaleStated


def calibrate(catalog: Catalog, slide_id: str, calibration: Calibration | None) -> SlideRecord:
    """Sets the slide's scale, or (None) deletes an entered one.

    Raises UnknownSlide, ScaleStated for a slide whose file states its scale.
    """
    with catalog.writing(rights=False) as session:
        row = existing(session, slide_id)
        if calibration is not None and row.manifest.get("mpp") is not None:
            raise ScaleStated(slide_id)
        row.calibration = None if calibration is None else calibration.to_json()
        row.updated = time.time()
        relabel(session, row)
        session.flush()
        return record_of(row)

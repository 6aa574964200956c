"""A slide's row: its id and title, looking it up, its values as a record."""

from __future__ import annotations

import re

from sqlalchemy.orm import Session

from wavescope.catalog.records import SlideRecord
from wavescope.catalog.scale import Calibration
from wavescope.catalog.tables import SlideRow
from wavescope.errors import InvalidParameter, UnknownSlide

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
TITLE_LENGTH = 200


def check_id(slide_id: str) -> str:
    """The id itself, if it may be one. Raises InvalidParameter."""
    if not ID.fullmatch(slide_id):
        raise InvalidParameter(
            "id", slide_id, "letters, digits, '.', '_' and '-', at most 128, beginning with a letter or digit"
        )
    return slide_id


def check_title(title: str) -> str:
    """The title without surrounding space, if it may be one. Raises InvalidParameter."""
    title = title.strip()
    if not 1 <= len(title) <= TITLE_LENGTH or not title.isprintable():
        raise InvalidParameter("title", title, f"1 to {TITLE_LENGTH} printable characters")
    return title


def existing(session: Session, slide_id: str) -> SlideRow:
    """The slide's row. Raises UnknownSlide, also for one in the trash."""
    row = session.get(SlideRow, slide_id) if ID.fullmatch(slide_id) else None
    if row is None or row.trashed is not None:
        raise UnknownSlide(slide_id)
    return row


def record_of(row: SlideRow) -> SlideRecord:
    """The row's values, free of its session."""
    return SlideRecord(
        row.id,
        row.title,
        row.digest,
        row.manifest,
        row.created,
        row.updated,
        row.tags,
        row.trashed,
        row.owner,
        row.public,
        Calibration.from_json(row.calibration),
    )

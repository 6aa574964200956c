"""A slide's row: its id and title, looking it up, its values as a record."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from wavescope.catalog.originals.rows import settle
from wavescope.catalog.records import SlideRecord
from wavescope.catalog.scale import Calibration
from wavescope.catalog.tables import SlideRow, VersionRow
from wavescope.errors import InvalidParameter, SlideExists, SlideInTrash, UnknownSlide
from wavescope.quality_maps.findings import Findings
from wavescope.store.files.stored import StoredFile

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
        Findings.from_json(row.findings),
    )


def source_of(manifest: Mapping[str, Any]) -> str:
    """The fingerprint of the source of a slide version."""
    return str((manifest.get("source") or {}).get("fingerprint", ""))


def free_id(session: Session, wanted: str, *, readable: bool) -> str:
    """See ``Catalog.free_id``."""
    base = re.sub(r"[^a-z0-9._-]+", "-", wanted.lower()).strip("-._")[:100].strip("-._") or "slide"
    base = base if readable else f"{base}-{secrets.token_hex(3)}"
    taken = set(session.scalars(select(SlideRow.id).where(SlideRow.id.startswith(base, autoescape=True))))
    number, candidate = 1, base
    while candidate in taken:
        number += 1
        candidate = f"{base}-{number}"
    return candidate


def to_publish(session: Session, slide_id: str, title: str, owner: str, *, replace: bool) -> SlideRow:
    """The row of a slide that gets a version; a new one if there is none. Raises InvalidParameter, SlideInTrash;
    SlideExists, unless ``replace``.
    """
    row = session.get(SlideRow, check_id(slide_id))
    if row is None:
        title = check_title(title or slide_id)
        row = SlideRow(id=slide_id, title=title, tags={}, created=time.time(), owner=owner, public=False)
        session.add(row)
    elif row.trashed is not None:
        raise SlideInTrash(slide_id)
    elif not replace:
        raise SlideExists(slide_id)
    return row


def make_current(session: Session, row: SlideRow, original: StoredFile | None) -> None:
    """The version that the row names becomes the slide's current one. ``original``: see ``settle``."""
    now = time.time()
    others = (VersionRow.slide_id == row.id, VersionRow.digest != row.digest, VersionRow.retired.is_(None))
    session.execute(update(VersionRow).where(*others).values(retired=now))
    session.merge(VersionRow(slide_id=row.id, digest=row.digest, created=now, retired=None))
    settle(session, row.id, row.manifest, original)

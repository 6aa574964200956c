"""What users saw of slides: for each of both one log of views (CV8)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import delete, select

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.tables import SeenRow

MAX_SLIDES = 1000  # of one user; the ones that were changed last stay


class SeenViews(NamedTuple):
    """``views``: (x, y, width, height, rotation, scale, seconds, sharp) each; ``at``: where the way has come to."""

    views: Sequence[Sequence[float]] = ()
    at: Sequence[float] | None = None


def read_seen(catalog: Catalog, user_id: str, slide_id: str) -> SeenViews:
    """Empty if nothing is stored."""
    with catalog.reading() as session:
        row = session.get(SeenRow, (user_id, slide_id))
        return SeenViews() if row is None else SeenViews(**row.seen)


def write_seen(catalog: Catalog, user_id: str, slide_id: str, seen: SeenViews) -> None:
    """Replaces what is stored of the slide."""
    with catalog.writing(rights=False) as session:
        session.merge(SeenRow(user_id=user_id, slide_id=slide_id, seen=seen._asdict(), changed=time.time()))
        session.flush()
        own = select(SeenRow.slide_id).where(SeenRow.user_id == user_id).order_by(SeenRow.changed.desc())
        old = list(session.scalars(own.offset(MAX_SLIDES)))
        session.execute(delete(SeenRow).where(SeenRow.user_id == user_id, SeenRow.slide_id.in_(old)))


class SeenSummary(NamedTuple):
    """``slides``: those with any view, the one changed last first; ``agreed``: whether any log is stored, if empty."""

    slides: list[str]
    agreed: bool


def slides_seen(catalog: Catalog, user_id: str) -> SeenSummary:
    """A log that was cleared stays, for the consent, but its slide is not seen."""
    with catalog.reading() as session:
        own = select(SeenRow).where(SeenRow.user_id == user_id).order_by(SeenRow.changed.desc())
        rows = session.scalars(own).all()
        return SeenSummary([row.slide_id for row in rows if row.seen["views"]], bool(rows))


def forget_seen(catalog: Catalog, user_id: str) -> None:
    """Deletes everything of a user."""
    with catalog.writing(rights=False) as session:
        session.execute(delete(SeenRow).where(SeenRow.user_id == user_id))


def export_seen(catalog: Catalog, user_id: str | None) -> list[dict[str, Any]]:
    """All logs of a user; None: of everybody, for the one user of a machine."""
    query = select(SeenRow).order_by(SeenRow.slide_id)
    if user_id is not None:
        query = query.where(SeenRow.user_id == user_id)
    with catalog.reading() as session:
        return [{"slide": row.slide_id, "changed": row.changed, **row.seen} for row in session.scalars(query)]

"""What users saw of slides: for each of both one log of views (CV8), which may be shared without a name (CV12)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import delete, select, update

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.tables import SeenRow

MAX_SLIDES = 1000  # of one user; the ones that were changed last stay
MAX_PEOPLE = 1000  # whose logs of one slide are counted together


class SeenViews(NamedTuple):
    """``views``: (x, y, width, height, rotation, scale, seconds, sharp) each; ``at``: where the way has come to;
    ``reviewed``: when the user marked the slide as reviewed, in seconds since 1970.
    """

    views: Sequence[Sequence[float]] = ()
    at: Sequence[float] | None = None
    reviewed: int | None = None


def read_seen(catalog: Catalog, user_id: str, slide_id: str) -> SeenViews:
    """Empty if nothing is stored."""
    with catalog.reading() as session:
        row = session.get(SeenRow, (user_id, slide_id))
        return SeenViews() if row is None else SeenViews(**row.seen)


def write_seen(catalog: Catalog, user_id: str, slide_id: str, seen: SeenViews) -> None:
    """Replaces what is stored of the slide. It is shared if the user's other logs are."""
    with catalog.writing(rights=False) as session:
        own = select(SeenRow).where(SeenRow.user_id == user_id)
        shared = session.scalar(own.where(SeenRow.shared).limit(1)) is not None
        row = SeenRow(user_id=user_id, slide_id=slide_id, seen=seen._asdict(), changed=time.time(), shared=shared)
        session.merge(row)
        session.flush()
        kept = select(SeenRow.slide_id).where(SeenRow.user_id == user_id).order_by(SeenRow.changed.desc())
        old = list(session.scalars(kept.offset(MAX_SLIDES)))
        session.execute(delete(SeenRow).where(SeenRow.user_id == user_id, SeenRow.slide_id.in_(old)))


class SeenSummary(NamedTuple):
    """``slides``: those with any view, the one changed last first; ``reviewed``: those marked as reviewed; ``agreed``:
    whether any log is stored, if empty; ``shared``: whether instructors get them without the user's name (CV12).
    """

    slides: list[str]
    reviewed: list[str]
    agreed: bool
    shared: bool


def slides_seen(catalog: Catalog, user_id: str) -> SeenSummary:
    """A log that was cleared stays, for the consent, but its slide is not seen."""
    with catalog.reading() as session:
        own = select(SeenRow).where(SeenRow.user_id == user_id).order_by(SeenRow.changed.desc())
        rows = session.scalars(own).all()
        seen = [row.slide_id for row in rows if row.seen["views"]]
        reviewed = [row.slide_id for row in rows if row.seen.get("reviewed") is not None]
        return SeenSummary(seen, reviewed, bool(rows), any(row.shared for row in rows))


def share_seen(catalog: Catalog, user_id: str, shared: bool) -> None:
    """All logs of a user are shared without the name from now on, or no longer."""
    with catalog.writing(rights=False) as session:
        session.execute(update(SeenRow).where(SeenRow.user_id == user_id).values(shared=shared))


def shared_logs(catalog: Catalog, slide_id: str) -> list[SeenViews]:
    """What those who share it saw of a slide, without their names: the MAX_PEOPLE changed last."""
    query = select(SeenRow).where(SeenRow.slide_id == slide_id, SeenRow.shared)
    with catalog.reading() as session:
        rows = session.scalars(query.order_by(SeenRow.changed.desc()).limit(MAX_PEOPLE)).all()
        return [SeenViews(**row.seen) for row in rows]


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
        return [
            {"slide": row.slide_id, "changed": row.changed, "shared": row.shared, **row.seen}
            for row in session.scalars(query)
        ]

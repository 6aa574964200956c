"""The orders of a list of slides (WI6), as names and as SQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from wavescope.catalog.labels import TAG_KEY
from wavescope.catalog.tables import LabelRow, SlideRow
from wavescope.catalog.visible import LABELS, SLIDES, SlideColumns
from wavescope.errors import InvalidParameter

NEWEST = "newest"
TAG = "tag."


def ids_in_order(
    session: Session, wanted: Callable[[SlideColumns], list[ColumnElement[bool]]], sort: str, offset: int, limit: int
) -> list[str]:
    """Ids of the slides that are wanted in an order: ``newest``, ``oldest``, ``title`` or ``tag.KEY``, the last two
    also with ``-`` before, downwards. Slides without the tag come last. Raises InvalidParameter.
    """
    slides = select(SlideRow.id).where(*wanted(SLIDES))
    name, down = sort.removeprefix("-"), sort.startswith("-")
    if name.startswith(TAG) and TAG_KEY.fullmatch(name.removeprefix(TAG)):
        labelled = select(LabelRow.slide_id).where(LabelRow.name == name, *wanted(LABELS))
        by_value = labelled.order_by(_directed(func.lower(LabelRow.value), down), LabelRow.slide_id)
        ids = list(session.scalars(by_value.offset(offset).limit(limit)))
        if len(ids) < limit:
            before = session.scalar(select(func.count()).select_from(labelled.subquery())) or 0
            others = SlideRow.id.not_in(select(LabelRow.slide_id).where(LabelRow.name == name))
            rest = slides.where(others).order_by(SlideRow.id).offset(max(0, offset - before))
            ids += session.scalars(rest.limit(limit - len(ids)))
        return ids
    orders: dict[str, ColumnElement[Any]] = {
        NEWEST: SlideRow.created.desc(),
        "oldest": SlideRow.created.asc(),
        "title": func.lower(SlideRow.title).asc(),
        "-title": func.lower(SlideRow.title).desc(),
    }
    if sort not in orders:
        raise InvalidParameter("sort", sort, "newest, oldest, title, -title, tag.KEY or -tag.KEY")
    return list(session.scalars(slides.order_by(orders[sort], SlideRow.id).offset(offset).limit(limit)))


def _directed(value: ColumnElement[str], down: bool) -> ColumnElement[str]:
    return value.desc() if down else value.asc()

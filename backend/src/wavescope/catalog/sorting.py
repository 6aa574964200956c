"""The orders of a list of slides (WI6), as names and as SQL."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func

from wavescope.catalog.labels import TAG_KEY
from wavescope.catalog.tables import LabelRow, SlideRow
from wavescope.errors import InvalidParameter

NEWEST = "newest"
TAG = "tag."


def in_order(slides: Select[Any], sort: str) -> Select[Any]:
    """A selection from SlideRow in an order: ``newest``, ``oldest``, ``title`` or ``tag.KEY``, the last two also with
    ``-`` before, downwards. Slides without the tag come last. Raises InvalidParameter.
    """
    if sort in (NEWEST, "oldest"):
        return slides.order_by(SlideRow.created.desc() if sort == NEWEST else SlideRow.created, SlideRow.id)
    name, down = sort.removeprefix("-"), sort.startswith("-")
    if name == "title":
        return slides.order_by(_directed(func.lower(SlideRow.title), down), SlideRow.id)
    if not (name.startswith(TAG) and TAG_KEY.fullmatch(name.removeprefix(TAG))):
        raise InvalidParameter("sort", sort, "newest, oldest, title, -title, tag.KEY or -tag.KEY")
    joined = slides.outerjoin(LabelRow, and_(LabelRow.slide_id == SlideRow.id, LabelRow.name == name))
    value = func.lower(LabelRow.value)
    return joined.order_by(LabelRow.value.is_(None), _directed(value, down), SlideRow.id)


def _directed(value: ColumnElement[str], down: bool) -> ColumnElement[str]:
    return value.desc() if down else value.asc()

"""What a principal sees, as SQL: it says of every row what ``access.rules.right_of`` says (AC8)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, or_, select, true
from sqlalchemy.orm import aliased

from wavescope.access.principal import Capability, Principal
from wavescope.catalog.tables import CaseRow, CaseSlideRow, LabelRow, ShareRow, SlideRow, UserRow


class SlideColumns(NamedTuple):
    """What says of a row which slide it is of, whose that is, and whether it is in the trash."""

    id: Any
    owner: Any
    public: Any
    trashed: Any


SLIDES = SlideColumns(SlideRow.id, SlideRow.owner, SlideRow.public, SlideRow.trashed)
LABELS = SlideColumns(LabelRow.slide_id, LabelRow.owner, LabelRow.public, LabelRow.trashed)


class Visible(NamedTuple):
    """Conditions on rows with the columns of a slide, and on CaseRow."""

    slides: Callable[[SlideColumns], ColumnElement[bool]]
    cases: ColumnElement[bool]


ALL = Visible(lambda _: true(), true())


def visible_to(principal: Principal) -> Visible:
    """What the principal has any right to."""
    if principal.has_role("admin"):
        return ALL
    now = time.time()
    capabilities = [one for one in principal.capabilities if one.expires is None or one.expires > now]
    return Visible(partial(_slides, principal, capabilities), _cases(principal, capabilities))


def _slides(principal: Principal, capabilities: Sequence[Capability], of: SlideColumns) -> ColumnElement[bool]:
    conditions: list[ColumnElement[bool]] = [
        of.public.is_(True),
        of.id.in_(_slides_of_cases(CaseRow.public.is_(True))),
    ]
    if principal.user:
        conditions.append(of.owner == principal.id)
        conditions.append(of.id.in_(_shared_with(principal, "slide")))
        conditions.append(of.id.in_(_slides_of_cases(CaseRow.id.in_(_shared_with(principal, "case")))))
    for one in capabilities:
        conditions.append(of.id.in_(one.slides))
        if one.case is not None:
            inside = select(CaseSlideRow.slide_id).where(CaseSlideRow.case_id == one.case)
            granted = [of.owner == one.grantor] if one.grantor else []
            conditions.append(and_(of.id.in_(inside), *granted))
    return or_(*conditions)


def _cases(principal: Principal, capabilities: Sequence[Capability]) -> ColumnElement[bool]:
    conditions: list[ColumnElement[bool]] = [CaseRow.public.is_(True)]
    if principal.user:
        conditions += [CaseRow.owner == principal.id, CaseRow.id.in_(_shared_with(principal, "case"))]
    for one in capabilities:
        if one.case is not None:
            granted = [CaseRow.owner == one.grantor] if one.grantor else []
            conditions.append(and_(CaseRow.id == one.case, *granted))
    return or_(*conditions)


def _shared_with(principal: Principal, scope: str) -> Select[str]:
    """The ids of what was shared with the user or one of its groups."""
    by_user = and_(ShareRow.kind == "user", ShareRow.subject == principal.id)
    by_group = and_(ShareRow.kind == "group", ShareRow.subject.in_(principal.groups))
    return select(ShareRow.target).where(ShareRow.scope == scope, or_(by_user, by_group))


def _slides_of_cases(wanted: ColumnElement[bool]) -> Select[str]:
    """The slides of such cases whose owner may share them. It names no row of the query around: it runs once."""
    slide = aliased(SlideRow)
    admins = select(UserRow.id).where(UserRow.role == "admin", UserRow.disabled.is_(False))
    by = or_(CaseRow.owner == slide.owner, CaseRow.owner == "", CaseRow.owner.in_(admins))
    joined = select(slide.id).join(CaseSlideRow, CaseSlideRow.slide_id == slide.id)
    return joined.join(CaseRow, CaseRow.id == CaseSlideRow.case_id).where(wanted, by)

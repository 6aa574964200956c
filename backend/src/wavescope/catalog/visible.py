"""What a principal sees, as SQL: it says of every row what ``access.rules.right_of`` says (AC8)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, or_, select, true

from wavescope.access.principal import Capability, Principal
from wavescope.catalog.tables import CaseRow, CaseSlideRow, ShareRow, SlideRow, UserRow


class Visible(NamedTuple):
    """Conditions on SlideRow and on CaseRow."""

    slides: ColumnElement[bool]
    cases: ColumnElement[bool]


ALL = Visible(true(), true())


def visible_to(principal: Principal) -> Visible:
    """What the principal has any right to."""
    if principal.has_role("admin"):
        return ALL
    now = time.time()
    capabilities = [one for one in principal.capabilities if one.expires is None or one.expires > now]
    return Visible(_slides(principal, capabilities), _cases(principal, capabilities))


def _slides(principal: Principal, capabilities: Sequence[Capability]) -> ColumnElement[bool]:
    conditions: list[ColumnElement[bool]] = [
        SlideRow.public.is_(True),
        SlideRow.id.in_(_slides_of_cases(CaseRow.public.is_(True))),
    ]
    if principal.user:
        conditions.append(SlideRow.owner == principal.id)
        conditions.append(SlideRow.id.in_(_shared_with(principal, "slide")))
        conditions.append(SlideRow.id.in_(_slides_of_cases(CaseRow.id.in_(_shared_with(principal, "case")))))
    for one in capabilities:
        conditions.append(SlideRow.id.in_(one.slides))
        if one.case is not None:
            inside = select(CaseSlideRow.slide_id).where(CaseSlideRow.case_id == one.case)
            granted = [SlideRow.owner == one.grantor] if one.grantor else []
            conditions.append(and_(SlideRow.id.in_(inside), *granted))
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
    """The slides of such cases whose owner may share them; SlideRow is that of the query around."""
    admins = select(UserRow.id).where(UserRow.role == "admin", UserRow.disabled.is_(False))
    by = or_(CaseRow.owner == SlideRow.owner, CaseRow.owner == "", CaseRow.owner.in_(admins))
    joined = select(CaseSlideRow.slide_id).join(CaseRow, CaseRow.id == CaseSlideRow.case_id)
    return joined.where(wanted, by).correlate(SlideRow)

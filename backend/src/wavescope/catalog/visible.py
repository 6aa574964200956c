"""What a principal sees, as SQL: it says of every row what ``access.rules.right_of`` says (AC8)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, or_, select, true

from wavescope.access.principal import Capability, Principal
from wavescope.catalog.tables import CaseRow, CaseSlideRow, ShareRow, SlideRow, UserRow


class Seen(NamedTuple):
    """Conditions on SlideRow and on CaseRow."""

    slides: ColumnElement[bool]
    cases: ColumnElement[bool]


ALL = Seen(true(), true())


def seen_by(principal: Principal) -> Seen:
    """What the principal has any right to."""
    if principal.has_role("admin"):
        return ALL
    now = time.time()
    holds = [one for one in principal.capabilities if one.expires is None or one.expires > now]
    return Seen(_slides(principal, holds), _cases(principal, holds))


def _slides(principal: Principal, holds: Sequence[Capability]) -> ColumnElement[bool]:
    ways: list[ColumnElement[bool]] = [SlideRow.public.is_(True), SlideRow.id.in_(_lent(CaseRow.public.is_(True)))]
    if principal.user:
        ways.append(SlideRow.owner == principal.id)
        ways.append(SlideRow.id.in_(_given(principal, "slide")))
        ways.append(SlideRow.id.in_(_lent(CaseRow.id.in_(_given(principal, "case")))))
    for one in holds:
        ways.append(SlideRow.id.in_(one.slides))
        if one.case is not None:
            inside = select(CaseSlideRow.slide_id).where(CaseSlideRow.case_id == one.case)
            whose = [SlideRow.owner == one.grantor] if one.grantor else []
            ways.append(and_(SlideRow.id.in_(inside), *whose))
    return or_(*ways)


def _cases(principal: Principal, holds: Sequence[Capability]) -> ColumnElement[bool]:
    ways: list[ColumnElement[bool]] = [CaseRow.public.is_(True)]
    if principal.user:
        ways += [CaseRow.owner == principal.id, CaseRow.id.in_(_given(principal, "case"))]
    for one in holds:
        if one.case is not None:
            whose = [CaseRow.owner == one.grantor] if one.grantor else []
            ways.append(and_(CaseRow.id == one.case, *whose))
    return or_(*ways)


def _given(principal: Principal, scope: str) -> Select[str]:
    """The ids of what was shared with the user or one of its groups."""
    mine = and_(ShareRow.kind == "user", ShareRow.subject == principal.id)
    ours = and_(ShareRow.kind == "group", ShareRow.subject.in_(principal.groups))
    return select(ShareRow.target).where(ShareRow.scope == scope, or_(mine, ours))


def _lent(wanted: ColumnElement[bool]) -> Select[str]:
    """The slides of such cases whose owner may share them; SlideRow is that of the query around."""
    powerful = select(UserRow.id).where(UserRow.role == "admin", UserRow.disabled.is_(False))
    by = or_(CaseRow.owner == SlideRow.owner, CaseRow.owner == "", CaseRow.owner.in_(powerful))
    joined = select(CaseSlideRow.slide_id).join(CaseRow, CaseRow.id == CaseSlideRow.case_id)
    return joined.where(wanted, by).correlate(SlideRow)

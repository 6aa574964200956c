"""Who owns slides and cases, and with whom they are shared (AC6, AC20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from wavescope.access.nesting import CaseSharing
from wavescope.access.principal import Right
from wavescope.access.rules import Sharing
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.nesting import check_sharing, share_as
from wavescope.catalog.records import Scope, Share
from wavescope.catalog.tables import CaseRow, CaseSlideRow, GroupRow, MemberRow, ShareRow, SlideRow, UserRow
from wavescope.errors import UnknownCase, UnknownGroup, UnknownSlide, UnknownUser


class SharingTable:
    """Ownership and shares of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    # -- queries of the gate

    def slide(self, slide_id: str) -> Sharing:
        """Who has what right to a slide, also to one in the trash; includes the rights from its cases.

        The same queries run for every id, known or not, so that the answer takes the same time.
        """
        with self._catalog.reading() as session:
            row = session.execute(select(SlideRow.owner, SlideRow.public).where(SlideRow.id == slide_id)).one_or_none()
            owner, public = (row.owner, row.public) if row else ("", False)
            found = Sharing(owner, public, *_shares_of(session, "slide", [slide_id]))
            lies_in = session.execute(
                select(CaseRow.id, CaseRow.owner, CaseRow.public)
                .join(CaseSlideRow, CaseSlideRow.case_id == CaseRow.id)
                .where(CaseSlideRow.slide_id == slide_id)
            ).all()
            sharing_cases = [case for case in lies_in if case.owner == owner or may_share_all(session, case.owner)]
            users, groups = _shares_of(session, "case", [case.id for case in sharing_cases])
            return replace(
                found,
                public=found.public or any(case.public for case in sharing_cases),
                users=_higher_rights(found.users, users),
                groups=_higher_rights(found.groups, groups),
                cases=frozenset(case.id for case in lies_in),
            )

    def people(self, slide_id: str) -> set[str]:
        """Ids of the accounts that own the slide, or that it is shared with, also in groups and through its cases."""
        sharing = self.slide(slide_id)
        with self._catalog.reading() as session:
            groups = select(MemberRow.user_id).where(MemberRow.group_id.in_(sharing.groups))
            found = {*sharing.users, *session.scalars(groups)}
            if sharing.owner:
                return found | {sharing.owner}
            return found | set(session.scalars(select(UserRow.id).where(UserRow.role == "admin")))

    def case(self, case_id: str) -> Sharing:
        """Who has what right to a case itself. Raises UnknownCase."""
        with self._catalog.reading() as session:
            row = session.get(CaseRow, case_id)
            if row is None:
                raise UnknownCase(case_id)
            return Sharing(row.owner, row.public, *_shares_of(session, "case", [case_id]), frozenset({case_id}))

    # -- changing

    def shares(self, scope: Scope, target: str) -> tuple[str, bool, tuple[Share, ...]]:
        """Owner, whether it is public, and with whom it is shared. Raises UnknownSlide, UnknownCase."""
        with self._catalog.reading() as session:
            row = target_of(session, scope, target)
            rows = session.scalars(
                select(ShareRow).where(ShareRow.scope == scope, ShareRow.target == target).order_by(ShareRow.subject)
            )
            return row.owner, row.public, tuple(_share(one) for one in rows)

    def share(self, scope: Scope, target: str, public: bool, shares: Sequence[Share], owner: str | None = None) -> None:
        """Replaces all rights to it; what lies in a case follows (AC15).

        Raises UnknownSlide, UnknownCase, UnknownUser, UnknownGroup, InvalidNesting.
        """
        rights = {(one.kind, one.subject): one.right for one in shares}
        with self._catalog.writing() as session:
            row = target_of(session, scope, target)
            if owner is not None:
                _check_subject(session, "user", owner)
                row.owner = owner
            for kind, subject in rights:
                _check_subject(session, kind, subject)
            if isinstance(row, CaseRow):
                share_as(session, row, CaseSharing(public, rights))
                check_sharing(session, row, row.parent)
                return
            row.public = public
            session.execute(delete(ShareRow).where(ShareRow.scope == scope, ShareRow.target == target))
            session.add_all(
                ShareRow(scope=scope, target=target, kind=kind, subject=subject, right=right)
                for (kind, subject), right in rights.items()
            )

    def own(self, scope: Scope, target: str, owner: str) -> None:
        """Sets the owner; empty: the admins. Raises UnknownSlide, UnknownCase."""
        with self._catalog.writing() as session:
            target_of(session, scope, target).owner = owner


def _shares_of(session: Session, scope: Scope, targets: Sequence[str]) -> tuple[dict[str, Right], dict[str, Right]]:
    """Users and groups with their rights to any of the targets."""
    users: dict[str, Right] = {}
    groups: dict[str, Right] = {}
    for row in session.scalars(select(ShareRow).where(ShareRow.scope == scope, ShareRow.target.in_(targets))):
        into = users if row.kind == "user" else groups
        into[row.subject] = "annotate" if "annotate" in (row.right, into.get(row.subject)) else "view"
    return users, groups


def _higher_rights(one: Mapping[str, Right], other: Mapping[str, Right]) -> dict[str, Right]:
    merged = dict(one)
    for subject, right in other.items():
        merged[subject] = "annotate" if "annotate" in (right, merged.get(subject)) else "view"
    return merged


def may_share_all(session: Session, user_id: str) -> bool:
    """Whether that owner or maker may share every slide: the local user, or an admin."""
    if not user_id:
        return True
    row = session.get(UserRow, user_id)
    return row is not None and row.role == "admin" and not row.disabled


def target_of(session: Session, scope: Scope, target: str) -> SlideRow | CaseRow:
    if scope == "slide":
        slide = session.get(SlideRow, target)
        if slide is None or slide.trashed is not None:
            raise UnknownSlide(target)
        return slide
    case = session.get(CaseRow, target)
    if case is None:
        raise UnknownCase(target)
    return case


def _check_subject(session: Session, kind: str, subject: str) -> None:
    if kind == "user":
        if session.get(UserRow, subject) is None:
            raise UnknownUser(subject)
    elif session.get(GroupRow, subject) is None:
        raise UnknownGroup(subject)


def _share(row: ShareRow) -> Share:
    kind: Any = row.kind
    right: Any = row.right
    return Share(kind, row.subject, right)

"""Collections in collections: where a case may lie, what lies below one, with whom that is shared (WI41, AC15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, select
from sqlalchemy.orm import Session

from wavescope.access.nesting import CaseSharing, is_no_wider, narrowed
from wavescope.catalog.tables import CaseRow, ShareRow
from wavescope.errors import InvalidNesting, UnknownCase

DEPTH = 8  # of collections in each other, the outermost one included
COLLECTION = "collection"


def with_all_below(*wanted: ColumnElement[bool]) -> Select[str]:
    """The ids of such cases and of all that lie in them, at any depth."""
    found = select(CaseRow.id).where(*wanted).cte(recursive=True)
    found = found.union(select(CaseRow.id).join(found, CaseRow.parent == found.c.id))
    return select(found.c.id)


def put_into(session: Session, row: CaseRow, parent_id: str) -> None:
    """The case lies in that collection from now on; empty: in none. Raises UnknownCase, InvalidNesting."""
    if parent_id:
        above = _chain(session, parent_id)
        if above[0].kind != COLLECTION:
            raise InvalidNesting(row.id, "kind", "only a collection contains cases")
        if row in above:
            raise InvalidNesting(row.id, "cycle", "it would lie in itself")
        if len(above) + _height(session, row.id) > DEPTH:
            raise InvalidNesting(row.id, "depth", f"at most {DEPTH} lie in each other")
        check_sharing(session, row, parent_id)
    row.parent = parent_id


def check_kind(session: Session, row: CaseRow) -> None:
    """Returns if what contains cases is a collection. Raises InvalidNesting."""
    if row.kind != COLLECTION and _inside(session, row.id):
        raise InvalidNesting(row.id, "kind", "only a collection contains cases")


def check_sharing(session: Session, row: CaseRow, parent_id: str) -> None:
    """Returns if the case is shared as that collection, or with fewer. Raises InvalidNesting."""
    parent = session.get(CaseRow, parent_id)
    if parent is not None and not is_no_wider(sharing_of(session, row), sharing_of(session, parent)):
        raise InvalidNesting(row.id, "sharing", "it is shared more widely than its collection")


def empty(session: Session, row: CaseRow) -> None:
    """All that lies in the case lies in what the case lies in from now on."""
    for inner in _inside(session, row.id):
        inner.parent = row.parent


def sharing_of(session: Session, row: CaseRow) -> CaseSharing:
    shares = session.scalars(select(ShareRow).where(ShareRow.scope == "case", ShareRow.target == row.id))
    rights: Mapping[tuple[Any, str], Any] = {(one.kind, one.subject): one.right for one in shares}
    return CaseSharing(row.public, rights)


def share_as(session: Session, row: CaseRow, new: CaseSharing) -> None:
    """Replaces all rights to the case. What lies in it and was shared as it was follows; of what was shared with fewer,
    the rights that the case does not give any more go.
    """
    old = sharing_of(session, row)
    row.public = new.public
    session.execute(delete(ShareRow).where(ShareRow.scope == "case", ShareRow.target == row.id))
    session.add_all(
        ShareRow(scope="case", target=row.id, kind=kind, subject=subject, right=right)
        for (kind, subject), right in new.rights.items()
    )
    session.flush()
    for inner in _inside(session, row.id):
        own = sharing_of(session, inner)
        wanted = new if own == old else narrowed(own, new)
        if wanted != own:
            share_as(session, inner, wanted)


def _inside(session: Session, case_id: str) -> Sequence[CaseRow]:
    return session.scalars(select(CaseRow).where(CaseRow.parent == case_id)).all()


def _chain(session: Session, case_id: str) -> list[CaseRow]:
    """The case, the one that it lies in, and so on outwards. Raises UnknownCase."""
    row = session.get(CaseRow, case_id)
    if row is None:
        raise UnknownCase(case_id)
    chain = [row]
    while len(chain) <= DEPTH and (outer := session.get(CaseRow, chain[-1].parent)) is not None:
        chain.append(outer)
    return chain


def _height(session: Session, case_id: str) -> int:
    """How many lie in each other, from this case inwards."""
    height, level = 0, [case_id]
    while level and height <= DEPTH:
        height += 1
        level = list(session.scalars(select(CaseRow.id).where(CaseRow.parent.in_(level))))
    return height

"""Share links: capabilities whose tokens are stored as hashes (AC21 to AC23)."""

from __future__ import annotations

import time
import uuid
from typing import Any

from sqlalchemy import select

from wavescope.access.principal import Capability
from wavescope.catalog.access.sharing import may_share_all, target_of
from wavescope.catalog.access.tokens import digest, new_secret
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import LinkRecord, Scope
from wavescope.catalog.tables import LinkRow, SlideRow, UserRow
from wavescope.errors import InvalidParameter, UnknownLink

LINK_PREFIX = "wsl_"


class Links:
    """The share links of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def add(
        self, scope: Scope, target: str, right: str, title: str, maker: str, expires: float | None
    ) -> tuple[str, LinkRecord]:
        """A new link; its token is returned only here. Raises UnknownSlide, UnknownCase, InvalidParameter."""
        if right not in ("view", "annotate"):
            raise InvalidParameter("right", right, "view or annotate")
        token = new_secret(LINK_PREFIX)
        row = LinkRow(
            id=uuid.uuid4().hex, hash=digest(token), scope=scope, target=target, right=right, title=title.strip()[:200],
            maker=maker, created=time.time(), expires=expires, revoked=None, used=None,
        )  # fmt: skip
        with self._catalog.writing() as session:
            target_of(session, scope, target)
            session.add(row)
            session.flush()
            return token, _link(row)

    def list(self, scope: Scope, target: str) -> tuple[LinkRecord, ...]:
        """The links to it, the newest first, also those that are over."""
        query = select(LinkRow).where(LinkRow.scope == scope, LinkRow.target == target)
        with self._catalog.reading() as session:
            return tuple(_link(row) for row in session.scalars(query.order_by(LinkRow.created.desc())))

    def get(self, link_id: str) -> LinkRecord:
        """Raises UnknownLink."""
        with self._catalog.reading() as session:
            row = session.get(LinkRow, link_id)
            if row is None:
                raise UnknownLink
            return _link(row)

    def revoke(self, link_id: str) -> LinkRecord:
        """Raises UnknownLink."""
        with self._catalog.writing() as session:
            row = session.get(LinkRow, link_id)
            if row is None:
                raise UnknownLink
            row.revoked = row.revoked or time.time()
            session.flush()
            return _link(row)

    def opened(self, token: str) -> LinkRecord | None:
        """The link of a token, also one that has expired."""
        with self._catalog.reading() as session:
            row = session.scalar(select(LinkRow).where(LinkRow.hash == digest(token)))
            return None if row is None else _link(row)

    def capability(self, token: str) -> Capability | None:
        """What its token lets the holder do now; None if it is over, or its maker may not share any more."""
        with self._catalog.reading() as session:
            row = session.scalar(select(LinkRow).where(LinkRow.hash == digest(token)))
            if row is None or _link(row).over(time.time()):
                return None
            may_share = may_share_all(session, row.maker)
            maker = session.get(UserRow, row.maker)
            if not may_share and (maker is None or maker.disabled or maker.role not in ("instructor", "admin")):
                return None
            if not may_share and row.scope == "slide":
                owner = session.scalar(select(SlideRow.owner).where(SlideRow.id == row.target))
                if owner != row.maker:
                    return None
            named = frozenset({row.target}) if row.scope == "slide" else frozenset[str]()
            case = row.target if row.scope == "case" else None
            found = _link(row)
            return Capability("link", row.id, found.right, named, case, "" if may_share else row.maker, row.expires)


def _link(row: LinkRow) -> LinkRecord:
    scope: Any = row.scope
    right: Any = row.right
    facts = (row.title, row.maker, row.created, row.expires, row.revoked, row.used)
    return LinkRecord(row.id, scope, row.target, right, *facts)

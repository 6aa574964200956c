"""Secrets that stand for users: of sign-ins, of their renewal, and personal ones. Only hashes are stored."""

from __future__ import annotations

import hashlib
import secrets
import time
import uuid
from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from wavescope.access.principal import DEFAULT_SCOPES, SCOPES, TokenScope
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import TokenRecord
from wavescope.catalog.slide_rows import check_title
from wavescope.catalog.tables import LinkRow, TokenRow
from wavescope.errors import InvalidParameter, TooLarge, UnknownToken

TokenKind = Literal["sign-in", "renew", "personal"]
PREFIX: Mapping[TokenKind, str] = {"sign-in": "wss_", "renew": "wsr_", "personal": "wsp_"}
GRACE_SECONDS = 60.0  # for which what was renewed still counts: requests under way, other tabs
MAX_PERSONAL = 50  # tokens of one user


class SignedIn(NamedTuple):
    """The secrets of a sign-in; ``expires``, ``renewable``: seconds since 1970."""

    token: str
    renew: str
    expires: float
    renewable: float


class Tokens:
    """The tokens of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def sign_in(self, user_id: str, seconds: float, renew_seconds: float) -> SignedIn:
        """A new sign-in; the user's expired tokens are forgotten."""
        with self._catalog.writing(rights=False) as session:
            gone = (TokenRow.user_id == user_id, TokenRow.expires < time.time())
            session.execute(delete(TokenRow).where(*gone))
            return _issue(session, user_id, uuid.uuid4().hex, seconds, renew_seconds)

    def renew(self, secret: str, seconds: float, renew_seconds: float) -> SignedIn:
        """New secrets for a sign-in; the old ones count GRACE_SECONDS longer. Raises UnknownToken."""
        now = time.time()
        with self._catalog.writing() as session:
            row = session.get(TokenRow, digest(secret))
            if row is None or row.kind != "renew" or _over(row, now):
                raise UnknownToken
            old = (TokenRow.family == row.family, TokenRow.expires > now + GRACE_SECONDS)
            session.execute(update(TokenRow).where(*old).values(expires=now + GRACE_SECONDS))
            session.execute(delete(TokenRow).where(TokenRow.family == row.family, TokenRow.expires < now))
            return _issue(session, row.user_id, row.family, seconds, renew_seconds)

    def sign_out(self, secret: str) -> None:
        """Ends the sign-in that the secret belongs to, if there is one."""
        with self._catalog.writing() as session:
            row = session.get(TokenRow, digest(secret))
            if row is not None and row.kind != "personal":
                session.execute(delete(TokenRow).where(TokenRow.family == row.family))

    def personal(
        self, user_id: str, title: str, expires: float | None, scopes: Collection[TokenScope] = DEFAULT_SCOPES
    ) -> tuple[str, TokenRecord]:
        """A new token for scripts, which is returned only here. Raises InvalidParameter, TooLarge."""
        if not scopes or not set(scopes) <= set(SCOPES):
            raise InvalidParameter("scopes", " ".join(scopes), f"at least one of {', '.join(SCOPES)}")
        secret = new_secret(PREFIX["personal"])
        row = TokenRow(
            hash=digest(secret), family=uuid.uuid4().hex, kind="personal", user_id=user_id, title=check_title(title),
            created=time.time(), expires=expires, used=None, scopes=" ".join(one for one in SCOPES if one in scopes),
        )  # fmt: skip
        with self._catalog.writing(rights=False) as session:
            mine = select(func.count()).select_from(TokenRow)
            count = session.scalar(mine.where(TokenRow.user_id == user_id, TokenRow.kind == "personal")) or 0
            if count >= MAX_PERSONAL:
                raise TooLarge("the number of tokens", count + 1, MAX_PERSONAL)
            session.add(row)
            session.flush()
            return secret, _record(row)

    def list(self, user_id: str) -> tuple[TokenRecord, ...]:
        """The user's personal tokens, the newest first."""
        query = select(TokenRow).where(TokenRow.user_id == user_id, TokenRow.kind == "personal")
        with self._catalog.reading() as session:
            return tuple(_record(row) for row in session.scalars(query.order_by(TokenRow.created.desc())))

    def revoke(self, user_id: str, token_id: str) -> None:
        """Raises UnknownToken."""
        with self._catalog.writing() as session:
            mine = (TokenRow.user_id == user_id, TokenRow.family == token_id, TokenRow.kind == "personal")
            row = session.scalar(select(TokenRow).where(*mine))
            if row is None:
                raise UnknownToken
            session.delete(row)

    def holder(self, secret: str) -> TokenRecord | None:
        """Whose sign-in or personal token this is, unless it has expired."""
        with self._catalog.reading() as session:
            row = session.get(TokenRow, digest(secret))
            return None if row is None or row.kind == "renew" or _over(row, time.time()) else _record(row)

    def user_of(self, secret: str) -> str | None:
        """The id of the user whose secret this is, of any kind and expired or not."""
        with self._catalog.reading() as session:
            row = session.get(TokenRow, digest(secret))
            return None if row is None else row.user_id

    def note_uses(self, used: Mapping[str, float]) -> None:
        """Writes when tokens and links were last used, by their hashes."""
        with self._catalog.writing(rights=False) as session:
            for key, when in used.items():
                session.execute(update(TokenRow).where(TokenRow.hash == key).values(used=when))
                session.execute(update(LinkRow).where(LinkRow.hash == key).values(used=when))


def new_secret(prefix: str) -> str:
    """256 random bits, named by their kind so that scanners for secrets find them."""
    return prefix + secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """The stored form of a secret; the secret is random, so a fast hash suffices."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _issue(session: Session, user_id: str, family: str, seconds: float, renew_seconds: float) -> SignedIn:
    now = time.time()
    made = SignedIn(new_secret(PREFIX["sign-in"]), new_secret(PREFIX["renew"]), now + seconds, now + renew_seconds)
    kinds: tuple[tuple[TokenKind, str, float], ...] = (
        ("sign-in", made.token, made.expires),
        ("renew", made.renew, made.renewable),
    )
    for kind, secret, expires in kinds:
        row = TokenRow(hash=digest(secret), family=family, kind=kind, user_id=user_id, title="")
        row.created, row.expires, row.used, row.scopes = now, expires, None, ""
        session.add(row)
    return made


def _over(row: TokenRow, now: float) -> bool:
    return row.expires is not None and row.expires <= now


def _record(row: TokenRow) -> TokenRecord:
    scopes = frozenset(one for one in SCOPES if one in row.scopes.split()) if row.scopes else frozenset(SCOPES)
    return TokenRecord(row.family, row.kind, row.user_id, row.title, row.created, row.expires, row.used, scopes)

"""From the credentials of a request to its principal (AC30 to AC33)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from wavescope.access.grants import is_grant
from wavescope.access.principal import ANONYMOUS, LOCAL_USER, Capability, Principal, guest_principal, user_principal
from wavescope.caches import BoundedCache
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.links import LINK_PREFIX, Links
from wavescope.catalog.access.tokens import Tokens
from wavescope.catalog.catalog import Catalog
from wavescope.errors import CredentialsExpired, UnknownUser
from wavescope.service.access.usage import UsageTracker

CACHED = 16384  # credentials
FOREVER = float("inf")

GrantOf = Callable[[str], Principal]
"""Reads a signed grant."""


class SessionRights(Protocol):
    """The capabilities of guests and members of live sessions; both methods wait for SQL."""

    def guest_of(self, token: str) -> tuple[str, Capability] | None:
        """A guest's nickname and capability, by its cookie."""
        ...

    def member_of(self, user_id: str) -> Capability | None:
        """The capability of an account that is a member of sessions."""
        ...


@dataclass(frozen=True)
class Credentials:
    """The secrets of one request: cookies of a sign-in, of opened links, of a session's guest; a bearer token."""

    sign_in: str = ""
    links: tuple[str, ...] = ()
    guest: str = ""
    bearer: str = ""


NOTHING = Credentials()


class Authenticator:
    """Who has which credentials. Answers are cached until rights are changed, in any process.

    ``mode``: local, accounts or grants. ``grant_of`` reads grants; a node (mode grants) knows no accounts and no links.
    """

    def __init__(
        self,
        catalog: Catalog,
        mode: str,
        usage: UsageTracker,
        sessions: SessionRights | None = None,
        grant_of: GrantOf | None = None,
    ) -> None:
        self._catalog, self._mode, self._usage = catalog, mode, usage
        self._sessions, self._grant_of = sessions, grant_of
        self._accounts, self._tokens, self._links = Accounts(catalog), Tokens(catalog), Links(catalog)
        self._known: BoundedCache[Credentials, tuple[Principal, float]] = BoundedCache(CACHED)
        self._generation = -1

    def of(self, credentials: Credentials) -> Principal:
        """Raises CredentialsExpired for a sign-in or bearer token that is not valid; opened links are ignored when they
        have expired.
        """
        return self.proven(credentials)[0]

    def proven(self, credentials: Credentials) -> tuple[Principal, float]:
        """As ``of``, and until when (seconds of ``time.time``), if no rights are changed."""
        if self._mode == "local":
            return LOCAL_USER, FOREVER
        if credentials == NOTHING:
            return ANONYMOUS, FOREVER
        generation = self._catalog.generation()
        if generation != self._generation:
            self._known.clear()
            self._generation = generation
        now = time.time()
        principal, until = self._known.find(credentials) or (ANONYMOUS, 0.0)
        if now >= until:
            principal, until = self._look_up(credentials)
            if self._generation == generation:  # else another thread has noticed a change meanwhile
                self._known.put(credentials, (principal, until))
        self._usage.note((credentials.bearer, *credentials.links))
        return principal, until

    def _look_up(self, credentials: Credentials) -> tuple[Principal, float]:
        if self._mode == "grants" or is_grant(credentials.bearer):
            principal = self._grant_of(credentials.bearer) if self._grant_of and credentials.bearer else ANONYMOUS
            return principal, min((one.expires or 0.0 for one in principal.capabilities), default=FOREVER)
        principal, until = ANONYMOUS, FOREVER
        secret = credentials.bearer or credentials.sign_in
        links = credentials.links
        if secret.startswith(LINK_PREFIX):
            if self._links.capability(secret) is None:
                raise CredentialsExpired
            links = (*links, secret)
        elif secret:
            principal, until = self._user(secret)
        held = [self._links.capability(link) for link in dict.fromkeys(links)]
        sessions = self._sessions
        if credentials.guest and sessions is not None and (guest := sessions.guest_of(credentials.guest)):
            nickname, capability = guest
            held.append(capability)
            principal = guest_principal(nickname, capability.id) if principal is ANONYMOUS else principal
        if principal.user and sessions is not None:
            held.append(sessions.member_of(principal.id))
        capabilities = [one for one in held if one is not None]
        ends = [one.expires for one in capabilities if one.expires is not None]
        return principal.with_capabilities(*capabilities), min([until, *ends])

    def _user(self, secret: str) -> tuple[Principal, float]:
        token = self._tokens.holder(secret)
        if token is None:
            raise CredentialsExpired
        try:
            user = self._accounts.get(token.user_id)
        except UnknownUser as cause:
            raise CredentialsExpired from cause
        if user.disabled:
            raise CredentialsExpired
        principal = user_principal(user.id, user.title, user.role, user.groups)
        personal = token.kind == "personal"
        return replace(principal, by_token=personal, scopes=token.scopes), token.expires or FOREVER

"""Who is who in live sessions: accounts, and browsers known by a cookie (SE4, SE8)."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import uuid
from collections.abc import Callable

from wavescope.access.principal import Capability, Principal
from wavescope.catalog.sessions.records import SessionRecord
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.service.sessions.connection import Person

GUEST_SECONDS = 30 * 86400.0


class Participants:
    """The people of all sessions. ``clock``: seconds since 1970; ``lent``: the slides that a session lends."""

    def __init__(
        self, table: SessionTable, clock: Callable[[], float], lent: Callable[[SessionRecord], frozenset[str]]
    ) -> None:
        self._table, self._clock, self._lent = table, clock, lent

    async def of(self, principal: Principal, token: str | None) -> Person | None:
        """Who asks: by account, else by the cookie; None: nobody who was here before."""
        if principal.user:
            return Person(f"user:{principal.id}", "user", principal)
        guest = await asyncio.to_thread(self._table.guest, _digest(token)) if token else None
        if guest is None:
            return None
        return Person(f"guest:{guest}", "user" if principal.local else "guest", principal)

    async def newcomer(self, principal: Principal, token: str | None) -> tuple[Person, str | None]:
        """Who asks, and the token of a cookie that is to be set."""
        known = await self.of(principal, token)
        if known is not None:
            return known, None
        fresh, guest = secrets.token_urlsafe(32), uuid.uuid4().hex
        await asyncio.to_thread(self._table.add_guest, _digest(fresh), guest, self._clock() + GUEST_SECONDS)
        return Person(f"guest:{guest}", "user" if principal.local else "guest", principal), fresh

    def guest_of(self, token: str) -> tuple[str, Capability] | None:
        """The name and the rights of whoever has this cookie, for the gate; waits for SQL."""
        guest = self._table.guest(_digest(token))
        return None if guest is None else self._place_of(f"guest:{guest}")

    def member_of(self, user_id: str) -> Capability | None:
        """What an account may as a member of sessions; waits for SQL."""
        place = self._place_of(f"user:{user_id}")
        return place and place[1]

    def _place_of(self, identity: str) -> tuple[str, Capability] | None:
        """The name in the newest session, and the rights to the slides of all that have not ended (SE8)."""
        places = self._table.places_of(identity)
        if not places:
            return None
        annotating = all(record.annotating for record, _ in places)
        slides = frozenset(slide for record, _ in places for slide in self._lent(record))
        capability = Capability("session", identity, "annotate" if annotating else "view", slides)
        return places[-1][1], capability


def needs_no_account(principal: Principal) -> bool:
    """Whether somebody has an account already, or is the local user."""
    return principal.user or principal.local


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

"""Who takes part in live sessions, and with what rights (SE4, SE8): the users and guests behind the members."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from wavescope.access.principal import Capability, Principal, user_principal
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.sessions.records import SessionRecord, StoredMember
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.errors import UnknownUser
from wavescope.service.access.gate import Gate
from wavescope.sessions.events import AnyEvent, MemberChanged, MemberGone

USER = "user:"
GUEST = "guest:"


class Delegated(NamedTuple):
    """What a session opens to its members: slides, and the tour that is shown now."""

    slides: frozenset[str]
    tour: str | None


DelegatedTo = Callable[[SessionRecord], Delegated]


@dataclass(frozen=True)
class Person:
    """The user or guest behind a member: an account, or a browser known by a cookie."""

    identity: str  # user:ID or guest:ID
    kind: Literal["user", "guest"]
    principal: Principal


class MemberRecords:
    """Who is and was a member of one session, as stored.

    Former members stay in the list: their ids are not used again, and a removed member cannot join again.
    """

    def __init__(self, members: Iterable[StoredMember]) -> None:
        self._members = {one.member: one for one in members}

    def member_of(self, identity: str) -> str | None:
        """The member id of this identity; None if it is not a member."""
        return next((one.member for one in self._members.values() if one.identity == identity and not one.gone), None)

    def is_removed(self, identity: str) -> bool:
        """Whether the owner removed this identity from the session."""
        return any(one.identity == identity and one.gone == "removed" for one in self._members.values())

    def newcomer(self, identity: str, name: str) -> StoredMember:
        """The record of a new member, with an id that was never used."""
        number = 1 + max((int(one[1:]) for one in self._members), default=0)
        return StoredMember(f"m{number}", identity, name)

    def update(self, event: AnyEvent, joined: StoredMember | None = None) -> tuple[StoredMember, ...]:
        """Applies an event; returns the records that it changes. ``joined``: the member that joins with this event."""
        changed = joined
        if isinstance(event, MemberGone):
            changed = self._members[event.member]._replace(gone=event.reason)
        elif joined is None and isinstance(event, MemberChanged):
            known = self._members[event.member.id]
            present = known._replace(name=event.member.name, gone=None)  # also of a member that is readmitted
            changed = None if known == present else present
        if changed is None:
            return ()
        self._members[changed.member] = changed
        return (changed,)


class Participants:
    """The users and guests of all sessions. ``delegated``: what a session opens to its members;
    ``guest_seconds``: the time for which a guest is recognised.
    """

    def __init__(
        self,
        table: SessionTable,
        delegated: DelegatedTo,
        guest_seconds: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._table, self._delegated, self._guest_seconds, self._clock = table, delegated, guest_seconds, clock

    async def identify(self, principal: Principal, token: str | None) -> Person | None:
        """The user of an account, else the guest with this cookie; None: neither is known."""
        if principal.user:
            return Person(f"{USER}{principal.id}", "user", principal)
        guest = await asyncio.to_thread(self._table.guest, _digest(token)) if token else None
        return None if guest is None else _guest(principal, guest)

    async def identify_or_add(self, principal: Principal, token: str | None) -> tuple[Person, str | None]:
        """As ``identify``, with a new guest where nobody is known: then also the token of the cookie to be set."""
        known = await self.identify(principal, token)
        if known is not None:
            return known, None
        fresh, guest = secrets.token_urlsafe(32), uuid.uuid4().hex
        await asyncio.to_thread(self._table.add_guest, _digest(fresh), guest, self._clock() + self._guest_seconds)
        return _guest(principal, guest), fresh

    def guest_of(self, token: str) -> tuple[str, Capability] | None:
        """The name and the rights of the guest with this cookie, for the gate; waits for SQL."""
        guest = self._table.guest(_digest(token))
        return None if guest is None else self._rights_of(f"{GUEST}{guest}")

    def member_of(self, user_id: str) -> Capability | None:
        """The rights of an account as a member of sessions, for the gate; waits for SQL."""
        rights = self._rights_of(f"{USER}{user_id}")
        return rights and rights[1]

    def _rights_of(self, identity: str) -> tuple[str, Capability] | None:
        """The name in the newest session, and the rights to what all show that have not ended (SE8)."""
        memberships = self._table.memberships_of(identity)
        if not memberships:
            return None
        annotating = all(record.annotating for record, _ in memberships)
        delegated = [self._delegated(record) for record, _ in memberships]
        slides = frozenset(slide for one in delegated for slide in one.slides)
        tours = frozenset(one.tour for one in delegated if one.tour is not None)
        capability = Capability("session", identity, "annotate" if annotating else "view", slides, tours=tours)
        return memberships[-1][1], capability


class DelegatedAccess:
    """What a session lends to its members: the slides that an account of it may host, and the tour that one of them may
    view, in its own right (SE8). A right that comes only from a session does not count.
    """

    def __init__(
        self, table: SessionTable, accounts: Accounts, gate: Gate, is_tour_visible: Callable[[Principal, str], bool]
    ) -> None:
        self._table, self._accounts, self._gate, self._is_tour_visible = table, accounts, gate, is_tour_visible

    def __call__(self, record: SessionRecord) -> Delegated:
        """The session's slides and tour except what none of its accounts may show any more; waits for SQL."""
        wanted, slides, tour = set(record.slides), set[str](), None
        for identity in self._table.accounts_of(record):
            principal = self._principal(identity)
            if principal is None:
                continue
            slides |= {slide for slide in wanted - slides if self._gate(principal, "host session", slide)}
            if tour is None and record.tour is not None and self._is_tour_visible(principal, record.tour):
                tour = record.tour
            if slides == wanted and tour == record.tour:
                break
        return Delegated(frozenset(slides), tour)

    def _principal(self, identity: str) -> Principal | None:
        try:
            user = self._accounts.get(identity.removeprefix(USER))
        except UnknownUser:
            return None
        return None if user.disabled else user_principal(user.id, user.title, user.role, user.groups)


def delegate_all(record: SessionRecord) -> Delegated:
    """Without accounts a session lends all that it shows."""
    return Delegated(frozenset(record.slides), record.tour)


def needs_no_account(principal: Principal) -> bool:
    """Whether the principal is an account already, or the local user."""
    return principal.user or principal.local


def _guest(principal: Principal, guest: str) -> Person:
    return Person(f"{GUEST}{guest}", "user" if principal.local else "guest", principal)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

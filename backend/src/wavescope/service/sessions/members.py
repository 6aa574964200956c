"""Who stands behind the members of a room, present and past, as it is stored."""

from __future__ import annotations

from collections.abc import Iterable

from wavescope.catalog.sessions.records import StoredMember
from wavescope.sessions.events import AnyEvent, MemberChanged, MemberGone


class MemberRecords:
    """Keeps those who are gone too: their ids are not given again, and who was put out stays out."""

    def __init__(self, members: Iterable[StoredMember]) -> None:
        self._members = {one.member: one for one in members}

    def member_of(self, identity: str) -> str | None:
        """The member that somebody is."""
        return next((one.member for one in self._members.values() if one.identity == identity and not one.gone), None)

    def removed(self, identity: str) -> bool:
        """Whether somebody was put out."""
        return any(one.identity == identity and one.gone == "removed" for one in self._members.values())

    def newcomer(self, identity: str, name: str) -> StoredMember:
        """What somebody becomes who is no member yet."""
        number = 1 + max((int(one[1:]) for one in self._members), default=0)
        return StoredMember(f"m{number}", identity, name)

    def heed(self, event: AnyEvent, joined: StoredMember | None = None) -> tuple[StoredMember, ...]:
        """What an event changes, to be stored with it; ``joined``: who comes in by it."""
        changed = joined
        if isinstance(event, MemberGone):
            changed = self._members[event.member]._replace(gone=event.reason)
        elif joined is None and isinstance(event, MemberChanged):
            known = self._members[event.member.id]
            changed = None if known.name == event.member.name else known._replace(name=event.member.name)
        if changed is None:
            return ()
        self._members[changed.member] = changed
        return (changed,)

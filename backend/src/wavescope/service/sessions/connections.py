"""The connections of a room."""

from __future__ import annotations

from wavescope.service.sessions.connection import LEFT, NOT_A_MEMBER, REPLACED, Connection
from wavescope.sessions import limits


class Connections:
    """Who is connected, and by which connections."""

    def __init__(self) -> None:
        self._here: set[Connection] = set()

    def __bool__(self) -> bool:
        return bool(self._here)

    def all_of(self, member: str) -> tuple[Connection, ...]:
        """Also those that are being closed."""
        return tuple(one for one in self._here if one.member == member)

    def come(self, connection: Connection, member: str) -> None:
        """A member's connection; too many of one member cost it the oldest."""
        connection.member = member
        mine = [one for one in self.all_of(member) if one.closing is None]
        if len(mine) >= limits.CONNECTIONS:
            min(mine, key=lambda one: one.since).close(REPLACED)
        self._here.add(connection)

    def go(self, connection: Connection) -> bool:
        """A connection has ended, whoever ended it; whether it was the last of a member."""
        connection.close(LEFT)
        self._here.discard(connection)
        others = {one.member for one in self._here if one.closing is None}
        return bool(connection.member) and connection.member not in others

    async def recheck(self) -> None:
        """Closes whoever may not be in any more (SE30)."""
        for connection in list(self._here):
            person = await connection.recheck()
            if person is None or person.identity != connection.person.identity:
                connection.close(NOT_A_MEMBER)
            else:
                connection.person = person

"""Which slides a session lends: those that somebody of it may show in its own right (SE8)."""

from __future__ import annotations

from wavescope.access.principal import user_principal
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.sessions.records import SessionRecord
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.errors import UnknownUser
from wavescope.service.access.gate import Gate

USER = "user:"


def all_slides(record: SessionRecord) -> frozenset[str]:
    """Every slide of the session: without accounts there is nobody whose rights could end."""
    return frozenset(record.slides)


class DelegatedAccess:
    """Asks the gate about the accounts of a session; a right that only the session gives does not count."""

    def __init__(self, table: SessionTable, accounts: Accounts, gate: Gate) -> None:
        self._table, self._accounts, self._gate = table, accounts, gate

    def __call__(self, record: SessionRecord) -> frozenset[str]:
        """The session's slides without those that no account of it may host any more; waits for SQL."""
        wanted, lent = set(record.slides), set[str]()
        for identity in self._table.accounts_of(record):
            lent |= {slide for slide in wanted - lent if self._may_host(identity, slide)}
            if lent == wanted:
                break
        return frozenset(lent)

    def _may_host(self, identity: str, slide: str) -> bool:
        try:
            user = self._accounts.get(identity.removeprefix(USER))
        except UnknownUser:
            return False
        principal = user_principal(user.id, user.title, user.role, user.groups)
        return not user.disabled and self._gate(principal, "host session", slide)

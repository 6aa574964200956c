"""Second factors of accounts: encrypted secrets, the last step used, hashes of recovery codes (AC53 to AC59)."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, cast

from sqlalchemy import CursorResult, delete, func, or_, select, update
from sqlalchemy.orm import Session

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import SecondFactorRecord
from wavescope.catalog.tables import RecoveryCodeRow, SecondFactorRow, TokenRow


class SecondFactors:
    """The second factors of a catalog. Secrets come and go encrypted."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def get(self, user_id: str) -> SecondFactorRecord | None:
        """Of an account; None: never begun, or removed."""
        with self._catalog.reading() as session:
            row = session.get(SecondFactorRow, user_id)
            if row is None:
                return None
            codes = select(func.count()).select_from(RecoveryCodeRow).where(RecoveryCodeRow.user_id == user_id)
            return SecondFactorRecord(row.secret, row.pending, row.confirmed, session.scalar(codes) or 0)

    def begin(self, user_id: str, sealed: str) -> None:
        """Stores a secret that is not in use until it is confirmed."""
        with self._catalog.writing(rights=False) as session:
            row = session.get(SecondFactorRow, user_id)
            if row is None:
                row = SecondFactorRow(user_id=user_id, secret=None, last_step=0, confirmed=None)
                session.add(row)
            row.pending = sealed

    def confirm(self, user_id: str, pending: str, step: int, recovery: Iterable[str]) -> bool:
        """Puts the pending secret to use, if it is still this one; ends every sign-in of the account, not its tokens.

        ``step``: that of the code that confirmed it; ``recovery``: hashes.
        """
        change = (
            update(SecondFactorRow)
            .where(SecondFactorRow.user_id == user_id, SecondFactorRow.pending == pending)
            .values(secret=pending, pending=None, last_step=step, confirmed=time.time())
        )
        with self._catalog.writing() as session:
            if not _changed(session, change):
                return False
            _set_recovery(session, user_id, recovery)
            session.execute(delete(TokenRow).where(TokenRow.user_id == user_id, TokenRow.kind != "personal"))
            return True

    def use_step(self, user_id: str, sealed: str, step: int) -> bool:
        """Whether the step of this secret is later than all that were used; then it is the last one."""
        mine = (SecondFactorRow.user_id == user_id, SecondFactorRow.secret == sealed)
        change = update(SecondFactorRow).where(*mine, SecondFactorRow.last_step < step).values(last_step=step)
        with self._catalog.writing(rights=False) as session:
            return _changed(session, change)

    def use_recovery(self, user_id: str, hashed: str) -> bool:
        """Whether there was this recovery code; it is gone now."""
        mine = (RecoveryCodeRow.user_id == user_id, RecoveryCodeRow.hash == hashed)
        with self._catalog.writing(rights=False) as session:
            return _changed(session, delete(RecoveryCodeRow).where(*mine))

    def replace_recovery(self, user_id: str, hashes: Iterable[str]) -> None:
        """Other recovery codes; those before are not valid any more."""
        with self._catalog.writing(rights=False) as session:
            _set_recovery(session, user_id, hashes)

    def remove(self, user_id: str) -> bool:
        """With its recovery codes; whether there was one, in use or begun."""
        with self._catalog.writing() as session:
            session.execute(delete(RecoveryCodeRow).where(RecoveryCodeRow.user_id == user_id))
            there = or_(SecondFactorRow.secret.is_not(None), SecondFactorRow.pending.is_not(None))
            return _changed(session, delete(SecondFactorRow).where(SecondFactorRow.user_id == user_id, there))


def _changed(session: Session, statement: Any) -> bool:
    return cast("CursorResult[Any]", session.execute(statement)).rowcount > 0


def _set_recovery(session: Session, user_id: str, hashes: Iterable[str]) -> None:
    session.execute(delete(RecoveryCodeRow).where(RecoveryCodeRow.user_id == user_id))
    session.add_all(RecoveryCodeRow(hash=hashed, user_id=user_id) for hashed in hashes)

"""Admins import accounts (AC61)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import NewAccount, UserRecord
from wavescope.errors import TooLarge
from wavescope.service.access.credentials import CredentialChecker, require_sign_in
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.access.user_import import ImportLine, generated_password, read_lines


class UserImportService:
    """Accounts from a CSV file. ``limit``: accounts of one file; each password takes a moment to hash."""

    def __init__(self, catalog: Catalog, gate: Gate, checker: CredentialChecker, limit: int) -> None:
        self._accounts, self._gate, self._checker, self._limit = Accounts(catalog), gate, checker, limit

    async def preview(self, principal: Principal, text: str) -> tuple[ImportLine, ...]:
        """The accounts of a file, with what is wrong. Raises NotByToken, InvalidParameter, TooLarge."""
        require(self._gate, principal, "manage users")
        require_sign_in(principal, "make accounts")
        taken = {user.name for user in await asyncio.to_thread(self._accounts.list)}
        lines = await asyncio.to_thread(read_lines, text, taken)
        if len(lines) > self._limit:
            raise TooLarge("the number of accounts", len(lines), self._limit)
        return lines

    async def create(self, principal: Principal, text: str) -> tuple[tuple[UserRecord, ...], Mapping[str, str]]:
        """All accounts of the file or none, and the generated passwords by name.

        Raises NotByToken, AccountExists, TooLarge; InvalidParameter for the first line with a problem.
        """
        lines = await self.preview(principal, text)
        for line in lines:
            if line.problem is not None:
                raise line.problem
        generated = {line.name: generated_password() for line in lines if not line.password}
        hashed = await asyncio.gather(*(self._checker.hash(line.password or generated[line.name]) for line in lines))
        accounts = [
            NewAccount(line.name, line.title, line.known_role, password, line.groups)
            for line, password in zip(lines, hashed, strict=True)
        ]
        return await asyncio.to_thread(self._accounts.add_all, accounts), generated

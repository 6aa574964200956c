"""The second factor of one's own account, and its reset by admins (AC53, AC56, AC58)."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.tokens import SignedIn
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import UserRecord
from wavescope.errors import Forbidden, NoSecondFactor, SecondFactorRequired
from wavescope.service.access.accounts import AccountService
from wavescope.service.access.credentials import CredentialChecker, SignInAttempt, require_sign_in
from wavescope.service.access.factor_codes import Setup
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.events import Events


class FactorState(NamedTuple):
    """Whether an account has one; ``since``: seconds since 1970; ``required``: it cannot be turned off."""

    active: bool
    since: float | None
    recovery_codes: int
    required: bool


class SecondFactorService:
    """Everything that users and admins do with second factors."""

    def __init__(
        self, catalog: Catalog, gate: Gate, events: Events, checker: CredentialChecker, accounts: AccountService
    ) -> None:
        self._users, self._gate, self._events = Accounts(catalog), gate, events
        self._checker, self._factors, self._accounts = checker, checker.factors, accounts

    async def state(self, principal: Principal) -> FactorState:
        """Of the own account. Raises SignInRequired."""
        user = await self._accounts.own(principal)
        record = await self._factors.get(user.id)
        required = user.password is not None and self._factors.required(user)
        return FactorState(record.secret is not None, record.confirmed, record.recovery_codes, required)

    async def begin(self, principal: Principal, password: str, code: str | None) -> Setup:
        """A new secret; the second factor that there is stays in use until the new one is confirmed.

        Raises NotByToken, WrongCredentials, WrongCode, SecondFactorRequired, TooManyRequests; Forbidden without a
        password.
        """
        return await self._factors.begin(await self._proved(principal, password, code, "set up a second factor"))

    async def begin_at_sign_in(self, name: str, password: str) -> tuple[UserRecord, Setup]:
        """The same for an account that cannot sign in without a second factor and has none.

        Raises WrongCredentials, SecondFactorRequired, TooManyRequests; Forbidden if it can sign in.
        """

        async def needed(user: UserRecord) -> None:
            if user.second_factor:
                raise SecondFactorRequired
            if not self._factors.required(user):
                raise Forbidden("set up a second factor without signing in")

        user = await self._checker.prove(SignInAttempt(name, password), needed)
        return user, await self._factors.begin(user)

    async def confirm(self, principal: Principal, code: str) -> tuple[tuple[str, ...], SignedIn]:
        """Turns it on; the recovery codes, and a new sign-in: all others end.

        Raises NotByToken, WrongCode, TooManyRequests.
        """
        user = await self._accounts.own(principal)
        require_sign_in(principal, "set up a second factor")
        codes = await self._checker.confirm(user, code)
        self._events.rights_revoked.announce()
        return codes, await self._accounts.let_in(user.id)

    async def new_recovery(self, principal: Principal, password: str, code: str | None) -> tuple[str, ...]:
        """Other recovery codes. Raises as ``begin``; NoSecondFactor."""
        user = await self._proved(principal, password, code, "make recovery codes")
        if not user.second_factor:
            raise NoSecondFactor
        return await self._factors.new_recovery(user)

    async def turn_off(self, principal: Principal, password: str, code: str | None) -> None:
        """Raises as ``begin``; NoSecondFactor; Forbidden if the account needs one."""
        user = await self._proved(principal, password, code, "turn off the second factor")
        if self._factors.required(user):
            raise Forbidden("turn off a second factor that this service requires")
        if not await self._factors.remove(user.id):
            raise NoSecondFactor

    async def reset(self, principal: Principal, user_id: str) -> UserRecord:
        """An admin removes that of another user. Raises NotByToken, UnknownUser, NoSecondFactor, Forbidden."""
        require(self._gate, principal, "manage users")
        require_sign_in(principal, "reset a second factor")
        if user_id == principal.id:
            raise Forbidden("reset the own second factor; turn it off with the password and a code")
        user = await asyncio.to_thread(self._users.get, user_id)
        if not await self._factors.remove(user_id):
            raise NoSecondFactor
        return user

    async def _proved(self, principal: Principal, password: str, code: str | None, action: str) -> UserRecord:
        user = await self._accounts.own(principal)
        require_sign_in(principal, action)
        if user.password is None:
            raise Forbidden(f"{action}: the provider signs this account in")
        return await self._checker.prove(SignInAttempt(user.name, password, code))

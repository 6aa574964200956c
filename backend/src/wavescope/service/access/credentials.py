"""Proving an account by its password and the code of its second factor. Wrong ones are counted alike (OP15, AC55)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import UserRecord
from wavescope.config import Config
from wavescope.errors import NotByToken, WrongCode, WrongCredentials
from wavescope.service.access.audit import CLIENT
from wavescope.service.access.factor_codes import FactorCodes
from wavescope.service.access.gate import Principal
from wavescope.service.access.limiter import SharedLimiter
from wavescope.service.access.passwords import NO_ACCOUNT, hash_password, verified
from wavescope.service.access.sign_in_attempts import SignInAttempts

CHECKS = 2  # passwords hashed at one time: each takes 64 MiB

Step = Callable[[UserRecord], Awaitable[None]]
"""What must hold beyond the password."""


class SignInAttempt(NamedTuple):
    """What proves an account; ``code``: of its second factor."""

    name: str
    password: str
    code: str | None = None


class CredentialChecker:
    """Checks passwords and codes, at most CHECKS at one time."""

    def __init__(self, catalog: Catalog, config: Config, limiter: SharedLimiter) -> None:
        rate = config.rates.rate_account_failures if config.rate_limits else ""
        self._attempts = SignInAttempts(rate, limiter)
        self._accounts, self.factors = Accounts(catalog), FactorCodes(catalog, config)
        self._turn = asyncio.Semaphore(CHECKS)

    async def prove(self, attempt: SignInAttempt, step: Step | None = None) -> UserRecord:
        """The account of the attempt. ``step`` runs after the right password, by default it checks the code.

        Raises WrongCredentials, which says nothing of why; WrongCode, SecondFactorRequired, TooManyRequests; what
        ``step`` raises.
        """
        async with self._turn:  # so that requests at one time do not all pass the check
            await self._attempts.check(attempt.name, CLIENT.get())
            try:
                user = await self._by_password(attempt)
                await (self.factors.check(user, attempt.code) if step is None else step(user))
            except (WrongCredentials, WrongCode):
                await self._attempts.rejected(attempt.name, CLIENT.get())
                raise
        return user

    async def confirm(self, user: UserRecord, code: str) -> tuple[str, ...]:
        """Turns on the second factor that was begun; its recovery codes. Raises WrongCode, TooManyRequests."""
        async with self._turn:
            await self._attempts.check(user.name, CLIENT.get())
            try:
                return await self.factors.confirm(user, code)
            except WrongCode:
                await self._attempts.rejected(user.name, CLIENT.get())
                raise

    def succeeded(self, name: str) -> None:
        """The account is signed in to from the address of this request."""
        self._attempts.succeeded(name, CLIENT.get())

    async def hash(self, password: str) -> str:
        """What is stored of a password. Raises InvalidParameter."""
        async with self._turn:
            return await asyncio.to_thread(hash_password, password)

    async def _by_password(self, attempt: SignInAttempt) -> UserRecord:
        user = await asyncio.to_thread(self._accounts.named, attempt.name)
        hashed = user.password if user and user.password else NO_ACCOUNT
        right = await asyncio.to_thread(verified, hashed, attempt.password)
        if user is None or user.password is None or user.disabled or not right:
            raise WrongCredentials
        return user


def require_sign_in(principal: Principal, action: str) -> None:
    """Raises NotByToken: what a stolen token could make would outlive it (AC48)."""
    if principal.by_token:
        raise NotByToken(action)

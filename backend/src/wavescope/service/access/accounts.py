"""Signing in and out, one's own account, and the admins' view of all accounts (AC30 to AC36)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from wavescope.access.principal import DEFAULT_SCOPES, SCOPES, Role, TokenScope
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.tokens import SignedIn, Tokens
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import AccountChange, Ended, GroupRecord, TokenRecord, UserRecord
from wavescope.config import Config
from wavescope.errors import CredentialsExpired, Forbidden, PasswordChangeRequired, UnknownToken, WrongCredentials
from wavescope.service.access.credentials import CredentialChecker, SignInAttempt, require_sign_in
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.access.passwords import check_password
from wavescope.service.access.usage import UsageTracker
from wavescope.service.events import Events

FOUND = 20  # users found by one search


class Entered(NamedTuple):
    """A new sign-in; ``recovery_codes``: if it has turned a second factor on."""

    user: UserRecord
    signed_in: SignedIn
    recovery_codes: tuple[str, ...] = ()


class AccountService:
    """Everything about accounts."""

    def __init__(
        self,
        catalog: Catalog,
        gate: Gate,
        config: Config,
        events: Events,
        usage: UsageTracker,
        checker: CredentialChecker,
    ) -> None:
        self._accounts, self._tokens, self._gate = Accounts(catalog), Tokens(catalog), gate
        self._config, self._events, self._usage = config, events, usage
        self._checker, self._factors = checker, checker.factors

    # -- signing in

    async def sign_in(self, attempt: SignInAttempt, new: str | None = None) -> Entered:
        """``new``: the password that replaces one given for the first sign-in; else ignored (AC51).

        Raises WrongCredentials, which says nothing of why; WrongCode, SecondFactorRequired, SecondFactorSetupRequired,
        TooManyRequests, PasswordChangeRequired, InvalidParameter.
        """
        codes: tuple[str, ...] = ()

        async def complete(user: UserRecord) -> None:
            nonlocal codes
            if user.must_change:  # before the code, which is valid once
                if new is None or new == attempt.password:
                    raise PasswordChangeRequired
                check_password(new)
            codes = await self._factors.enter(user, attempt.code)

        user = await self._checker.prove(attempt, complete)
        self._checker.succeeded(attempt.name)
        if user.must_change and new is not None:
            await self._set_password(user.id, new, keep_tokens=False)
        return Entered(user, await self.let_in(user.id), codes)

    async def let_in(self, user_id: str) -> SignedIn:
        """The secrets of a new sign-in of an authenticated user."""
        lives = self._config.sign_in_seconds, self._config.renew_seconds
        return await asyncio.to_thread(self._tokens.sign_in, user_id, *lives)

    async def renew(self, secret: str) -> SignedIn:
        """New secrets for old ones. Raises CredentialsExpired, also for an account that must change its password or set
        up a second factor first (AC51, AC56).
        """
        user_id = await asyncio.to_thread(self._tokens.user_of, secret)
        user = None if user_id is None else await asyncio.to_thread(self._accounts.get, user_id)
        if user and not user.external and (user.must_change or self._factors.missing(user)):
            raise CredentialsExpired
        lives = self._config.sign_in_seconds, self._config.renew_seconds
        try:
            return await asyncio.to_thread(self._tokens.renew, secret, *lives)
        except UnknownToken as cause:
            raise CredentialsExpired from cause

    async def sign_out(self, secret: str) -> None:
        await asyncio.to_thread(self._tokens.sign_out, secret)
        self._events.rights_revoked.announce()

    # -- one's own account

    async def own(self, principal: Principal) -> UserRecord:
        """Also of a token, whatever its scopes. Raises SignInRequired."""
        require(self._gate, replace(principal, scopes=frozenset(SCOPES)), "own account")
        return await asyncio.to_thread(self._accounts.get, principal.id)

    async def change_password(
        self, principal: Principal, old: str, new: str, code: str | None = None, *, keep_tokens: bool
    ) -> tuple[SignedIn, Ended]:
        """Ends every sign-in of the user, and the tokens unless ``keep_tokens``, and begins a new sign-in.

        The sign-in of this request is not counted as ended. Raises NotByToken, WrongCredentials, WrongCode,
        SecondFactorRequired, TooManyRequests, InvalidParameter.
        """
        user = await self.own(principal)
        require_sign_in(principal, "change the password")
        if user.password is None:
            raise WrongCredentials

        async def complete(user: UserRecord) -> None:
            check_password(new)  # before the code, which is valid once
            await self._factors.check(user, code)

        await self._checker.prove(SignInAttempt(user.name, old), complete)
        ended = await self._set_password(user.id, new, keep_tokens)
        return await self.let_in(user.id), _of_others(ended)

    async def tokens(self, principal: Principal) -> tuple[TokenRecord, ...]:
        """Personal tokens, with their last uses until now."""
        require(self._gate, principal, "own account")
        await asyncio.to_thread(self._usage.write)
        return await asyncio.to_thread(self._tokens.list, principal.id)

    async def new_token(
        self, principal: Principal, title: str, days: int | None, scopes: Collection[TokenScope] = DEFAULT_SCOPES
    ) -> tuple[str, TokenRecord]:
        """A token for scripts. Raises SignInRequired, NotByToken, InvalidParameter, TooLarge."""
        user = await self.own(principal)
        require_sign_in(principal, "make a token")
        expires = None if days is None else time.time() + days * 86400
        return await asyncio.to_thread(self._tokens.personal, user.id, title, expires, scopes)

    async def revoke_token(self, principal: Principal, token_id: str) -> None:
        """Raises UnknownToken."""
        require(self._gate, principal, "own account")
        await asyncio.to_thread(self._tokens.revoke, principal.id, token_id)
        self._events.rights_revoked.announce()

    # -- all users and groups

    async def find_users_and_groups(
        self, principal: Principal, search: str
    ) -> tuple[tuple[UserRecord, ...], tuple[GroupRecord, ...]]:
        """Users and groups to share with, whose names contain the text."""
        require(self._gate, principal, "find people")
        users = await asyncio.to_thread(self._accounts.find, search, FOUND)
        groups = await asyncio.to_thread(self._accounts.groups)
        word = search.strip().casefold()
        return users, tuple(group for group in groups if word in group.name.casefold())[:FOUND]

    async def users(self, principal: Principal) -> tuple[UserRecord, ...]:
        require(self._gate, principal, "manage users")
        return await asyncio.to_thread(self._accounts.list)

    async def add_user(
        self, principal: Principal, name: str, title: str, role: Role, password: str, *, must_change: bool
    ) -> UserRecord:
        """Raises NotByToken, InvalidParameter, AccountExists."""
        require(self._gate, principal, "manage users")
        require_sign_in(principal, "make an account")
        adding = partial(self._accounts.add, name, title, role, await self._checker.hash(password))
        return await asyncio.to_thread(partial(adding, must_change=must_change))

    async def change_user(self, principal: Principal, user_id: str, change: AccountChange) -> UserRecord:
        """Raises UnknownUser, InvalidParameter, AccountExists, LastAdmin."""
        require(self._gate, principal, "manage users")
        user = await asyncio.to_thread(partial(self._accounts.change, user_id, **vars(change)))
        self._events.rights_revoked.announce()
        return user

    async def reset_password(
        self, principal: Principal, user_id: str, password: str, *, keep_tokens: bool, must_change: bool
    ) -> Ended:
        """An admin sets the password of another user; the own one needs the old one (AC62).

        Raises NotByToken, UnknownUser, InvalidParameter, Forbidden.
        """
        require(self._gate, principal, "manage users")
        require_sign_in(principal, "reset a password")
        if user_id == principal.id:
            raise Forbidden("reset the own password; change it in the account with the old one")
        return await self._set_password(user_id, password, keep_tokens, must_change=must_change)

    async def groups(self, principal: Principal) -> tuple[GroupRecord, ...]:
        require(self._gate, principal, "manage users")
        return await asyncio.to_thread(self._accounts.groups)

    async def add_group(self, principal: Principal, name: str) -> GroupRecord:
        """Raises InvalidParameter, AccountExists."""
        require(self._gate, principal, "manage users")
        return await asyncio.to_thread(self._accounts.add_group, name)

    async def change_group(
        self, principal: Principal, group_id: str, name: str | None, members: Sequence[str] | None
    ) -> GroupRecord:
        """Raises UnknownGroup, UnknownUser, InvalidParameter, AccountExists."""
        require(self._gate, principal, "manage users")
        group = await asyncio.to_thread(self._accounts.change_group, group_id, name, members)
        self._events.rights_revoked.announce()
        return group

    async def delete_group(self, principal: Principal, group_id: str) -> str:
        """Returns its name. Raises UnknownGroup."""
        require(self._gate, principal, "manage users")
        name = await asyncio.to_thread(self._accounts.delete_group, group_id)
        self._events.rights_revoked.announce()
        return name

    async def _set_password(
        self, user_id: str, password: str, keep_tokens: bool, *, must_change: bool = False
    ) -> Ended:
        setting = partial(self._accounts.set_password, user_id, await self._checker.hash(password))
        setting = partial(setting, keep_tokens=keep_tokens, must_change=must_change)
        ended = await asyncio.to_thread(setting)
        self._events.rights_revoked.announce()
        return ended


def _of_others(ended: Ended) -> Ended:
    """Without the sign-in of this request, which continues as a new one."""
    return ended._replace(sign_ins=max(0, ended.sign_ins - 1))

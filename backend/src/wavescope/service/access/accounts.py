"""Signing in and out, one's own account, and the admins' view of all accounts (AC30 to AC36)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from wavescope.access.principal import Role
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.tokens import SignedIn, Tokens
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import Ended, GroupRecord, TokenRecord, UserRecord
from wavescope.config import Config
from wavescope.errors import (
    CredentialsExpired,
    InvalidParameter,
    NotByToken,
    PasswordChangeRequired,
    UnknownToken,
    WrongCredentials,
)
from wavescope.service.access.audit import CLIENT
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.access.last_uses import LastUses
from wavescope.service.access.sign_in_attempts import SignInAttempts
from wavescope.service.events import Events

SHORTEST, LONGEST = 10, 256  # characters of a password
CHECKS = 2  # passwords hashed at one time: each takes 64 MiB
FOUND = 20  # users found by one search

_hasher = PasswordHasher()
# Checked where there is no account, so that it takes as long: of no password, written and not computed at each start.
_no_account = (
    f"$argon2id$v={ARGON2_VERSION}$m={_hasher.memory_cost},t={_hasher.time_cost},p={_hasher.parallelism}"
    f"${'A' * 22}${'A' * 43}"
)


class AccountService:
    """Everything about accounts."""

    def __init__(self, catalog: Catalog, gate: Gate, config: Config, events: Events, last_uses: LastUses) -> None:
        self._accounts, self._tokens, self._gate = Accounts(catalog), Tokens(catalog), gate
        self._config, self._events, self._last_uses = config, events, last_uses
        self._turn = asyncio.Semaphore(CHECKS)
        rate = config.rates.rate_account_failures if config.rate_limits else ""
        self._attempts = SignInAttempts(rate, config.rate_storage)

    # -- signing in

    async def sign_in(self, name: str, password: str, new: str | None = None) -> tuple[UserRecord, SignedIn]:
        """``new``: the password that replaces one given for the first sign-in; else ignored (AC51).

        Raises WrongCredentials, which says nothing of why; TooManyRequests, PasswordChangeRequired, InvalidParameter.
        """
        address = CLIENT.get()
        async with self._turn:  # so that requests at one time do not all pass the check
            await self._attempts.check(name, address)
            user = await asyncio.to_thread(self._accounts.named, name)
            hashed = user.password if user and user.password else _no_account
            right = await asyncio.to_thread(verified, hashed, password)
            if user is None or user.password is None or user.disabled or not right:
                await self._attempts.refused(name, address)
                raise WrongCredentials
        self._attempts.succeeded(name, address)
        if user.must_change:
            if new is None or new == password:
                raise PasswordChangeRequired
            await self._set_password(user.id, new, keep_tokens=False)
        return user, await self.let_in(user.id)

    async def let_in(self, user_id: str) -> SignedIn:
        """The secrets of a new sign-in of an authenticated user."""
        lives = self._config.sign_in_seconds, self._config.renew_seconds
        return await asyncio.to_thread(self._tokens.sign_in, user_id, *lives)

    async def renew(self, secret: str) -> SignedIn:
        """New secrets for old ones. Raises CredentialsExpired."""
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
        """Raises SignInRequired."""
        require(self._gate, principal, "own account")
        return await asyncio.to_thread(self._accounts.get, principal.id)

    async def change_password(
        self, principal: Principal, old: str, new: str, *, keep_tokens: bool
    ) -> tuple[SignedIn, Ended]:
        """Ends every sign-in of the user, and the tokens unless ``keep_tokens``, and begins a new sign-in.

        The sign-in of this request is not counted as ended. Raises NotByToken, WrongCredentials, InvalidParameter.
        """
        user = await self.own(principal)
        _require_sign_in(principal, "change the password")
        if user.password is None or not await self._verify(user.password, old):
            raise WrongCredentials
        ended = await self._set_password(user.id, new, keep_tokens)
        return await self.let_in(user.id), _of_others(ended)

    async def tokens(self, principal: Principal) -> tuple[TokenRecord, ...]:
        """Personal tokens, with their last uses until now."""
        require(self._gate, principal, "own account")
        await asyncio.to_thread(self._last_uses.write)
        return await asyncio.to_thread(self._tokens.list, principal.id)

    async def new_token(self, principal: Principal, title: str, days: int | None) -> tuple[str, TokenRecord]:
        """A token for scripts. Raises SignInRequired, NotByToken, InvalidParameter, TooLarge."""
        user = await self.own(principal)
        _require_sign_in(principal, "make a token")
        expires = None if days is None else time.time() + days * 86400
        return await asyncio.to_thread(self._tokens.personal, user.id, title, expires)

    async def revoke_token(self, principal: Principal, token_id: str) -> None:
        """Raises UnknownToken."""
        require(self._gate, principal, "own account")
        await asyncio.to_thread(self._tokens.revoke, principal.id, token_id)
        self._events.rights_revoked.announce()

    # -- all users and groups

    async def people(self, principal: Principal, search: str) -> tuple[tuple[UserRecord, ...], tuple[GroupRecord, ...]]:
        """Users and groups to share with, whose names contain the text."""
        require(self._gate, principal, "find people")
        users = await asyncio.to_thread(self._accounts.find, search, FOUND)
        groups = await asyncio.to_thread(self._accounts.groups)
        word = search.strip().casefold()
        return users, tuple(group for group in groups if word in group.name.casefold())[:FOUND]

    async def users(self, principal: Principal) -> tuple[UserRecord, ...]:
        require(self._gate, principal, "manage users")
        return await asyncio.to_thread(self._accounts.list)

    async def add_user(self, principal: Principal, name: str, title: str, role: Role, password: str) -> UserRecord:
        """Raises NotByToken, InvalidParameter, AccountExists."""
        require(self._gate, principal, "manage users")
        _require_sign_in(principal, "make an account")
        hashed = await asyncio.to_thread(hash_password, password)
        return await asyncio.to_thread(self._accounts.add, name, title, role, hashed)

    async def change_user(
        self,
        principal: Principal,
        user_id: str,
        title: str | None,
        role: Role | None,
        disabled: bool | None,
    ) -> UserRecord:
        """Changes what is not None. Raises UnknownUser, InvalidParameter, LastAdmin."""
        require(self._gate, principal, "manage users")
        changed = partial(self._accounts.change, user_id, title=title, role=role, disabled=disabled)
        user = await asyncio.to_thread(changed)
        self._events.rights_revoked.announce()
        return user

    async def reset_password(
        self, principal: Principal, user_id: str, password: str, *, keep_tokens: bool
    ) -> tuple[SignedIn | None, Ended]:
        """An admin sets the password of a user; if it is the own one, a new sign-in begins, as in ``change_password``.

        Raises NotByToken, UnknownUser, InvalidParameter.
        """
        require(self._gate, principal, "manage users")
        _require_sign_in(principal, "reset a password")
        ended = await self._set_password(user_id, password, keep_tokens)
        if user_id != principal.id:
            return None, ended
        return await self.let_in(user_id), _of_others(ended)

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

    async def delete_group(self, principal: Principal, group_id: str) -> None:
        """Raises UnknownGroup."""
        require(self._gate, principal, "manage users")
        await asyncio.to_thread(self._accounts.delete_group, group_id)
        self._events.rights_revoked.announce()

    async def _set_password(self, user_id: str, password: str, keep_tokens: bool) -> Ended:
        hashed = await asyncio.to_thread(hash_password, password)
        setting = partial(self._accounts.set_password, user_id, hashed, keep_tokens=keep_tokens)
        ended = await asyncio.to_thread(setting)
        self._events.rights_revoked.announce()
        return ended

    async def _verify(self, hashed: str, password: str) -> bool:
        async with self._turn:
            return await asyncio.to_thread(verified, hashed, password)


def _require_sign_in(principal: Principal, action: str) -> None:
    """Raises NotByToken: what a stolen token could make would outlive it (AC48)."""
    if principal.by_token:
        raise NotByToken(action)


def _of_others(ended: Ended) -> Ended:
    """Without the sign-in of this request, which continues as a new one."""
    return ended._replace(sign_ins=max(0, ended.sign_ins - 1))


def hash_password(password: str) -> str:
    """What is stored of a password (argon2id). Raises InvalidParameter, which does not repeat it."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InvalidParameter("password", "..." if password else "", f"{SHORTEST} to {LONGEST} characters")
    return _hasher.hash(password)


def verified(hashed: str, password: str) -> bool:
    """Whether the password is the one that was hashed."""
    try:
        return _hasher.verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False

"""Codes of second factors: checked, each once, and confirmed (AC53 to AC56). No rights, no counting."""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

from wavescope.access.second_factor import (
    Required,
    new_recovery_codes,
    new_secret,
    plain,
    recovery_hash,
    setup_uri,
    step_of,
)
from wavescope.catalog.access.sealing_key import SealingKey
from wavescope.catalog.access.second_factors import SecondFactors
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import SecondFactorRecord, UserRecord
from wavescope.config import Config
from wavescope.errors import SecondFactorRequired, SecondFactorSetupRequired, WrongCode

NONE = SecondFactorRecord(None, None, None, 0)


class Setup(NamedTuple):
    """What an authenticator app needs; ``uri`` contains the secret."""

    secret: str
    uri: str


class FactorCodes:
    """The second factors of the accounts of a service."""

    def __init__(self, catalog: Catalog, config: Config) -> None:
        self._factors, self._key = SecondFactors(catalog), SealingKey(catalog, config.store)
        self._required: Required = config.second_factor  # type: ignore[assignment]

    def required(self, user: UserRecord) -> bool:
        """Whether the account cannot sign in by password without one."""
        return self._required == "all" or (self._required == "admins" and user.role == "admin")

    async def get(self, user_id: str) -> SecondFactorRecord:
        """Of an account, with or without one."""
        return await asyncio.to_thread(self._factors.get, user_id) or NONE

    def missing(self, user: UserRecord) -> bool:
        """Whether the account must set one up."""
        return self.required(user) and not user.second_factor

    async def begin(self, user: UserRecord) -> Setup:
        """A new secret, which is not in use before a code of it is confirmed."""
        secret = new_secret()
        sealed = await asyncio.to_thread(self._key.seal, secret)
        await asyncio.to_thread(self._factors.begin, user.id, sealed)
        return Setup(secret, setup_uri(secret, user.name))

    async def enter(self, user: UserRecord, code: str | None) -> tuple[str, ...]:
        """What a sign-in needs beyond the password; the recovery codes if this turned the second factor on.

        Raises SecondFactorRequired, SecondFactorSetupRequired, WrongCode.
        """
        record = await self.get(user.id)
        if record.secret is not None:
            await self.check(user, code)
        elif self.required(user):
            if not code or record.pending is None:
                raise SecondFactorSetupRequired
            return await self.confirm(user, code)
        return ()

    async def check(self, user: UserRecord, code: str | None) -> None:
        """Uses up a code, of the app or for recovery; nothing without a second factor.

        Raises SecondFactorRequired without a code; WrongCode.
        """
        sealed = (await self.get(user.id)).secret
        if sealed is None:
            return
        if not code:
            raise SecondFactorRequired
        step = await self._step(sealed, code)
        if step is not None:
            used = await asyncio.to_thread(self._factors.use_step, user.id, sealed, step)
        else:
            used = await asyncio.to_thread(self._factors.use_recovery, user.id, recovery_hash(user.id, code))
        if not used:
            raise WrongCode

    async def confirm(self, user: UserRecord, code: str) -> tuple[str, ...]:
        """Puts the secret that was begun to use; new recovery codes, which are not stored. Raises WrongCode."""
        pending = (await self.get(user.id)).pending
        step = None if pending is None else await self._step(pending, code)
        if pending is None or step is None:
            raise WrongCode
        codes = new_recovery_codes()
        hashes = [recovery_hash(user.id, one) for one in codes]
        if not await asyncio.to_thread(self._factors.confirm, user.id, pending, step, hashes):
            raise WrongCode
        return codes

    async def new_recovery(self, user: UserRecord) -> tuple[str, ...]:
        """Other recovery codes; those before are not valid any more."""
        codes = new_recovery_codes()
        hashes = [recovery_hash(user.id, one) for one in codes]
        await asyncio.to_thread(self._factors.replace_recovery, user.id, hashes)
        return codes

    async def remove(self, user_id: str) -> bool:
        """Whether there was one."""
        return await asyncio.to_thread(self._factors.remove, user_id)

    async def _step(self, sealed: str, code: str) -> int | None:
        secret = await asyncio.to_thread(self._key.unseal, sealed)
        return step_of(secret, plain(code), time.time())

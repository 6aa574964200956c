"""Finding a session by its code and checking its passcode, with a limit on wrong attempts (SE5, SE7)."""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHash
from limits import RateLimitItem, parse

from wavescope.catalog.sessions.records import SessionRecord
from wavescope.errors import TooManyRequests, UnknownSession, WrongPasscode
from wavescope.service.access.limiter import MEMORY, SharedLimiter
from wavescope.service.sessions.persistence import SessionStore
from wavescope.sessions.codes import read_code

WRONG_CODES = parse("600/10 minutes")  # of all clients
WRONG_PASSCODES = parse("100/10 minutes")  # for one session

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


class AttemptLimiter:
    """Counts wrong attempts of all clients, at all nodes if they count together (CL15); the rate limits of the API
    count per client.
    """

    def __init__(self, what: str, limit: RateLimitItem, limiter: SharedLimiter) -> None:
        self._what, self._limit, self._limiter = what, limit, limiter

    async def check(self, *key: str) -> None:
        """Raises TooManyRequests while there are too many wrong attempts in this window."""
        if not await self._limiter.test(self._limit, self._what, *key):
            raise TooManyRequests(self._what, await self._limiter.wait(self._limit, self._what, *key))

    async def miss(self, *key: str) -> None:
        """Counts one wrong attempt."""
        await self._limiter.hit(self._limit, self._what, *key)


class Admission:
    """Checks codes and passcodes. ``limiter``: counts wrong ones; None: in this process alone."""

    def __init__(self, store: SessionStore, limiter: SharedLimiter | None = None) -> None:
        self._store, limiter = store, limiter or SharedLimiter(MEMORY)
        self.codes = AttemptLimiter("session codes", WRONG_CODES, limiter)
        self._passcodes = AttemptLimiter("passcodes", WRONG_PASSCODES, limiter)

    async def find(self, text: str) -> SessionRecord:
        """The session whose code a user typed. Raises UnknownSession, TooManyRequests."""
        await self.codes.check()
        code = read_code(text)
        record = await self._store.find_by_code(code) if code else None
        if record is None:
            await self.codes.miss()
            raise UnknownSession
        return record

    async def id_of(self, text: str) -> str | None:
        """The id of the session with this code, to pass the request on; ``find`` counts wrong ones.

        Raises TooManyRequests.
        """
        await self.codes.check()
        code = read_code(text)
        record = await self._store.find_by_code(code) if code else None
        return None if record is None else record.id

    async def check_passcode(self, record: SessionRecord, passcode: str | None) -> None:
        """Raises WrongPasscode, TooManyRequests."""
        if record.passcode is None:
            return
        await self._passcodes.check(record.id)
        if passcode is None or not await _matches(record.passcode, passcode):
            await self._passcodes.miss(record.id)
            raise WrongPasscode


async def hash_passcode(passcode: str) -> str:
    """The argon2id hash that is stored; computed in a thread."""
    return await asyncio.to_thread(_HASHER.hash, passcode)


async def _matches(hashed: str, passcode: str) -> bool:
    def verify() -> bool:
        try:
            _HASHER.verify(hashed, passcode)
        except (Argon2Error, InvalidHash):
            return False
        return True

    return await asyncio.to_thread(verify)

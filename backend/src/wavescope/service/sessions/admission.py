"""Finding a session by its code and checking its passcode, with a limit on wrong attempts (SE5, SE7)."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHash

from wavescope.catalog.sessions.records import SessionRecord
from wavescope.errors import TooManyRequests, UnknownSession, WrongPasscode
from wavescope.service.sessions.persistence import SessionStore
from wavescope.sessions.codes import read_code

WINDOW = 600.0  # seconds
WRONG_CODES = 600  # of all clients, in one window
WRONG_PASSCODES = 100  # for one session, in one window

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


class AttemptLimiter:
    """Counts wrong attempts of all clients in windows of ten minutes; the rate limits of the API count per client."""

    def __init__(self, what: str, most: int, clock: Callable[[], float]) -> None:
        self._what, self._most, self._clock = what, most, clock
        self._window_start = 0.0
        self._missed = 0

    def check(self) -> None:
        """Raises TooManyRequests while there are too many wrong attempts in this window."""
        left = self._window_start + WINDOW - self._clock()
        if left <= 0:
            self._missed = 0
        elif self._missed >= self._most:
            raise TooManyRequests(self._what, int(left) + 1)

    def miss(self) -> None:
        """Counts one wrong attempt."""
        if self._missed == 0:
            self._window_start = self._clock()
        self._missed += 1


class Admission:
    """Checks codes and passcodes. ``clock``: seconds since 1970."""

    def __init__(self, store: SessionStore, clock: Callable[[], float]) -> None:
        self._store = store
        self.codes = AttemptLimiter("session codes", WRONG_CODES, clock)
        self._passcodes: defaultdict[str, AttemptLimiter] = defaultdict(
            lambda: AttemptLimiter("passcodes", WRONG_PASSCODES, clock)
        )

    async def find(self, text: str) -> SessionRecord:
        """The session whose code a user typed. Raises UnknownSession, TooManyRequests."""
        self.codes.check()
        code = read_code(text)
        record = await self._store.find_by_code(code) if code else None
        if record is None:
            self.codes.miss()
            raise UnknownSession
        return record

    async def id_of(self, text: str) -> str | None:
        """The id of the session with this code, to pass the request on; ``find`` counts wrong ones.

        Raises TooManyRequests.
        """
        self.codes.check()
        code = read_code(text)
        record = await self._store.find_by_code(code) if code else None
        return None if record is None else record.id

    async def check_passcode(self, record: SessionRecord, passcode: str | None) -> None:
        """Raises WrongPasscode, TooManyRequests."""
        if record.passcode is None:
            return
        attempts = self._passcodes[record.id]
        attempts.check()
        if passcode is None or not await _matches(record.passcode, passcode):
            attempts.miss()
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

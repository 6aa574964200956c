"""Passcodes are kept as argon2id and compared in a thread (SE7)."""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHash

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


async def hashed(passcode: str) -> str:
    """What is kept of a passcode."""
    return await asyncio.to_thread(_HASHER.hash, passcode)


async def fits(kept: str, passcode: str) -> bool:
    """Whether this is the passcode of which that was kept."""

    def compare() -> bool:
        try:
            _HASHER.verify(kept, passcode)
        except (Argon2Error, InvalidHash):
            return False
        return True

    return await asyncio.to_thread(compare)

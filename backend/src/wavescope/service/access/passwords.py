"""What is stored of passwords (AC31)."""

from __future__ import annotations

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from wavescope.errors import InvalidParameter

SHORTEST, LONGEST = 10, 256  # characters of a password


def no_account(hasher: PasswordHasher) -> str:
    """What is checked where there is no account, so that it takes as long: the hash of no password, written and not
    computed.
    """
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v={ARGON2_VERSION}${costs}${'A' * 22}${'A' * 43}"


_hasher = PasswordHasher()
NO_ACCOUNT = no_account(_hasher)


def check_password(password: str) -> None:
    """Raises InvalidParameter, which does not repeat it."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InvalidParameter("password", "..." if password else "", f"{SHORTEST} to {LONGEST} characters")


def hash_password(password: str) -> str:
    """What is stored of a password (argon2id). Raises InvalidParameter, which does not repeat it."""
    check_password(password)
    return _hasher.hash(password)


def verified(hashed: str, password: str) -> bool:
    """Whether the password is the one that was hashed."""
    try:
        return _hasher.verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False

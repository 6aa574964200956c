"""The codes of sessions: users read them aloud, type and scan them (SE5, SE7)."""

from __future__ import annotations

import secrets

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without characters that look alike
LENGTH = 8  # 39 bits


def new_code() -> str:
    """A random code that cannot be predicted."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read_code(text: str) -> str | None:
    """The code that a user typed; None: the text is not a code."""
    code = "".join(text[:40].split()).replace("-", "").upper()
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None

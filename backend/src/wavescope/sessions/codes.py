"""Codes that are read aloud, typed and scanned (SE5, SE7)."""

from __future__ import annotations

import secrets

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without those that look alike
LENGTH = 8  # 39 bits


def new_code() -> str:
    """A code that nobody can foretell."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read_code(text: str) -> str | None:
    """The code somebody typed; None if it can be none."""
    code = "".join(text[:40].split()).replace("-", "").upper()
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None

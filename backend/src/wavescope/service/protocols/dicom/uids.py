"""UIDs of a slide version and its parts (DW2): made of the version's digest, and read back without a catalog.

A UID is 2.25 and the number of a UUID of version 8 (RFC 9562). Of the 122 bits that such a UUID leaves to its maker,
the first 112 are those of the digest, then come two bits of the kind and eight of the number.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

ROOT = "2.25."
UID = re.compile(r"2\.25\.([1-9][0-9]{0,38})")
DIGITS = 28
"""Of the digest, in hexadecimal, that a UID has: enough to find it."""
NUMBERS = 1 << 8


class UidKind(IntEnum):
    """What a UID names. The number of an instance is its level."""

    STUDY = 0
    SERIES = 1
    INSTANCE = 2
    PART = 3


FRAME_OF_REFERENCE, DIMENSIONS, SPECIMEN = range(3)
"""Numbers of the kind PART."""


class UidParts(NamedTuple):
    """What a UID says: the first digits of a digest, what it names, and its number."""

    prefix: str
    kind: UidKind
    number: int


def uid_of(digest: str, kind: UidKind, number: int = 0) -> str:
    """The UID of a part of the version with this digest (hexadecimal, at least DIGITS digits); 0 <= number < 256."""
    if not 0 <= number < NUMBERS:
        raise ValueError(number)
    payload = int(digest[:DIGITS], 16) << 10 | kind << 8 | number
    first, middle, last = payload >> 74, payload >> 62 & 0xFFF, payload & ((1 << 62) - 1)
    return f"{ROOT}{first << 80 | 8 << 76 | middle << 64 | 2 << 62 | last}"


def read_uid(text: str) -> UidParts | None:
    """The parts of a UID of ours; None for any other text."""
    match = UID.fullmatch(text)
    value = int(match[1]) if match else 0
    if value >> 128 or value >> 76 & 0xF != 8 or value >> 62 & 3 != 2:
        return None
    payload = value >> 80 << 74 | (value >> 64 & 0xFFF) << 62 | value & ((1 << 62) - 1)
    return UidParts(f"{payload >> 10:0{DIGITS}x}", UidKind(payload >> 8 & 3), payload & 0xFF)

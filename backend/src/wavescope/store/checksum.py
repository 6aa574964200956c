"""CRC-32C as the store writes it: four bytes, little-endian, after what it covers."""

from __future__ import annotations

import google_crc32c

SIZE = 4


def sealed(body: bytes) -> bytes:
    """``body`` followed by its checksum."""
    return body + _checksum(body)


def unsealed(data: bytes, what: str) -> bytes:
    """The body of bytes with a checksum; ValueError unless the checksum matches."""
    body = data[:-SIZE]
    if len(data) < SIZE or _checksum(body) != data[-SIZE:]:
        raise ValueError(f"the checksum of {what} does not match")
    return body


def _checksum(body: bytes) -> bytes:
    value: int = google_crc32c.value(body)
    return value.to_bytes(SIZE, "little")

"""CRC-32C as the store writes it: four bytes, little-endian, after what it covers.

``seed`` is the CRC-32C of what the checksum covers beside the bytes: whose they are, and where they belong.
"""

from __future__ import annotations

import google_crc32c

SIZE = 4


def with_checksum(body: bytes, seed: int = 0) -> bytes:
    """``body`` followed by its checksum."""
    return body + _checksum(body, seed)


def checked_body(data: bytes, what: str, seed: int = 0) -> bytes:
    """The body of bytes with a checksum; ValueError unless the checksum matches."""
    body = data[:-SIZE]
    if len(data) < SIZE or _checksum(body, seed) != data[-SIZE:]:
        raise ValueError(f"the checksum of {what} does not match")
    return body


def extended(seed: int, *numbers: int) -> int:
    """The seed that covers these numbers too, as u32."""
    return int(google_crc32c.extend(seed, b"".join(number.to_bytes(SIZE, "little") for number in numbers)))


def _checksum(body: bytes, seed: int) -> bytes:
    value: int = google_crc32c.extend(seed, body)
    return value.to_bytes(SIZE, "little")

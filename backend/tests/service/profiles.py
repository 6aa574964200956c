"""ICC profiles of made-up scanners, as small as the format allows."""

from __future__ import annotations

import struct

Primaries = tuple[tuple[float, float, float], ...]

D50 = (0.9642, 1.0, 0.8249)
SRGB: Primaries = ((0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141))
DULL: Primaries = ((0.3861, 0.2525, 0.0439), (0.3951, 0.6669, 0.1271), (0.1831, 0.0806, 0.6541))  # sums to D50 as well


def scanner_profile(primaries: Primaries = DULL, gamma: float = 1.8, name: str = "A dull scanner") -> bytes:
    """An RGB input profile of version 2: three primaries (XYZ at D50) and one gamma for all channels."""
    description = name.encode("ascii") + b"\0"
    curve = struct.pack(">4s4xIHxx", b"curv", 1, round(gamma * 256))
    tags = [
        (b"desc", struct.pack(">4s4xI", b"desc", len(description)) + description + bytes(78)),
        (b"cprt", b"text" + bytes(4) + b"none\0"),
        (b"wtpt", _xyz(D50)),
        *((sign + b"XYZ", _xyz(primary)) for sign, primary in zip((b"r", b"g", b"b"), primaries, strict=True)),
        *((sign + b"TRC", curve) for sign in (b"r", b"g", b"b")),
    ]
    place = 128 + 4 + 12 * len(tags)
    table, body = struct.pack(">I", len(tags)), b""
    for sign, data in tags:
        table += struct.pack(">4sII", sign, place + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    size = 128 + len(table) + len(body)
    header = struct.pack(">I4sI4s4s4s12s4s", size, b"none", 0x02400000, b"scnr", b"RGB ", b"XYZ ", bytes(12), b"acsp")
    header += bytes(28) + struct.pack(">3i", *(round(value * 65536) for value in D50))
    return header.ljust(128, b"\0") + table + body


def _xyz(value: tuple[float, float, float]) -> bytes:
    return struct.pack(">4s4x3i", b"XYZ ", *(round(part * 65536) for part in value))

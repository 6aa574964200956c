"""Makes shared/vectors/codestream/mutations.json: streams that no encoder writes, with their error or their result.

They are pinned: a decoder of version 1.0 that differs from one differs from the document. Kernel, reference decoder and
page read them. Usage: cd backend/tests && python -m kernel.make_mutations
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Iterator
from typing import Any

import google_crc32c
import numpy as np

from kernel.conftest import VECTORS, Vector, vectors
from wavescope import kernel
from wavescope.errors import CodecError
from wavescope.geometry import Address

Case = dict[str, Any]
FILE = VECTORS / "mutations.json"
DECODED = (("grey-visual", "block"), ("grey-visual", "approximation"), ("side-2", "approximation"))
SEEDS = 6
PLACE = [0, 0, 0]  # z, x, y


def sealed(parameters: bytes, index: int, layer: bytes) -> bytes:
    """The layer of the block at PLACE with a checksum that fits (CS6)."""
    body = layer[:-4]
    return body + struct.pack("<I", google_crc32c.value(parameters + struct.pack("<IHH", index, 0, 0) + body))


def changed(data: bytes, at: int, *values: int) -> bytes:
    return data[:at] + bytes(values) + data[at + len(values) :]


def damaged_parameters(good: bytes) -> dict[str, tuple[str, bytes]]:
    """Parameter sets by what is wrong with them, with their rule (CS11)."""
    return {
        "3 bytes": ("CS11", good[:3]),
        "another beginning": ("CS11", changed(good, 0, 0x58)),
        "version 2.0": ("CS13", changed(good, 2, 2)),
        "version 1.2": ("CS13", changed(good, 3, 2)),
        "31 bytes": ("CS11", good[:31]),
        "a reserved byte": ("CS11", changed(good, 15, 1)),
        "tiles of 512": ("CS11", changed(good, 6, 9)),
        "kind 2": ("CS11", changed(good, 4, 2)),
        "level 32": ("CS11", changed(good, 5, 32)),
        "no layers": ("CS11", changed(good, 8, 0)),
        "profile 2": ("CS11", changed(good, 7, 2)),
        "two groups": ("CS11", changed(good, 9, 2)),
        "two channels": ("CS11", changed(good, 11, 2)),
        "16 bits": ("CS11", changed(good, 12, 16)),
        "signed samples": ("CS11", changed(good, 12, 0x88)),
        "colour 8": ("CS11", changed(good, 14, 8)),
        "grey with the colour of RGB": ("CS11", changed(good, 14, 1)),
        "a byte too few": ("CS11", good[:-1]),
        "a byte too many": ("CS11", good + b"\0"),
        "step 0": ("CS11", changed(good, len(good) - 2, 0, 0)),
        "a shift of 9": ("CS11", changed(good, len(good) - 3, 9)),
    }


def damaged_blocks(good: bytes, first: bytes, second: bytes, other: bytes) -> Iterator[tuple[str, str, str, bytes]]:
    """Name, rule, call and bytes. ``other``: layer 0 of the same place of another slide."""
    body = first[2:]
    yield "no bytes", "CS7 1", "block", b""
    yield "a third layer", "CS7 1", "block", first + second + second
    yield "a length that is cut", "CS7 2", "block", first[:1]
    yield "a length that is not in its shortest form", "CS7 2", "block", changed(first, 1, first[1] | 0x80, 0)
    yield "a length of 3", "CS7 3", "block", b"\x03" + body
    yield "a length above 2 MiB", "CS7 3", "block", b"\x81\x80\x80\x01" + body
    yield "a layer that is cut", "CS7 4", "block", first[:-1]
    yield "a second layer that is cut", "CS7 4", "block", first + second[:-1]
    yield "an address that ends in the checksum", "CS7 5", "block", sealed(good, 0, bytes((5, 0)) + bytes(4))
    yield "an address that is not in its shortest form", "CS7 5", "block", changed(first, 2, 0x80, 0)
    yield "plane 4096", "CS7 5", "block", changed(first, 2, 0x80, 0x20)
    yield "a flipped bit of the payload", "CS7 6", "block", changed(first, 100, first[100] ^ 1)
    yield "the layers exchanged", "CS7 5", "block", second + first
    yield "layer 0 twice", "CS7 6", "block", first + first
    yield "the block of another slide", "CS8", "block", other
    yield "the block of another tile", "CS7 7", "elsewhere", first + second
    yield "a parent of three channels", "CS7", "tile of three channels", first + second
    yield "a block for an approximation", "CS7", "approximation", first + second


def decoded(random: np.random.Generator, parameters: bytes, layers: list[bytes], head: int) -> list[bytes]:
    """The layers with up to eight other bytes of payload in each, and checksums that fit: they decode (CS44)."""
    found = []
    for index, layer in enumerate(layers):
        start = head if index == 0 else 2
        for at in random.integers(start, max(start + 1, len(layer) - 4), int(random.integers(1, 9))):
            layer = changed(layer, int(at), int(random.integers(0, 256)))
        found.append(sealed(parameters, index, layer))
    return found


def result_of(call: str, parameters: bytes, data: bytes, place: list[int]) -> dict[str, str]:
    """``error``, or the SHA-256 of the ``coefficients`` of a block or of the ``samples`` of an approximation."""
    calls: dict[str, Callable[[kernel.ParameterSet], Any]] = {
        "parameters": lambda _: None,
        "block": lambda sets: kernel.decode_block([data], sets, Address(place[0], 0, sets.level, *place[1:])),
        "elsewhere": lambda sets: kernel.decode_block([data], sets, Address(0, 0, sets.level, 1, 0)),
        "approximation": lambda sets: kernel.decode_approximation([data], sets, place[0]),
        "tile of three channels": lambda sets: kernel.decode_tile(
            np.zeros((3, 256, 256), np.int16), [data], sets, Address(0, 0, sets.level, 0, 0)
        ),
    }
    try:
        found = calls[call](kernel.read_parameters(parameters))
    except CodecError as error:
        return {"error": error.code}
    if found is None:
        return {}
    name = "coefficients" if call == "block" else "samples"
    return {name: hashlib.sha256(np.ascontiguousarray(found).tobytes()).hexdigest()}


def cases() -> Iterator[Case]:
    """All of them, without their results."""
    grey, spot = vectors()["grey-visual"], vectors()["grey-lossless"]
    good, (first, second) = grey.parameters[0], grey.blocks[0, 0, 0]
    for name, (rule, data) in damaged_parameters(good).items():
        yield {"name": name, "rule": rule, "call": "parameters", "parameters": data.hex(), "bytes": ""}
    other = sealed(spot.parameters[0], 0, first)
    for name, rule, call, block in damaged_blocks(good, first, second, other):
        yield {"name": name, "rule": rule, "call": call, "parameters": good.hex(), "bytes": block.hex()}
    for vector, call in DECODED:
        yield from _decoded_cases(vectors()[vector], call)


def _decoded_cases(vector: Vector, call: str) -> Iterator[Case]:
    block = call == "block"
    parameters = vector.parameters[0] if block else vector.parameters[-1]
    layers = vector.blocks[0, 0, 0] if block else vector.approximation
    for seed in range(SEEDS):
        random = np.random.default_rng([seed, len(layers), len(parameters)])
        data = b"".join(decoded(random, parameters, list(layers), 5))
        name = f"{vector.entry['name']}, {call}, other payload {seed}"
        yield {"name": name, "rule": "CS44", "call": call, "parameters": parameters.hex(), "bytes": data.hex()}


def complete() -> list[Case]:
    """With their results, as the kernel has them."""
    return [
        {**case, **result_of(case["call"], bytes.fromhex(case["parameters"]), bytes.fromhex(case["bytes"]), PLACE)}
        for case in cases()
    ]


if __name__ == "__main__":
    FILE.write_text(json.dumps({"version": "1.0", "cases": complete()}, indent=1) + "\n")

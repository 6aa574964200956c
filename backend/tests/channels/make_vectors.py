"""Makes shared/vectors/channels/mix.json: mixes, stored samples and the pictures of the slow reference.

Usage: cd backend/tests && python -m channels.make_vectors
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from channels.test_mixing import pixel
from wavescope.channels.mixing import Shown

VECTORS = Path(__file__).resolve().parents[3] / "shared/vectors/channels/mix.json"
PIXELS = 48


def cases() -> list[dict[str, Any]]:
    """Pinned by their seeds."""
    of_8_bits = [_case(seed, count, 8) for seed, count in enumerate((1, 2, 3, 4, 7, 16, 64))]
    deep = ((3, 16, False), (2, 16, True), (4, 12, False), (2, 8, True))
    return of_8_bits + [_case(100 + seed, *one) for seed, one in enumerate(deep)]


def _case(seed: int, count: int, bits: int, signed: bool = False) -> dict[str, Any]:
    chance = np.random.default_rng(seed)
    least, most = (-(1 << bits - 1) if signed else 0), (1 << bits) - 1
    mix = []
    for c in range(count):
        low = int(chance.integers(0, 200 << bits - 8))
        high = int(chance.integers(low + 1, most + 1))
        colour = (int(chance.integers(256)), int(chance.integers(256)), int(chance.integers(256)))
        mix.append(Shown(c, colour, low + least, high + least, int(chance.integers(10, 1001))))
    samples = (chance.integers(0, most + 1, (count, PIXELS)) + least).tolist()
    shown = [{**one._asdict(), "colour": bytes(one.colour).hex().upper()} for one in mix]
    picture = [pixel([row[at] for row in samples], tuple(mix)) for at in range(PIXELS)]
    kind = {} if (bits, signed) == (8, False) else {"bits": bits, "signed": signed}
    return {**kind, "mix": shown, "samples": samples, "picture": picture}


if __name__ == "__main__":
    VECTORS.parent.mkdir(exist_ok=True)
    VECTORS.write_text(json.dumps({"cases": cases()}, separators=(",", ":")) + "\n")

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
    return [_case(seed, count) for seed, count in enumerate((1, 2, 3, 4, 7, 16, 64))]


def _case(seed: int, count: int) -> dict[str, Any]:
    chance = np.random.default_rng(seed)
    mix = []
    for c in range(count):
        low = int(chance.integers(0, 200))
        high = int(chance.integers(low + 1, 256))
        colour = (int(chance.integers(256)), int(chance.integers(256)), int(chance.integers(256)))
        mix.append(Shown(c, colour, low, high, int(chance.integers(10, 1001))))
    samples = chance.integers(0, 256, (count, PIXELS)).tolist()
    shown = [{**one._asdict(), "colour": bytes(one.colour).hex().upper()} for one in mix]
    picture = [pixel([row[at] for row in samples], tuple(mix)) for at in range(PIXELS)]
    return {"mix": shown, "samples": samples, "picture": picture}


if __name__ == "__main__":
    VECTORS.parent.mkdir(exist_ok=True)
    VECTORS.write_text(json.dumps({"cases": cases()}, separators=(",", ":")) + "\n")

"""Component times of a file of the simulator as numbers of a situation: means and variations."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from wavescope.errors import InvalidParameter
from wavescope_lab.planning.situation import NUMBERS, checked

MAX_BYTES = 1_000_000
TIMES = {"edge_cpu": "edge_variation", "node_cpu": "node_variation", "store": "store_variation"}
"""Distributions of the model ``sites``, and the numbers of their variations."""
SIZES = ("full_bytes", "fine_bytes")


def load_times(path: Path) -> dict[str, object]:
    """What a file in TOML states of the model ``sites``; its other keys belong to other models.

    Raises InvalidParameter, OSError.
    """
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InvalidParameter(path.name, f"a file of more than {MAX_BYTES} bytes", "component times in TOML")
    try:
        table = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidParameter(path.name, str(error), "component times in TOML") from error
    found: dict[str, object] = {}
    for name in SIZES:
        if name in table:
            found[name] = checked(f"{path.name}: {name}", table[name], NUMBERS[name])
    for name, variation in TIMES.items():
        if name in table:
            found[name], found[variation] = moments(f"{path.name}: {name}", table[name])
    if not found:
        raise InvalidParameter(path.name, "a file without any of them", ", ".join((*SIZES, *TIMES)))
    return found


def moments(name: str, value: object) -> tuple[float, float]:
    """Mean and squared coefficient of variation of a distribution (SI3). Raises InvalidParameter."""
    if not isinstance(value, Mapping):
        return _number(name, value), 0.0
    keys = set(value)
    if keys == {"mean"}:
        return _number(name, value["mean"]), 1.0
    if keys == {"mean", "deviation"}:
        mean = _number(name, value["mean"])
        return mean, (_number(name, value["deviation"]) / mean) ** 2 if mean else 0.0
    if keys - {"shares"} in ({"values"}, {"bins"}):
        return _histogram(name, value)
    raise InvalidParameter(name, sorted(keys), "the keys of a distribution")


def _histogram(name: str, value: Mapping[str, object]) -> tuple[float, float]:
    listed = value.get("values", value.get("bins"))
    places = listed if isinstance(listed, list) and listed else [None]
    bins = [place if isinstance(place, list) and len(place) == 2 else [place, place] for place in places]
    shares = value.get("shares", [1.0] * len(bins))
    if not isinstance(shares, list) or len(shares) != len(bins):
        raise InvalidParameter(name, shares, "a share for each value")
    weights = [_number(name, share) for share in shares]
    whole = sum(weights)
    if whole <= 0:
        raise InvalidParameter(name, shares, "shares that are not all 0")
    mean = square = 0.0
    for weight, (first, last) in zip(weights, bins, strict=True):
        low, high = _number(name, first), _number(name, last)
        mean += weight / whole * (low + high) / 2
        square += weight / whole * (low * low + low * high + high * high) / 3
    return mean, max(0.0, square / (mean * mean) - 1) if mean else 0.0


def _number(name: str, value: object) -> float:
    return checked(name, value, NUMBERS["store"])

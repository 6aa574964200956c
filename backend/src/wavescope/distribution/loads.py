"""What nodes publish of their load, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wavescope.distribution.hashing import point

SILENT_SECONDS = 7.5
"""Three publications that are missing, of one each 2.5 s."""
MIN_WEIGHT = 1
FULL_WEIGHT = 100


@dataclass(frozen=True)
class Load:
    """The busy shares of a node, 0 to 1, at a time in seconds."""

    cpu: float
    disk: float
    network: float
    at: float


def alive(loads: Mapping[str, Load], now: float, silent: float = SILENT_SECONDS) -> list[str]:
    """The nodes that published a load within ``silent`` seconds, by name. All others count as down."""
    return sorted(name for name, load in loads.items() if now - load.at <= silent)


def weight(load: Load) -> int:
    """The share of the full weight that a node gets, in percent: what is free of its busiest part."""
    busiest = max(load.cpu, load.disk, load.network)
    return min(max(round(FULL_WEIGHT * (1 - busiest)), MIN_WEIGHT), FULL_WEIGHT)


def least_loaded(names: Sequence[str], requests: Mapping[str, int], key: str) -> str:
    """The node with the fewest requests in work. Of equal ones, that with the highest hash of node and ``key``: keys
    spread evenly, and each time alike. Raises ValueError without a node.
    """
    return min(names, key=lambda name: (requests.get(name, 0), -point(f"{name}/{key}"), name))

"""Each node in turn, and each node in turn by weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def in_turn(names: Sequence[str], last: str) -> str:
    """The node after ``last`` in the order of ``names``; the first one after the last. ValueError without one."""
    if not names:
        raise ValueError("there is no node")
    later = [name for name in names if name > last]
    return min(later) if later else min(names)


def by_weight(weights: Mapping[str, int], credits: Mapping[str, float]) -> tuple[str, dict[str, float]]:
    """The node with the most credit, and the credits afterwards.

    Each request adds to every node its weight and takes the sum of weights from the chosen one: in any series of
    requests a node has its share, evenly spread. A weight of 0 is never chosen. ValueError without a weight above 0.
    """
    live = {name: value for name, value in weights.items() if value > 0}
    if not live:
        raise ValueError("no node has a weight")
    after = {name: credits.get(name, 0.0) + value for name, value in live.items()}
    chosen = max(sorted(after), key=lambda name: after[name])
    after[chosen] -= sum(live.values())
    return chosen, after

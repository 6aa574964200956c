"""Situations whose costs of a request do not change with what was measured last."""

from __future__ import annotations

from collections.abc import Mapping

from wavescope_lab.planning import situation as numbers
from wavescope_lab.planning.situation import Situation

COSTS: Mapping[str, object] = {
    "full_bytes": 300_000,
    "fine_bytes": 19_000,
    "edge_cpu": 0.006,
    "node_cpu": 0.003,
    "store": 0.02,
}


def situation(values: Mapping[str, object]) -> Situation:
    """With these costs, unless others are given."""
    return numbers.checked_situation({**COSTS, **values})

"""Writes the vectors of the planner's formulas: ``cd backend/tests && python -m planning.make_vectors`` (SI26)."""

from __future__ import annotations

import json
from pathlib import Path

from planning.costs import situation
from wavescope_lab.errors import GoalNotReachable
from wavescope_lab.planning.curves import breaks_first
from wavescope_lab.planning.prices import default_prices
from wavescope_lab.planning.response import predict
from wavescope_lab.planning.search import Goal, cheapest
from wavescope_lab.planning.situation import Situation, checked_equipment

FILE = Path(__file__).parents[3] / "shared" / "vectors" / "planning" / "predictions.json"
CASES: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "defaults": ({}, {}),
    "one client": ({"clients": 1}, {"node_gb": 0}),
    "an edge": ({"clients": 1000}, {"edge_gb": 50}),
    "a full link": ({"clients": 2000}, {}),
    "full nodes": ({"clients": 50_000, "sites": 100, "node_cores": 2}, {"nodes": 3, "edge_gb": 10}),
    "a group": ({"clients": 100_000, "sites": 200, "away": 0.2}, {"nodes": 16, "edge_gb": 50, "node_gb": 20}),
    "all elsewhere": ({"clients": 500, "away": 1, "away_mbit": 8}, {"nodes": 2}),
    "constant times": (
        {"node_variation": 0, "edge_variation": 0.3, "store_variation": 4, "clients": 300},
        {"edge_gb": 5},
    ),
    "fewer clients than sites": ({"clients": 30, "sites": 60, "popularity": 1}, {"edge_gb": 1}),
    "many slides": ({"slides": 300_000, "popularity": 1.3, "first_views": 0}, {"edge_gb": 2000, "node_gb": 100}),
}


def _plan(known: Situation, seconds: float, p95: float = 0.0) -> dict[str, object]:
    goal = Goal(seconds, percent_seconds=p95)
    goals = {"goal": seconds, "goal95": p95}
    try:
        plan = cheapest(known, goal, default_prices())
    except GoalNotReachable as error:
        return {**goals, "equipment": None, "price": 0, "good_for": 0, "breaks": error.part}
    limit = breaks_first(plan, goal)
    bought = vars(plan.equipment)
    return {
        **goals,
        "equipment": bought,
        "price": plan.price,
        "good_for": limit.clients,
        "breaks": limit.part,
    }


def main() -> None:
    """All cases."""
    made = []
    for name, (given, bought) in CASES.items():
        known = situation(given)
        bought_with_defaults = vars(checked_equipment(bought))
        found = predict(known, checked_equipment(bought))
        made.append(
            {
                "name": name,
                "situation": vars(known),
                "equipment": bought_with_defaults,
                "mean": found.mean,
                "throughput": found.throughput,
                "hits": list(found.hits),
                "parts": [list(part) for part in found.parts],
                "plan": _plan(known, max(0.02, found.mean * 0.8)),
                "plan95": _plan(known, found.mean * 2, max(0.05, found.percentile(95) * 0.8)),
                "percentiles": {str(percent): found.percentile(percent) for percent in (50, 95, 99)},
            }
        )
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()

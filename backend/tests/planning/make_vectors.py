"""Writes the vectors of the planner's formulas: ``python -m tests.planning.make_vectors`` in backend/ (SI26)."""

from __future__ import annotations

import json
from pathlib import Path

from wavescope.planning.response import predict
from wavescope.planning.situation import equipment, situation

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


def main() -> None:
    """All cases."""
    made = []
    for name, (given, bought) in CASES.items():
        found = predict(situation(given), equipment(bought))
        made.append(
            {
                "name": name,
                "situation": given,
                "equipment": bought,
                "mean": found.mean,
                "throughput": found.throughput,
                "hits": list(found.hits),
                "parts": [list(part) for part in found.parts],
                "percentiles": {str(percent): found.percentile(percent) for percent in (50, 95, 99)},
            }
        )
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()

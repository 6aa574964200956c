"""The comparisons as pictures: response time and hit ratio by the number of nodes, for each policy."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

from matplotlib import rcParams
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

rcParams["svg.fonttype"] = "none"  # text stays text: a third of the size
PANELS = (("mean", "mean response, ms", 1e3), ("p95", "95th percentile, ms", 1e3), ("hits", "hit ratio", 1.0))


def write_comparison(path: Path, rows: list[dict[str, Any]]) -> None:
    """One line of panels for each working set of mirrored data."""
    figure = Figure(figsize=(10, 6), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.subplots(2, len(PANELS))
    for line, working_set in zip(axes, ("small", "large"), strict=True):
        shown = [row for row in rows if row["set"] == working_set and row["layout"] == "mirrored"]
        for axis, (name, title, factor) in zip(line, PANELS, strict=True):
            for policy in dict.fromkeys(row["policy"] for row in shown):
                points = [(row["nodes"], factor * row[name]) for row in shown if row["policy"] == policy]
                axis.plot(*zip(*points, strict=True), marker="o", markersize=3, label=policy)
            axis.set(title=f"{working_set} set: {title}", xlabel="nodes")
            axis.set_ylim(bottom=0)
    axes[0][0].legend(fontsize=7)
    figure.savefig(path, metadata={"Date": None})


def write_mixed(path: Path, rows: list[dict[str, Any]]) -> None:
    """Mean response of the mixed load, by policy: each row, and their median."""
    figure = Figure(figsize=(8, 3), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.subplots(1, 2)
    for axis, load in zip(axes, ("light", "heavy"), strict=True):
        found: dict[str, list[float]] = {}
        for row in rows:
            if row["load"] == load:
                found.setdefault(row["policy"], []).append(1e3 * row["mean"])
        axis.barh(list(found), [median(one) for one in found.values()], color="lightsteelblue")
        for policy, times in found.items():
            axis.plot(times, [policy] * len(times), "k|", markersize=8)
        axis.set(title=f"{load} load", xlabel="mean response, ms; bars: medians")
        axis.invert_yaxis()
    figure.savefig(path, metadata={"Date": None})

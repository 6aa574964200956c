"""The curves of a plan as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wavescope.errors import MissingPackage
from wavescope_lab.cli.plan.report import LABELS, Found
from wavescope_lab.planning.curves import Point, breaks_first, over_clients, over_edges, over_nodes

SIZE = (15.0, 7.2)
"""Inches."""


def write_curves(path: Path, found: Found) -> None:
    """Response over nodes, edges and clients, and how busy the parts are. Raises MissingPackage without matplotlib."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackage("matplotlib", "a plot", "plots") from error
    plan, goal = found.plan, found.goal
    limit = breaks_first(plan, goal)
    with matplotlib.rc_context({"svg.hashsalt": "wavescope"}):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.subplots(2, 2)
        _curve(axes[0][0], "nodes", over_nodes(plan, goal), plan.equipment.nodes, found)
        _curve(axes[0][1], "cache of an edge, GB", over_edges(plan, goal), plan.equipment.edge_gb, found)
        _curve(
            axes[1][0], "clients", over_clients(plan, goal, 2 * max(1, limit.clients)), plan.situation.clients, found
        )
        if found.confirmed is not None:
            simulated = found.confirmed.simulated
            for each, at in zip(
                axes.flat, (plan.equipment.nodes, plan.equipment.edge_gb, plan.situation.clients), strict=False
            ):
                half = simulated.halves["response"]
                each.errorbar([at], [simulated.means["response"]], yerr=half, fmt="s", label="simulated", color="C1")
                each.legend(fontsize="x-small")
        _bars(axes[1][1], found)
        date = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix, {})
        figure.savefig(path, metadata=date)


def _curve(axes: Any, label: str, points: list[Point], at: float, found: Found) -> None:
    goal, at_all = found.goal, [point.at for point in points]
    axes.plot(at_all, [point.found.mean for point in points], marker="o", markersize=3, label="mean")
    axes.axhline(goal.mean_seconds, color="grey", linestyle="--", label="goal of the mean")
    if goal.percent_seconds:
        slow = [point.found.percentile(goal.percent) for point in points]
        axes.plot(at_all, slow, marker=".", markersize=3, linestyle=":", color="C2", label=f"{goal.percent:g} % within")
        axes.axhline(goal.percent_seconds, color="C2", linestyle="--", label=f"goal of {goal.percent:g} %")
    axes.axvline(at, color="grey", linestyle=":", label="plan")
    axes.set(xlabel=label, ylabel="answer, s")
    axes.set_ylim(bottom=0, top=max(3 * goal.mean_seconds, 1.5 * goal.percent_seconds))
    axes.legend(fontsize="x-small")


def _bars(axes: Any, found: Found) -> None:
    parts = found.plan.found.parts[::-1]
    axes.barh([LABELS[part.name] for part in parts], [100 * part.utilisation for part in parts])
    axes.axvline(100 * found.goal.most_busy, color="grey", linestyle="--")
    axes.set(xlabel="busy, %", xlim=(0, 100))

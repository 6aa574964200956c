"""The figures of an experiment as a picture: one plot for each metric, by the factor with most levels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wavescope.errors import InvalidParameter, MissingPackage

FORMATS = (".svg", ".png", ".pdf")
COLUMNS = 3
SIZE = (5.0, 3.6)
"""Inches of one plot."""


def write_plot(path: Path, result: dict[str, Any]) -> None:
    """Write the picture of a result. Raises MissingPackage without matplotlib, InvalidParameter for another format."""
    if path.suffix not in FORMATS:
        raise InvalidParameter("the name of the plot", path.name, f"one that ends in {', '.join(FORMATS)}")
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackage("matplotlib", "a plot", "plots") from error
    metrics = sorted({name for run in result["runs"] for name in run["metrics"]})
    rows, columns = -(-len(metrics) // COLUMNS), min(COLUMNS, len(metrics))
    with matplotlib.rc_context({"svg.hashsalt": "wavescope"}):
        figure = Figure(figsize=(SIZE[0] * columns, SIZE[1] * rows), layout="constrained")
        figure.suptitle(result["title"])
        for axes, metric in zip(figure.subplots(rows, columns, squeeze=False).flat, metrics, strict=False):
            _plot(axes, metric, result)
        figure.savefig(path, metadata={"CreationDate": None} if path.suffix == ".pdf" else _undated(path.suffix))


def _undated(suffix: str) -> dict[str, None]:
    return {"Date": None} if suffix == ".svg" else {}


def _plot(axes: Any, metric: str, result: dict[str, Any]) -> None:
    factors: dict[str, list[Any]] = result["factors"]
    along = max(factors, key=lambda name: len(factors[name]), default=None)
    lines: dict[str, list[tuple[Any, float, float]]] = {}
    for run in result["runs"]:
        if metric not in run["metrics"]:
            continue
        name = ", ".join(f"{factor} {level}" for factor, level in run["levels"].items() if factor != along)
        found = run["metrics"][metric]
        lines.setdefault(name, []).append((run["levels"].get(along, ""), found["mean"], found["half"] or 0.0))
    for name, points in lines.items():
        at, means, halves = zip(*points, strict=True)
        axes.errorbar(at, means, yerr=halves, capsize=2, marker="o", markersize=3, label=name or None)
    axes.set(title=metric.replace("_", " "), xlabel=along or "")
    axes.set_ylim(bottom=0)
    if len(lines) > 1:
        axes.legend(fontsize="x-small")

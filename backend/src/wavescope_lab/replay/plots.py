"""Response times as a picture, in the form of figure 8 of Beynon 1998."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wavescope.errors import MissingPackage


def write_plots(folder: Path, figures: dict[str, Any]) -> Path:
    """Write ``response.svg``: mean, least and most per request number, and the distribution. MissingPackage without
    matplotlib."""
    try:
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackage("matplotlib", "a plot", "plots") from error
    figure = Figure(figsize=(9, 4), layout="constrained")
    FigureCanvasSVG(figure)
    by_number, spread = figure.subplots(1, 2)
    rows = figures["by_number"]
    numbers, means = [row["number"] + 1 for row in rows], [row["mean"] for row in rows]
    below = [row["mean"] - row["min"] for row in rows]
    above = [row["max"] - row["mean"] for row in rows]
    by_number.errorbar(numbers, means, yerr=[below, above], capsize=3, marker="o", markersize=3)
    by_number.set(xlabel="request", ylabel="seconds", title=f"Response time, {figures['clients']} clients")
    by_number.set_ylim(bottom=0)
    times = sorted(timed["seconds"] for timed in figures["timed"])
    spread.step(times, [(place + 1) / len(times) for place in range(len(times))], where="post")
    spread.set(xlabel="seconds", ylabel="share of requests", title="Distribution", ylim=(0, 1))
    path = folder / "response.svg"
    figure.savefig(path, metadata={"Date": None})
    return path

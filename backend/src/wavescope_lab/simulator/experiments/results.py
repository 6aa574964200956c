"""The result of an experiment as plain values, for JSON: the same experiment gives the same bytes (SI1).

Some trials may be left: a run without any has no metrics.
"""

from __future__ import annotations

from typing import Any

from wavescope_lab.simulator.experiments.analysis import effects, estimate
from wavescope_lab.simulator.experiments.experiment import Experiment, Run
from wavescope_lab.simulator.experiments.trials import Figures

DIGITS = 10
"""Significant digits of a figure."""


def results(experiment: Experiment, figures: list[list[Figures]]) -> dict[str, Any]:
    """``runs`` with the figures of each, and ``effects`` by metric if the experiment is a 2^k design."""
    runs = [_run(experiment, run, trials) for run, trials in zip(experiment.runs, figures, strict=True)]
    result = {
        "title": experiment.title,
        "model": experiment.model,
        "seed": experiment.seed,
        "trials": experiment.trials,
        "confidence": experiment.confidence,
        "factors": {name: list(levels) for name, levels in experiment.factors.items()},
        "runs": runs,
    }
    if experiment.factorial and all(figures):
        result["effects"] = _effects(experiment, runs)
    return result


def _run(experiment: Experiment, run: Run, trials: list[Figures]) -> dict[str, Any]:
    metrics = {}
    for name in sorted({name for trial in trials for name in trial}):
        found = estimate([trial[name] for trial in trials if name in trial], experiment.confidence)
        metrics[name] = {"mean": _round(found.mean), "half": _round(found.half), "trials": found.trials}
    expected = {
        each.metric: {
            "value": each.value,
            "half": each.half,
            "ratio": _round(metrics[each.metric]["mean"] / each.value),
        }
        for each in run.expected
        if each.metric in metrics and each.value
    }
    for name, published in expected.items():
        if published["half"] is not None:
            published["within"] = abs(metrics[name]["mean"] - published["value"]) <= published["half"]
    return {"levels": dict(run.levels), "metrics": metrics, "expected": expected}


def _effects(experiment: Experiment, runs: list[dict[str, Any]]) -> dict[str, Any]:
    """By metric, for those that every run has."""
    names = list(experiment.factors)
    shared = set.intersection(*(set(run["metrics"]) for run in runs))
    found = {}
    for metric in sorted(shared):
        means = {
            tuple(2 * experiment.factors[name].index(run["levels"][name]) - 1 for name in names): run["metrics"][
                metric
            ]["mean"]
            for run in runs
        }
        found[metric] = [
            {"factors": list(each.factors), "coefficient": _round(each.coefficient), "share": _round(each.share)}
            for each in effects(names, means)
        ]
    return found


def _round(value: float | None) -> Any:
    return None if value is None else float(f"{value:.{DIGITS}g}")

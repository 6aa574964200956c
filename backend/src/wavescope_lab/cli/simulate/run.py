"""Runs an experiment and reports its figures."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import Any

from wavescope.cli.output import OK, print_line, print_stderr, result
from wavescope.errors import InvalidParameter, MissingPackage

MAX_WORKERS = 256
PROGRESS_SECONDS = 2.0


def simulate(parsed: argparse.Namespace) -> int:
    """Run the trials that are not finished, and print or plot the figures."""
    try:
        from wavescope_lab.simulator.experiments.experiment import load_experiment
        from wavescope_lab.simulator.experiments.plots import FORMATS, write_plot
        from wavescope_lab.simulator.experiments.results import results
        from wavescope_lab.simulator.experiments.trials import run_trials
    except ImportError as error:
        if error.name == "simpy":
            raise MissingPackage("SimPy", "the simulator", "simulate") from error
        raise
    if not 1 <= parsed.workers <= MAX_WORKERS:
        raise InvalidParameter("workers", parsed.workers, f"1 to {MAX_WORKERS}")
    if parsed.plot and parsed.plot.suffix not in FORMATS:
        raise InvalidParameter("the name of the plot", parsed.plot.name, f"one that ends in {', '.join(FORMATS)}")
    experiment = load_experiment(parsed.file).with_trials(parsed.trials)
    progress = _Progress(quiet=parsed.quiet)
    figures = run_trials(experiment, progress.show, parsed.resume, parsed.workers)
    progress.cost(sum(trial.get("events", 0.0) for run in figures for trial in run))
    found = results(experiment, figures)
    if parsed.plot:
        write_plot(parsed.plot, found)
    if parsed.json:
        result(found)
        return OK
    for line in _lines(found):
        print_line(line)
    return OK


class _Progress:
    """A line on stderr now and then."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet, self.began, self.first = quiet, time.monotonic(), -1
        self.next = self.began + PROGRESS_SECONDS

    def show(self, finished: int, wanted: int) -> None:
        now = time.monotonic()
        self.first = finished if self.first < 0 else self.first
        if not self.quiet and now >= self.next and sys.stderr:
            print_stderr(f"{finished} of {wanted} trials")
            self.next = now + PROGRESS_SECONDS

    def cost(self, events: float) -> None:
        """What an event took, if the model counts them and all trials were run now."""
        seconds = time.monotonic() - self.began
        if events and not self.first and not self.quiet:
            print_stderr(f"{events:.4g} events in {seconds:.1f} s, {seconds / events * 1e6:.2f} µs each")


def _lines(found: dict[str, Any]) -> Iterator[str]:
    yield f"{found['title']}: {found['trials']} trials, intervals of {found['confidence']:.0%}"
    for run in found["runs"]:
        yield ""
        yield ", ".join(f"{name} {level}" for name, level in run["levels"].items()) or "one run"
        for name, metric in run["metrics"].items():
            half = "" if metric["half"] is None else f" ± {metric['half']:.3g}"
            yield f"  {name:24} {metric['mean']:.5g}{half}{_published(run['expected'].get(name))}"
    for metric, effects in found.get("effects", {}).items():
        shares = [f"{' x '.join(each['factors'])} {each['share']:.1%}" for each in effects if each["factors"]]
        yield ""
        yield f"{metric}: variation explained by {', '.join(shares)}"


def _published(expected: dict[str, Any] | None) -> str:
    if expected is None:
        return ""
    half = "" if expected["half"] is None else f" ± {expected['half']:.3g}"
    within = {None: "", True: ", within", False: ", outside"}[expected.get("within")]
    return f"   (published {expected['value']:.5g}{half}{within})"

"""Searches, confirms and reports a plan."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from wavescope.cli.output import OK, print_line, print_stderr, result
from wavescope.errors import InvalidParameter, MissingPackage
from wavescope_lab.cli.plan.options import LinkChoice
from wavescope_lab.cli.plan.report import Found, lines, values
from wavescope_lab.errors import GoalNotReachable
from wavescope_lab.planning.prices import Prices, default_prices, load_prices
from wavescope_lab.planning.search import GOALS, Goal, Plan, cheapest
from wavescope_lab.planning.situation import NUMBERS, Situation, checked, checked_situation
from wavescope_lab.planning.times import load_times
from wavescope_lab.simulations.service import missing_package

FORMATS = (".svg", ".png", ".pdf")
PROGRESS_SECONDS = 2.0


def plan(parsed: argparse.Namespace) -> int:
    """Find the cheapest equipment, and print or plot it with its curves."""
    if parsed.plot and parsed.plot.suffix not in FORMATS:
        raise InvalidParameter("the name of the plot", parsed.plot.name, f"one that ends in {', '.join(FORMATS)}")
    if not parsed.no_simulation and (package := missing_package()) is not None:
        raise MissingPackage(package, "the simulation (--no-simulation: only formulas)", "simulate")
    goal = _goal(parsed)
    prices = load_prices(parsed.prices) if parsed.prices else default_prices()
    progress = _Progress(quiet=parsed.quiet)
    found, link = _cheapest(parsed, goal, prices, progress)
    simulated = None
    if not parsed.no_simulation:
        from wavescope_lab.simulator.planner.confirm import confirmed

        simulated = confirmed(found, goal, prices, parsed.seed, progress.simulation)
        found = simulated.plan
    answer = Found(found, goal, prices, link, simulated)
    if parsed.plot:
        from wavescope_lab.cli.plan.plot import write_curves

        write_curves(parsed.plot, answer)
    if parsed.json:
        result(values(answer))
    else:
        for line in lines(answer):
            print_line(line)
    return OK


def _goal(parsed: argparse.Namespace) -> Goal:
    return Goal(
        checked("--mean-seconds", parsed.mean_seconds, GOALS["mean_seconds"]),
        parsed.percent,
        checked("--percent-seconds", parsed.percent_seconds, GOALS["p95_seconds"]),
        checked("--most-busy", parsed.most_busy, GOALS["most_busy"]),
    )


def _situation(parsed: argparse.Namespace, link: LinkChoice) -> Situation:
    """Of the command line, else of the file with component times, else the defaults. Raises InvalidParameter."""
    given: dict[str, object] = load_times(parsed.times) if parsed.times else {}
    given |= {name: value for name in NUMBERS if (value := getattr(parsed, name, None)) is not None}
    return checked_situation({**given, "link_mbit": link.mbit, "link_ms": link.milliseconds})


def _cheapest(parsed: argparse.Namespace, goal: Goal, prices: Prices, progress: _Progress) -> tuple[Plan, LinkChoice]:
    """Over all links that can be had. Raises GoalNotReachable for the fastest of them."""
    default = LinkChoice(NUMBERS["link_mbit"].default, NUMBERS["link_ms"].default, 0.0)
    best: tuple[Plan, LinkChoice] | None = None
    failed: GoalNotReachable | None = None
    for link in sorted(parsed.link or [default], key=lambda each: each.mbit):
        given = _situation(parsed, link)
        try:
            found = cheapest(given, goal, prices, progress.search)
        except GoalNotReachable as error:
            failed = error
            continue
        if best is None or found.price + link.price * given.sites < best[0].price + best[1].price * given.sites:
            best = found, link
    if best is None:
        assert failed is not None
        raise failed
    return best


class _Progress:
    """A line on stderr now and then."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.next = time.monotonic() + PROGRESS_SECONDS

    def search(self, tried: int) -> None:
        self._line(f"{tried} combinations tried by formulas")

    def simulation(self, number: int) -> Callable[[float], None]:
        return lambda share: self._line(f"simulating plan {number}: {share:.0%}")

    def _line(self, text: str) -> None:
        now = time.monotonic()
        if not self.quiet and now >= self.next and sys.stderr:
            print_stderr(text)
            self.next = now + PROGRESS_SECONDS

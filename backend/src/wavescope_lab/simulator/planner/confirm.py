"""The cheapest plan by formulas, confirmed or corrected by simulation (SI24)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from wavescope_lab.errors import GoalNotReachable
from wavescope_lab.planning.prices import Prices
from wavescope_lab.planning.search import Goal, Plan, cheapest
from wavescope_lab.simulator.planner.simulate import Progress, Simulated, simulate_plan

ROUNDS = 5
SIMULATED_PERCENTS = (50, 95, 99)


@dataclass(frozen=True)
class Confirmed:
    """A plan and its simulation. ``rounds``: how many plans were simulated; ``met``: whether the last one was good."""

    plan: Plan
    simulated: Simulated
    rounds: int
    met: bool


def confirmed(
    plan: Plan,
    goal: Goal,
    prices: Prices,
    seed: int = 1998,
    report: Callable[[int], Progress] = lambda _: lambda _: None,
) -> Confirmed:
    """Simulates a plan. If it misses the goal, the formulas are asked for one that is as much faster.

    Raises GoalNotReachable if the formulas know none.
    """
    asked = goal
    for number in range(1, ROUNDS + 1):
        simulated = simulate_plan(plan.situation, plan.equipment, seed, report(number))
        misses = missed_by(goal, simulated)
        if misses <= 1 or number == ROUNDS:
            break
        asked = replace(
            asked,
            mean_seconds=min(asked.mean_seconds, plan.found.mean) / misses,
            percent_seconds=asked.percent_seconds / misses,
        )
        try:
            plan = cheapest(plan.situation, asked, prices)
        except GoalNotReachable as error:
            raise GoalNotReachable(error.part, f"by simulation, {error.reason}") from error
    return Confirmed(plan, simulated, number, misses <= 1)


def missed_by(goal: Goal, simulated: Simulated) -> float:
    """How many times too slow: at most 1 if the means of all trials meet the goal."""
    found = [simulated.means["response"] / goal.mean_seconds]
    if goal.percent_seconds and goal.percent in SIMULATED_PERCENTS:
        found.append(simulated.means[f"response_p{goal.percent:.0f}"] / goal.percent_seconds)
    return max(found)

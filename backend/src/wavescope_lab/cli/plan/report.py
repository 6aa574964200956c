"""A plan as JSON, and as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from wavescope_lab.cli.plan.options import LinkChoice
from wavescope_lab.planning.curves import Point, breaks_first, over_clients, over_edges, over_nodes
from wavescope_lab.planning.prices import Prices
from wavescope_lab.planning.response import Prediction
from wavescope_lab.planning.search import Goal, Plan

if TYPE_CHECKING:
    from wavescope_lab.simulator.planner.confirm import Confirmed

DIGITS = 10
LABELS = {
    "edge": "edge (processor)",
    "lan": "network of a site",
    "link": "link of a site",
    "away": "link of a client elsewhere",
    "nodes": "nodes (processors)",
    "store": "object store",
}
BREAKS = {
    "edge": "the edge's processor: divide the site, or give it a second edge",
    "lan": "the network of the site",
    "link": "the link of the site: a faster link, or a larger edge",
    "away": "the links of clients elsewhere",
    "nodes": "the processors of the nodes: more nodes",
    "store": "the object store: more cache in the nodes",
}


@dataclass(frozen=True)
class Found:
    """Everything that is reported."""

    plan: Plan
    goal: Goal
    prices: Prices
    link: LinkChoice
    confirmed: Confirmed | None

    @property
    def price(self) -> float:
        """In a month, with the links."""
        return self.plan.price + self.link.price * self.plan.situation.sites


def values(found: Found) -> dict[str, Any]:
    """For JSON: the same question gives the same bytes."""
    plan, goal = found.plan, found.goal
    limit = breaks_first(plan, goal)
    answer: dict[str, Any] = {
        "situation": asdict(plan.situation),
        "goal": asdict(goal),
        "equipment": asdict(plan.equipment),
        "link": found.link._asdict(),
        "price": found.price,
        "prediction": _prediction(plan.found),
        "breaks_first": asdict(limit),
        "curves": {
            "nodes": [_point(point) for point in over_nodes(plan, goal)],
            "edge_gb": [_point(point) for point in over_edges(plan, goal)],
            "clients": [_point(point) for point in over_clients(plan, goal, 2 * max(limit.clients, 1))],
        },
        "tried": plan.tried,
    }
    if found.confirmed is not None:
        simulated = found.confirmed.simulated
        answer["simulation"] = {
            "met": found.confirmed.met,
            "rounds": found.confirmed.rounds,
            "requests": simulated.requests,
            "metrics": {name: {"mean": mean, "half": simulated.halves[name]} for name, mean in simulated.means.items()},
        }
    rounded: dict[str, Any] = _rounded(answer)
    return rounded


def _prediction(found: Prediction) -> dict[str, Any]:
    return {
        "mean_seconds": found.mean,
        "site_seconds": found.site,
        "elsewhere_seconds": found.elsewhere,
        "percentiles": {str(percent): found.percentile(percent) for percent in (50, 95, 99)},
        "requests_per_second": found.throughput,
        "edge_hit_ratio": found.hits.edge,
        "node_hit_ratio": found.hits.node,
        "parts": [part._asdict() for part in found.parts],
    }


def _point(point: Point) -> dict[str, Any]:
    first = point.found.first
    return {
        "at": point.at,
        "mean_seconds": point.found.mean,
        "p95_seconds": point.found.percentile(95),
        "busiest": first.name,
        "utilisation": first.utilisation,
        "met": point.met,
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def seconds(value: float) -> str:
    """As people read it."""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"


def lines(found: Found) -> Iterator[str]:
    """The plan, how busy its parts are, the curve, and what breaks first."""
    plan, goal, situation, equipment = found.plan, found.goal, found.plan.situation, found.plan.equipment
    cache = f"{equipment.node_gb:g} GB of cache each" if equipment.node_gb else "without a cache"
    yield f"{equipment.nodes} node{'s' * (equipment.nodes > 1)} of {situation.node_cores} processors, {cache}"
    if equipment.edge_gb:
        yield f"an edge with {equipment.edge_gb:g} GB at each of {situation.sites} sites"
    else:
        yield "no edge"
    yield f"link of a site: {found.link.mbit:g} Mbit/s, {found.link.milliseconds:g} ms"
    yield f"price in a month: {found.price:,.2f}"
    yield ""
    half = "" if found.confirmed is None else f"; {_simulated(found.confirmed)}"
    yield f"mean answer: {seconds(plan.found.mean)} by formulas{half}; goal: {seconds(goal.mean_seconds)}"
    for percent in sorted({95.0, goal.percent} if goal.percent_seconds else {95.0}):
        yield _percent(found, percent)
    yield f"{plan.found.throughput:,.1f} requests per second"
    if equipment.edge_gb:
        yield f"the edges answer {plan.found.hits.edge:.0%} of the requests of their sites"
    yield ""
    yield f"{'part':28} {'busy':>6}  {'of an answer':>12}"
    for part in plan.found.parts:
        yield f"{LABELS[part.name]:28} {part.utilisation:6.0%}  {seconds(part.seconds):>12}"
    yield ""
    yield f"{'nodes':>8}  {'mean answer':>12}  busiest"
    for point in over_nodes(plan, goal):
        first = point.found.first
        mark = "  <- the plan" if point.at == equipment.nodes else "" if point.met else "  misses the goal"
        busiest = f"{LABELS[first.name]} {first.utilisation:.0%}"
        yield f"{point.at:8g}  {seconds(point.found.mean):>12}  {busiest}{mark}"
    yield ""
    limit = breaks_first(plan, goal)
    yield f"good for {limit.clients:,} clients; what breaks first is {BREAKS[limit.part]}"


def _percent(found: Found, percent: float) -> str:
    line = f"{percent:g} % within {seconds(found.plan.found.percentile(percent))} by formulas"
    metric = f"response_p{percent:g}"
    if found.confirmed is not None and metric in found.confirmed.simulated.means:
        simulated = found.confirmed.simulated
        line += f"; {seconds(simulated.means[metric])} ± {seconds(simulated.halves[metric])} by simulation"
    wanted = found.goal.percent_seconds and found.goal.percent == percent
    return f"{line}; goal: {seconds(found.goal.percent_seconds)}" if wanted else line


def _simulated(found: Confirmed) -> str:
    mean, half = found.simulated.means["response"], found.simulated.halves["response"]
    missed = "" if found.met else ", which misses the goal"
    return f"{seconds(mean)} ± {seconds(half)} by simulation{missed}"

"""Several origins (Tierney et al. 1999): three origins, each slide on two, unequal links, three clients.

Compares the throughput without replicas, by round robin, greedily and by minimum-cost flow: in virtual time, where only
the assignment counts, then with real services over HTTP (``--virtual`` leaves these out). A client reads a field of
view of three slides, 0.9 MB, and waits for all of it. Fails if flow is below 1.3 x greedy or 2 x none on the links of
1999, or if its solver takes 1 ms or more for a batch. It takes about five minutes.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from setting import ROOT, table, work_folder

sys.path.insert(0, str(ROOT / "backend" / "tests"))  # the slow links and the virtual time of the tests

from replication.real import ingest_slides, origins, run_real
from replication.scenarios import ONE_EDGE, PAPER, WAYS, Outcome, Scenario, Way
from replication.virtual import run_virtual

COLUMNS = ("assignment", "Mbit/s", "by client", "x none", "x greedy", "solver ms", "per batch", "hedges")
MIN_OVER_GREEDY, MIN_OVER_NONE, MAX_SOLVER = 1.3, 2.0, 1e-3


def mbit(outcome: Outcome) -> float:
    return sum(outcome.throughput) * 8 / 1e6


def report(where: str, scenario: Scenario, outcomes: dict[str, Outcome]) -> bool:
    """Prints the table of a scenario and its targets. True if all are met."""
    none, _, greedy, flow, _ = (mbit(outcomes[way.name]) for way in WAYS)
    rows = []
    for name, outcome in outcomes.items():
        solvers = [edge.solver for edge in outcome.edges]
        hedges = sum(origin.counts.hedges for edge in outcome.edges for origin in edge.origins)
        count = max(1, sum(solver.count for solver in solvers))
        rows.append(
            (
                name,
                f"{mbit(outcome):.1f}",
                " ".join(f"{each * 8 / 1e6:.1f}" for each in outcome.throughput),
                f"{mbit(outcome) / none:.2f}",
                f"{mbit(outcome) / greedy:.2f}",
                f"{1000 * sum(solver.seconds for solver in solvers) / count:.3f}",
                f"{1000 * sum(solver.seconds for solver in solvers) / outcome.batches:.3f}",
                hedges,
            )
        )
    table(f"{where}: {scenario.name}", COLUMNS, rows)
    return verdict(scenario, outcomes[WAYS[3].name], (flow / greedy, flow / none))


def verdict(scenario: Scenario, flow: Outcome, over: tuple[float, float]) -> bool:
    """Prints the targets of a scenario and whether they are met. ``over``: throughput of flow : greedy, : none."""
    solvers = [edge.solver for edge in flow.edges]
    slowest = max(solver.seconds / max(1, solver.count) for solver in solvers)
    a_batch = sum(solver.seconds for solver in solvers) / flow.batches
    found = [
        ("solver, ms for an assignment, slowest edge", 1000 * slowest, "below 1", slowest < MAX_SOLVER),
        ("solver, ms for a batch", 1000 * a_batch, "below 1", a_batch < MAX_SOLVER),
    ]
    if scenario is PAPER:
        for (name, least), value in zip((("greedy", MIN_OVER_GREEDY), ("none", MIN_OVER_NONE)), over, strict=True):
            found.append((f"throughput of flow : {name}", value, f"at least {least:g}", value >= least))
    rows = [(text, f"{value:.3f}", limit, "met" if met else "MISSED") for text, value, limit, met in found]
    table("Targets", ["", "value", "target", ""], rows)
    return all(met for *_, met in found)


async def all_ways(scenario: Scenario, row: Callable[[Scenario, Way], Awaitable[Outcome]]) -> dict[str, Outcome]:
    return {way.name: await row(scenario, way) for way in WAYS}


async def real(work: Path) -> list[tuple[Scenario, dict[str, Outcome]]]:
    """Every scenario with real services."""
    slides = await ingest_slides(work / "store")
    async with origins(work / "store") as addresses:

        async def row(scenario: Scenario, way: Way) -> Outcome:
            return await run_real(scenario, way, slides, addresses)

        return [(scenario, await all_ways(scenario, row)) for scenario in (PAPER, ONE_EDGE)]


def main() -> int:
    good = True
    for scenario in (PAPER, ONE_EDGE):
        outcomes = {way.name: run_virtual(scenario, way) for way in WAYS}
        good = report("In virtual time", scenario, outcomes) and good
    if "--virtual" not in sys.argv:
        with work_folder() as work:
            for scenario, outcomes in asyncio.run(real(work)):
                good = report("Real services", scenario, outcomes) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

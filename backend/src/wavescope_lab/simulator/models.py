"""The models by the names that experiments use: from a table of parameters to a trial, seed in, figures out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wavescope.blocks.cache.policies import POLICIES, Policy
from wavescope_lab.simulator.cluster.model import read_cluster, simulate_cluster
from wavescope_lab.simulator.origins.model import read_origins, simulate_origins
from wavescope_lab.simulator.queues import OpenQueue, simulate_queue, simulate_references
from wavescope_lab.simulator.report import read_report, simulate_report
from wavescope_lab.simulator.sites.batch import simulate_batch
from wavescope_lab.simulator.sites.events import simulate_events
from wavescope_lab.simulator.sites.model import ENGINES, read_sites
from wavescope_lab.simulator.system.model import read_system, simulate_system
from wavescope_lab.simulator.tables import Table
from wavescope_lab.simulator.theory import zipf

Trial = Callable[[str], dict[str, float]]
"""One trial of a seed: its figures by metric. The same seed gives the same figures (SI1)."""
Model = Callable[[Table], Trial]
"""The trial of a table of parameters; it raises InvalidExperiment if they are not those of the model."""


def _queue(table: Table) -> Trial:
    queue = OpenQueue(
        table.distribution("arrivals"),
        table.distribution("service"),
        table.integer("servers", 1, 10_000, 1),
        table.integer("customers", 10, 10_000_000),
    )
    return lambda seed: simulate_queue(queue, seed)


def _cache(table: Table) -> Trial:
    shares = zipf(table.integer("keys", 1, 1_000_000), table.number("exponent", 0, 10))
    size, references = table.integer("size", 1, 1_000_000), table.integer("references", 2, 10_000_000)
    policy = POLICIES[table.choice("policy", tuple(POLICIES), "lru")]

    def trial(seed: str) -> dict[str, float]:
        order: Policy[int] = policy()  # type: ignore[assignment]  # a policy takes keys of any type
        return simulate_references(shares, size, order, references, seed)

    return trial


def _report(table: Table) -> Trial:
    report = read_report(table)
    return lambda seed: simulate_report(report, seed)


def _sites(table: Table) -> Trial:
    sites = read_sites(table)
    simulate = simulate_events if table.choice("engine", ENGINES, "batch") == "events" else simulate_batch
    return lambda seed: simulate(sites, seed)


def _cluster(table: Table) -> Trial:
    cluster = read_cluster(table)
    return lambda seed: simulate_cluster(cluster, seed)


def _system(table: Table) -> Trial:
    system = read_system(table)
    return lambda seed: simulate_system(system, seed)


def _origins(table: Table) -> Trial:
    origins = read_origins(table)
    return lambda seed: simulate_origins(origins, seed)


MODELS: Mapping[str, Model] = {
    "queue": _queue,
    "cache": _cache,
    "report-1998": _report,
    "sites": _sites,
    "cluster": _cluster,
    "system": _system,
    "origins": _origins,
}


def unread(model: str, place: str, parameters: Mapping[str, object]) -> frozenset[str]:
    """The parameters that a model of MODELS does not have. Raises InvalidExperiment."""
    table = Table(place, parameters)
    MODELS[model](table)
    return table.unread


def trial_of(model: str, place: str, parameters: Mapping[str, object]) -> Trial:
    """The trial of a model of MODELS. Raises InvalidExperiment for a parameter that it does not have."""
    table = Table(place, parameters)
    trial = MODELS[model](table)
    table.done()
    return trial

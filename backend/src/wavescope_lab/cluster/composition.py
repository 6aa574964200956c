"""All parts of a cluster, from its description."""

from __future__ import annotations

from wavescope_lab.cluster.description import Cluster, secrets_of
from wavescope_lab.cluster.part import Part
from wavescope_lab.cluster.parts import balancer, measurements, nodes, storage
from wavescope_lab.cluster.parts.context import Context
from wavescope_lab.cluster.programs import find_programs

PROGRAMS = ("initdb", "postgres", "versitygw", "haproxy")
OPTIONAL = {"rates": "redis-server", "prometheus": "prometheus"}


def context_of(cluster: Cluster) -> Context:
    """What the parts are made from. Raises MissingProgram."""
    wanted = [*PROGRAMS, *(program for name, program in OPTIONAL.items() if name not in cluster.without)]
    programs = find_programs(wanted)
    return Context(cluster, secrets_of(cluster.folder), programs)


def parts_of(context: Context) -> dict[str, Part]:
    """By name."""
    cluster = context.cluster
    parts = [storage.postgresql(context), storage.object_store(context)]
    if "rates" not in cluster.without:
        parts.append(storage.rates(context))
    if cluster.dask_workers:
        parts += [nodes.scheduler(context), *nodes.workers(context)]
    parts += [*nodes.nodes(context), balancer.balancer(context)]
    if "prometheus" not in cluster.without:
        parts.append(measurements.prometheus(context))
    return {part.name: part for part in parts}

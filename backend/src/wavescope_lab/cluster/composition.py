"""All parts of a cluster, from its description."""

from __future__ import annotations

from wavescope_lab.cluster.description import Cluster, secrets_of
from wavescope_lab.cluster.part import Part
from wavescope_lab.cluster.parts import balancer, measurements, nodes, storage
from wavescope_lab.cluster.parts.place import Place
from wavescope_lab.cluster.programs import find_programs

PROGRAMS = ("initdb", "postgres", "versitygw", "haproxy")
OPTIONAL = {"rates": "redis-server", "prometheus": "prometheus"}


def place_of(cluster: Cluster) -> Place:
    """What the parts are made from. Raises MissingProgram."""
    wanted = [*PROGRAMS, *(program for name, program in OPTIONAL.items() if name not in cluster.without)]
    programs = find_programs(wanted)
    return Place(cluster, secrets_of(cluster.folder), programs)


def parts_of(place: Place) -> dict[str, Part]:
    """By name."""
    cluster = place.cluster
    parts = [storage.postgresql(place), storage.object_store(place)]
    if "rates" not in cluster.without:
        parts.append(storage.rates(place))
    if cluster.dask_workers:
        parts += [nodes.scheduler(place), *nodes.workers(place)]
    parts += [*nodes.nodes(place), balancer.balancer(place)]
    if "prometheus" not in cluster.without:
        parts.append(measurements.prometheus(place))
    return {part.name: part for part in parts}

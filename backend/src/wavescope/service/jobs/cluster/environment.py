"""What makes the jobs of a service those of a cluster."""

from __future__ import annotations

from collections.abc import Callable

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.jobs.leases import JobLeases
from wavescope.catalog.jobs.table import JobTable
from wavescope.config import Config
from wavescope.service.jobs.cluster.files import SharedFiles
from wavescope.service.jobs.cluster.queue import LeaseQueue
from wavescope.service.jobs.queues import WorkerEnvironment
from wavescope.service.jobs.views import JobViews
from wavescope.service.nodes.node import Node
from wavescope.service.outages import CatalogRetry
from wavescope.store.objects.client import Objects
from wavescope.store.objects.uploads import UploadObjects
from wavescope.store.space import StoreSpace

TOPIC = "jobs"

Environment = Callable[[JobViews], WorkerEnvironment]


def cluster_environment(
    config: Config, catalog: Catalog, node: Node | None, retry: CatalogRetry, at_once: Callable[[], int] = lambda: 1
) -> Environment | None:
    """Queue and files of the jobs of a node whose slides are in an object store; None: this machine runs its own."""
    if node is None or not config.slide_store:
        return None
    objects = UploadObjects(Objects.at(config.slide_store, config.slide_store_seconds))
    space = StoreSpace(config.store, config.limits.free_bytes, config.limits.low_bytes)
    table, leases = JobTable(catalog.engine), JobLeases(catalog.engine, node.name)
    files = SharedFiles(config.store / "uploads", objects, space.check, table.unfinished)
    soon = retry.within(config.limits.database_request_seconds)
    return lambda views: WorkerEnvironment(LeaseQueue(leases, views, soon, announcing(node)), files, at_once)


def announcing(node: Node | None) -> Callable[[str], None]:
    """Tells the other nodes that a job has changed."""
    if node is None:
        return lambda _: None
    channel = node.channel
    return lambda job_id: channel.post(TOPIC, job_id)

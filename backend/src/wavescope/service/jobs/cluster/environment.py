"""What makes the jobs of a service those of a cluster."""

from __future__ import annotations

from collections.abc import Callable

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.jobs.leases import JobLeases
from wavescope.catalog.jobs.table import JobTable
from wavescope.config import Config
from wavescope.service.jobs.cluster.dask import DaskRunner
from wavescope.service.jobs.cluster.files import SharedFiles
from wavescope.service.jobs.cluster.queue import LeaseQueue
from wavescope.service.jobs.queues import WorkerEnvironment
from wavescope.service.jobs.runs import Runner
from wavescope.service.jobs.views import JobViews
from wavescope.service.nodes.node import Node
from wavescope.service.outages import CatalogRetry
from wavescope.store.objects.client import Objects
from wavescope.store.objects.uploads import UploadObjects
from wavescope.store.space import StoreSpace

TOPIC = "jobs"

Environment = Callable[[JobViews], WorkerEnvironment]


def cluster_environment(
    config: Config, catalog: Catalog, node: Node | None, retry: CatalogRetry, dask: DaskRunner | None
) -> Environment | None:
    """Queue and files of the jobs of a node whose slides are in an object store; None: this machine runs its own.
    ``dask``: the runner of its jobs, where a Dask cluster is configured.
    """
    if node is None or not config.slide_store:
        return None
    objects = UploadObjects(Objects.at(config.slide_store, config.slide_store_seconds))
    space = StoreSpace(config.store, config.limits.free_bytes, config.limits.low_bytes)
    table, leases = JobTable(catalog.engine), JobLeases(catalog.engine, node.name)
    files = SharedFiles(config.store / "uploads", objects, space.check, table.unfinished)
    soon = retry.within(config.limits.database_request_seconds)

    def environment(views: JobViews) -> WorkerEnvironment:
        queue = LeaseQueue(leases, views, soon, announcing(node))
        if dask is None:
            return WorkerEnvironment(queue, files)
        dask.attach(files.fetched, lambda: views.going)
        return WorkerEnvironment(queue, files, dask.at_once, runner_fetches=True)

    return environment


def dask_runner(config: Config, catalog: Catalog, node: Node | None, inner: Runner) -> DaskRunner | None:
    """The runner of a node's jobs on the configured Dask cluster; None: there is none, or no object store."""
    if node is None or not (config.dask_scheduler and config.slide_store):
        return None
    return DaskRunner(config, catalog, inner)


def announcing(node: Node | None) -> Callable[[str], None]:
    """Tells the other nodes that a job has changed."""
    if node is None:
        return lambda _: None
    channel = node.channel
    return lambda job_id: channel.post(TOPIC, job_id)

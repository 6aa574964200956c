"""What makes the jobs of a service those of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.jobs.queue import JobQueue
from wavescope.config import Config
from wavescope.service.jobs.cluster.files import SharedFiles
from wavescope.service.jobs.runs import Runner
from wavescope.service.jobs.worker import WorkerEnvironment
from wavescope.service.nodes.node import Node
from wavescope.store.objects.client import Objects
from wavescope.store.objects.uploads import UploadObjects
from wavescope.store.space import StoreSpace

if TYPE_CHECKING:
    from wavescope.service.jobs.cluster.dask import DaskRunner

TOPIC = "jobs"


def job_queue(config: Config, catalog: Catalog, node: Node | None) -> JobQueue:
    """The jobs of a store; nodes whose slides are in an object store run them together."""
    return JobQueue(catalog.engine, node.name if node is not None and config.slide_store else None)


def cluster_environment(config: Config, queue: JobQueue, dask: DaskRunner | None) -> WorkerEnvironment | None:
    """Where the files of a cluster's jobs are; None: this machine runs its own. ``dask``: the runner of the jobs, where
    a Dask cluster is configured.
    """
    if not queue.shared:
        return None
    objects = UploadObjects(Objects.at(config.slide_store, config.slide_store_seconds))
    space = StoreSpace(config.store, config.limits.free_bytes, config.limits.low_bytes)
    files = SharedFiles(config.store / "uploads", objects, space.check, queue.unfinished)
    if dask is None:
        return WorkerEnvironment(files)
    dask.attach(files.fetched, queue.going)
    return WorkerEnvironment(files, dask.max_in_flight, runner_fetches=True)


def dask_runner(config: Config, catalog: Catalog, node: Node | None, inner: Runner) -> DaskRunner | None:
    """The runner of a node's jobs on the configured Dask cluster; None: there is none, or no object store."""
    if node is None or not (config.dask_scheduler and config.slide_store):
        return None
    from wavescope.service.jobs.cluster.dask import DaskRunner  # here: it imports all readers of slide files

    return DaskRunner(config, catalog, inner)


def announcing(node: Node | None) -> Callable[[str], None]:
    """Tells the other nodes that a job has changed."""
    if node is None:
        return lambda _: None
    channel = node.channel
    return lambda job_id: channel.post(TOPIC, job_id)

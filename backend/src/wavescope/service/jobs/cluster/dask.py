"""Jobs on the workers of a Dask cluster: whole slides if enough of them wait, else superblocks (CL50 to CL56)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.jobs.queue import Lease
from wavescope.config import Config
from wavescope.errors import IngestClusterAway, StoreFull, Unavailable, WavescopeError
from wavescope.ingest.cluster.division import division
from wavescope.ingest.cluster.orders import MadeSlide, Rejected, SharedSource, Slide
from wavescope.ingest.cluster.superblocks import encode_on
from wavescope.ingest.quality.presets import DEFAULT
from wavescope.ingest.remote_encoder import RemoteEncoder
from wavescope.kernel.wasm import digest as kernel_digest
from wavescope.logs.loggers import get_logger
from wavescope.service.jobs.cluster.naming import Named, named
from wavescope.service.jobs.runs import LEASE, IngestResult, JobFailed, Report, Runner
from wavescope.service.quality_maps.scanning import scan_after_import
from wavescope.service.storage import object_backend
from wavescope.source.base import Limits, reader_limits
from wavescope.source.open import SPECIMEN
from wavescope.store.files.stored import NewVersion
from wavescope.store.manifest import canonical
from wavescope.store.objects.backend import ObjectBackend

ALLOWED_FULL = 8  # workers with full disks that are tried for one slide

log = get_logger(__name__)


def shared_source(config: Config, path: Path, job: str) -> SharedSource:
    """A job's file as workers find it: in the object store if it was uploaded there, else under the same path."""
    if not job:
        seen = path if str(path).startswith(SPECIMEN) else path.absolute()
        return SharedSource(str(seen), reserve=config.limits.free_bytes)
    seconds, reserve = config.slide_store_seconds, config.limits.free_bytes
    return SharedSource(path.name, job, config.slide_store, seconds, reserve)


def keeps_original(config: Config, options: Mapping[str, Any]) -> bool:
    """Whether a job stores its file beside the version: then its node publishes it, which has both."""
    return options.get("original") == "keep" or (config.keep_originals and not options.get("original"))


def reading_limits(config: Config, options: Mapping[str, Any]) -> Limits:
    """Those of the reader of a job's file, with its time point."""
    return replace(reader_limits(config.limits), time=int(options.get("time", 0)))


@contextlib.contextmanager
def workers_of(config: Config, path: Path, job: str = "") -> Iterator[RemoteEncoder | None]:
    """The configured Dask cluster; None: this machine encodes alone. ``job``: of which the object store has the file.

    Raises MissingPackage, Unavailable.
    """
    if not config.dask_scheduler:
        yield None
        return
    from wavescope.ingest.cluster.client import connected  # an optional package, slow to import

    with connected(config.dask_scheduler, shared_source(config, path, job)) as cluster:
        yield partial(encode_on, cluster)


class DaskRunner:
    """Runs the jobs of a node on a Dask cluster. ``inner`` divides one slide among the workers, which it reads here.
    One event loop.
    """

    def __init__(self, config: Config, catalog: Catalog, inner: Runner) -> None:
        self._config, self._catalog, self._inner = config, catalog, inner
        backend = object_backend(config)
        assert backend is not None, "whole slides need an object store"
        self._backend: ObjectBackend = backend
        self._fetch: Callable[[Path], Awaitable[object]] = lambda _path: asyncio.sleep(0)
        self._waiting: Callable[[], int] = lambda: 0
        self._client: Any = None
        self._connecting = asyncio.Lock()

    def attach(self, fetch: Callable[[Path], Awaitable[object]], waiting: Callable[[], int]) -> None:
        """To the jobs of the node. ``fetch``: brings a job's file here; ``waiting``: reads how many wait or run."""
        self._fetch, self._waiting = fetch, waiting

    def max_in_flight(self) -> int:
        """Jobs that may run at one time now: one for each thread of the cluster, and the next one."""
        return max(1, self._threads() + 1) if self._client is not None else 1

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        """See Runner. Raises also Unavailable, JobLeaseLost: the job runs later, or elsewhere."""
        client = await self._connected()
        here = options.get("reencodes") or options.get("overlay_of") or keeps_original(self._config, options)
        if here or division(await asyncio.to_thread(self._waiting), self._threads()) == "superblocks":
            await self._fetch(path)
            return await self._inner.run(path, options, report)
        try:
            made = await self._slide(client, path, options, report)
            published = await asyncio.to_thread(self._published, path, options, made)
            return await asyncio.to_thread(self._judged, published)
        except Unavailable:  # later it may answer: no reason for the job to fail
            raise
        except WavescopeError as error:
            raise JobFailed(type(error).__name__, str(error)) from error

    async def discard(self, path: Path) -> None:
        """See Runner."""
        await self._inner.discard(path)

    async def stop(self) -> None:
        """Ends the connection: what its workers do for this node ends too."""
        if self._client is not None:
            await self._client.close()

    async def connect(self) -> None:
        """Connects, if there is no connection; to be called now and then, so that ``at_once`` is known."""
        with contextlib.suppress(Unavailable):
            await self._connected()

    # -- one slide

    async def _slide(self, client: Any, path: Path, options: Mapping[str, Any], report: Report) -> MadeSlide:
        """Raises SourceError kinds, StoreFull, Unavailable."""
        limits = reading_limits(self._config, options)
        source = shared_source(self._config, path, path.parent.name)
        deidentify, quality = self._config.deidentify, str(options.get("quality") or DEFAULT)
        of_channels = str(options.get("channel_quality", ""))
        order = Slide(source, quality, of_channels, deidentify, limits, kernel_digest())
        topic, full = f"wavescope-{path.parent.name}-{options.get(LEASE, 0)}", list[str]()
        client.subscribe_topic(topic, lambda event: report(event[1]["done"], event[1]["total"]))
        try:
            while len(full) < ALLOWED_FULL:
                found = await self._result(client, order, topic, full)
                if isinstance(found, MadeSlide):
                    return found
                if not found.full:
                    raise found.error(path.name, limits)
                full.append(found.worker)
                log.warning("the disk of a worker is full", job=path.parent.name, workers=len(full))
        finally:
            with contextlib.suppress(ValueError):
                client.unsubscribe_topic(topic)
        raise StoreFull("the workers of the ingest cluster")

    async def _result(self, client: Any, order: Slide, topic: str, without: list[str]) -> MadeSlide | Rejected:
        from wavescope.ingest.cluster.client import failure
        from wavescope.ingest.cluster.worker import ingest_slide

        where: dict[str, Any] = {}
        if without:
            info = await client.scheduler.identity(n_workers=-1)
            others = [one for one in info["workers"] if one not in without]
            if not others:
                raise StoreFull("the workers of the ingest cluster")
            where = {"workers": others, "allow_other_workers": False}
        future = client.submit(ingest_slide, order, topic, pure=False, **where)
        try:
            found: MadeSlide | Rejected = await future
            return found
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and not task.cancelling():
                raise IngestClusterAway("its scheduler has lost the work") from None
            await client.cancel([future], reason="the job has ended")
            raise
        except Exception as error:
            lost = failure(error, order.source.path)
            if isinstance(lost, Unavailable):
                raise JobFailed(Unavailable.__name__, str(lost)) from error
            raise lost from error

    def _published(self, path: Path, options: Mapping[str, Any], made: MadeSlide) -> IngestResult:
        """In a thread. Raises Unavailable if the version was removed meanwhile, JobLeaseLost, and as ``named``."""
        catalog, deidentify = self._catalog, self._config.deidentify
        publisher = catalog
        if LEASE in options:
            publisher = catalog.on_publish(Lease(path.parent.name, options[LEASE]).note_published)

        def publish(as_: Named) -> str:
            version = NewVersion(made.digest, made.manifest)
            publisher.publish_version(as_.slide_id, as_.title, version, replace=as_.replace, owner=as_.owner)
            return as_.slide_id

        with self._backend.writing(made.digest) as target:
            if target.size("manifest.json") is None:
                raise Unavailable("the slide version", "it was removed before it was published")
            target.publish(canonical(made.manifest))
            given = {**options, "deidentify": deidentify}
            return IngestResult(named(catalog, given, path.stem, made.fingerprint, publish), made.notices)

    def _judged(self, made: IngestResult) -> IngestResult:
        """With what is to be known of the scan (QM11)."""
        notice = scan_after_import(self._config, self._catalog, made.slide_id)
        return made._replace(notices=(*made.notices, notice)) if notice else made

    # -- the connection

    def _threads(self) -> int:
        from wavescope.ingest.cluster.client import threads_of

        return threads_of(self._client.scheduler_info())

    async def _connected(self) -> Any:
        """Raises MissingPackage, Unavailable."""
        from wavescope.ingest.cluster.client import CONNECT_SECONDS, distributed_package

        async with self._connecting:
            if self._client is not None and self._client.status in ("closed", "closing"):
                self._client = None
            if self._client is None:
                package = distributed_package()
                try:
                    self._client = await package.Client(
                        self._config.dask_scheduler, asynchronous=True, timeout=CONNECT_SECONDS, set_as_default=False
                    )
                except (OSError, TimeoutError, ValueError) as error:
                    raise IngestClusterAway from error
            if self._client.status != "running":
                raise IngestClusterAway
            return self._client

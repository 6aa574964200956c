"""The connection to a Dask cluster; the only module that knows ``distributed``, beside ``worker.py``.

Dask sends pickles: a client that reaches the scheduler can run code on the workers and on other clients. It belongs on
a private network, or behind TLS (a ``tls://`` address; certificates by Dask's own configuration).
"""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from wavescope.errors import IngestClusterAway, MissingPackage, StoreFull, Unavailable, UnreadableSource, WavescopeError
from wavescope.ingest.cluster.orders import Rejected, SharedSource, Superblock, UnitMade
from wavescope.ingest.cluster.worker import encode_superblock

CONNECT_SECONDS = 10.0
WORKERS = "the workers of the ingest cluster"


class Cluster(Protocol):
    """Workers that make superblocks, as far as an ingest knows them."""

    @property
    def threads(self) -> int: ...

    @property
    def source(self) -> SharedSource:
        """Of the slide that is ingested."""
        ...

    def submit(self, order: Superblock, without: Sequence[str] = ()) -> Any:
        """Begins it, on any worker but these. Raises StoreFull if there are no others."""
        ...

    def next_done(self, seconds: float) -> Any | None:
        """A submitted order that has ended; None if none has within so many seconds."""
        ...

    def result(self, future: Any) -> list[UnitMade] | Rejected:
        """Of one that has ended. Raises IngestClusterAway, UnreadableSource."""
        ...

    def cancel(self, futures: Sequence[Any]) -> None: ...


def distributed_package() -> Any:
    """Raises MissingPackage."""
    try:
        import distributed
    except ImportError as error:
        raise MissingPackage("Dask", "ingest on a cluster", "cluster") from error
    return distributed


def threads_of(info: Any) -> int:
    """The threads of all workers, by the scheduler's description."""
    return int(info["total_threads"])  # it need not name each worker


class DaskCluster:
    """A cluster for one ingest. Thread-safe where Dask is; blocking."""

    def __init__(self, client: Any, source: SharedSource) -> None:
        self._client, self.source = client, source
        self._done: queue.Queue[Any] = queue.Queue()

    @property
    def threads(self) -> int:
        return threads_of(self._client.scheduler_info())

    def submit(self, order: Superblock, without: Sequence[str] = ()) -> Any:
        future = self._client.submit(encode_superblock, order, pure=False, **self._elsewhere(without))
        future.add_done_callback(self._done.put)
        return future

    def next_done(self, seconds: float) -> Any | None:
        try:
            return self._done.get(timeout=seconds)
        except queue.Empty:
            if self._client.status not in ("running", "connecting"):
                raise IngestClusterAway from None
            return None

    def result(self, future: Any) -> list[UnitMade] | Rejected:
        if future.status == "cancelled":
            raise IngestClusterAway("its scheduler has lost the work")
        if (error := future.exception()) is not None:
            raise failure(error, self.source.path)
        found: list[UnitMade] | Rejected = future.result()
        return found

    def cancel(self, futures: Sequence[Any]) -> None:
        if futures:
            self._client.cancel(list(futures), reason="the ingest has ended")

    def _elsewhere(self, without: Sequence[str]) -> dict[str, Any]:
        if not without:
            return {}
        others = [one for one in self._client.scheduler_info()["workers"] if one not in without]
        if not others:
            raise StoreFull(WORKERS)
        return {"workers": others, "allow_other_workers": False}


def failure(error: BaseException, path: str) -> WavescopeError:
    """What became of a task that ended with an error, which is not one of ours: those travel as Rejected."""
    if type(error).__name__ == "KilledWorker":  # of the file or of the machines: nobody can tell
        return Unavailable("the ingest cluster", "several workers were lost while they read this file")
    return UnreadableSource(path, f"a worker ended with {type(error).__name__}: {error}")


@contextmanager
def connected(address: str, source: SharedSource) -> Iterator[DaskCluster]:
    """A cluster at the address of its scheduler. Raises MissingPackage, IngestClusterAway."""
    distributed = distributed_package()
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise IngestClusterAway from error
    try:
        yield DaskCluster(client, source)
    finally:
        client.close()

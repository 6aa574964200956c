"""The client of an object store: the only module that knows obstore.

Transient failures are repeated by obstore: connection errors, timeouts of reads, answers 429 and 5xx, after waits that
grow exponentially and have jitter, until ``seconds`` are over (ST86). What is still wrong then is Unavailable. A read
ends then, too, if an attempt is under way, which obstore would await; a write ends with this attempt.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, PermissionDeniedError, PreconditionError
from obstore.exceptions import UnauthenticatedError as NoCredentials
from obstore.store import S3Store

from wavescope.errors import Unavailable
from wavescope.store.objects.location import bucket_of
from wavescope.store.objects.loop import run

SECONDS = 20.0
"""How long a request is repeated by default: longer than a restart of the store."""
CHUNK = 4 << 20
"""Bytes of an object that are in memory while it is copied."""
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 2.0  # seconds between two attempts
_SILENCE = 10.0  # seconds without a byte after which an attempt has failed
_SLOWEST = 256 << 10  # bytes per second of a read that arrives
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
_MAX_PARTS = 9000
_NAME = "the object store"


@dataclass
class ObjectReads:
    """What was read: requests, and their bytes."""

    requests: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class Stored:
    """What the store says of an object."""

    size: int
    tag: str | None
    modified: datetime


class Objects:
    """The objects of one place by their paths. Thread-safe; the asynchronous methods belong to one event loop.

    FileNotFoundError if there is no such object, ValueError if it is shorter than what is read of it, Unavailable if
    the store does not answer or refuses.
    """

    def __init__(self, store: S3Store, seconds: float = SECONDS) -> None:
        self._store, self._seconds = store, seconds
        self.reads = ObjectReads()

    @classmethod
    def at(cls, location: str, seconds: float = SECONDS) -> Objects:
        """Those of a bucket, for which a request is repeated for ``seconds``. Raises InvalidParameter.

        Endpoint, region and credentials: the standard ``AWS_...`` variables of the environment.
        """
        bucket = bucket_of(location)
        endpoint = next(filter(None, map(os.environ.get, _ENDPOINTS)), None)
        given: dict[str, Any] = {} if endpoint is None else {"endpoint": endpoint}
        store = S3Store(
            bucket.name,
            prefix=bucket.prefix or None,
            client_options={
                "allow_http": endpoint is not None and endpoint.startswith("http://"),
                "connect_timeout": timedelta(seconds=5),
                "read_timeout": timedelta(seconds=_SILENCE),
                "timeout": timedelta(hours=1),  # of a whole upload; silence ends an attempt earlier
            },
            retry_config={
                "max_retries": 1000,
                "retry_timeout": timedelta(seconds=seconds),
                "backoff": {
                    "init_backoff": timedelta(seconds=_FIRST_WAIT),
                    "max_backoff": timedelta(seconds=_LONGEST_WAIT),
                    "base": 2,
                },
            },
            checksum_algorithm="SHA256",
            **given,
        )
        return cls(store, seconds)

    # --- asynchronous reads ----------------------------------------------------------------------------------------

    async def read(self, path: str, start: int, length: int) -> bytes:
        """Exactly these bytes of an object, in one ranged read."""
        self.reads.requests += 1
        data = await self._read(path, start, length)
        self.reads.bytes += len(data)
        return data

    async def whole(self, path: str, max_bytes: int) -> bytes:
        """A whole object; ValueError, without reading it, if it has more than ``max_bytes`` bytes."""
        self.reads.requests += 1
        data = await self._whole(path, max_bytes)
        self.reads.bytes += len(data)
        return data

    async def _read(self, path: str, start: int, length: int) -> bytes:
        with _translated():
            async with self._within(length):
                try:
                    data = bytes(await obstore.get_range_async(self._store, path, start=start, length=length))
                except (BaseError, OSError) as error:
                    raise await self._failure(path, start + length, error) from error
        return _exactly(data, start, length)

    async def _whole(self, path: str, max_bytes: int) -> bytes:
        with _translated():
            async with self._within():
                found = await obstore.get_async(self._store, path)
            size = found.meta["size"]
            _check_size(size, max_bytes)
            async with self._within(size):
                return bytes(await found.bytes_async())

    def _within(self, length: int = 0) -> asyncio.Timeout:
        """The time limit of an answer with so many bytes. Raises TimeoutError after it."""
        return asyncio.timeout(self._seconds + length / _SLOWEST)

    async def _failure(self, path: str, end: int, error: Exception) -> Exception:
        """Why a ranged read failed: also because the object is shorter than it should be."""
        if isinstance(error, FileNotFoundError):
            return error
        try:
            with _translated():
                size = (await obstore.head_async(self._store, path))["size"]
        except (FileNotFoundError, Unavailable) as cause:
            return cause
        if size < end:
            return ValueError(f"the file ends at byte {size}, {end} were expected")
        return _unavailable(error)

    # --- from any thread -------------------------------------------------------------------------------------------

    def read_blocking(self, path: str, start: int, length: int) -> bytes:
        """``read`` for a thread."""
        return run(self._read(path, start, length))

    def whole_blocking(self, path: str, max_bytes: int) -> bytes:
        """``whole`` for a thread."""
        return run(self._whole(path, max_bytes))

    def chunks(self, path: str) -> Iterator[bytes]:
        """A whole object, piece by piece."""

        async def begin() -> AsyncIterator[Any]:
            async with self._within():
                found = await obstore.get_async(self._store, path)
            return found.stream(CHUNK).__aiter__()

        with _translated():
            yield from map(bytes, self._each(run(begin()), CHUNK))

    def find(self, path: str) -> Stored | None:
        """What is stored under this path, None if nothing is."""

        async def head() -> Any:
            async with self._within():
                return await obstore.head_async(self._store, path)

        try:
            with _translated():
                found = run(head())
        except FileNotFoundError:
            return None
        return Stored(found["size"], found["e_tag"], found["last_modified"])

    def under(self, folder: str) -> Iterator[tuple[str, int]]:
        """Path and size of every object under a folder."""
        with _translated():
            for some in self._each(obstore.list(self._store, folder, chunk_size=1000).__aiter__()):
                for one in some:
                    yield one["path"], one["size"]

    def folders(self, folder: str) -> list[str]:
        """The names of the folders in a folder."""

        async def listed() -> Any:
            async with self._within():
                return await obstore.list_with_delimiter_async(self._store, folder)

        with _translated():
            found = run(listed())["common_prefixes"]
        return sorted(path.rstrip("/").rpartition("/")[2] for path in found)

    def _each(self, stream: AsyncIterator[Any], length: int = 0) -> Iterator[Any]:
        """What comes in a stream, each of at most ``length`` bytes."""

        async def following() -> Any:
            async with self._within(length):
                return await anext(stream, None)

        while (found := run(following())) is not None:
            yield found

    def signed(self, paths: Sequence[str], seconds: int) -> list[str]:
        """URLs with which anyone may read these objects for so long; no request is made."""
        with _translated():
            return list(obstore.sign(self._store, "GET", paths, timedelta(seconds=seconds)))

    def put(self, path: str, chunks: Iterable[bytes], size: int = 0) -> None:
        """Store an object, complete or not at all; the store checks the SHA-256 of what arrives. ``size``: bytes of a
        large one, which is sent in larger parts: S3 takes 10,000 of them.
        """
        with _translated():
            obstore.put(self._store, path, iter(chunks), chunk_size=max(2 * CHUNK, size // _MAX_PARTS + 1))

    def create(self, path: str, data: bytes) -> bool:
        """Store a small object unless there is one under this path: whether it was stored (If-None-Match: *)."""
        try:
            with _translated():
                obstore.put(self._store, path, data, mode="create", use_multipart=False)
        except (AlreadyExistsError, PreconditionError):
            return False
        return True

    def replace(self, path: str, data: bytes, tag: str | None) -> bool:
        """Store a small object in place of the one with this tag: whether it was still that one (If-Match)."""
        try:
            with _translated():
                obstore.put(self._store, path, data, mode={"e_tag": tag}, use_multipart=False)
        except (AlreadyExistsError, PreconditionError, FileNotFoundError):
            return False
        return True

    def delete(self, paths: Sequence[str]) -> None:
        """Delete objects; those that do not exist are no error."""
        for path in paths:
            with contextlib.suppress(FileNotFoundError), _translated():
                obstore.delete(self._store, path)


def _exactly(data: bytes, start: int, length: int) -> bytes:
    if len(data) != length:
        raise ValueError(f"the file ends at byte {start + len(data)}, {start + length} were expected")
    return data


def _check_size(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise ValueError(f"it has {size} bytes, {max_bytes} are allowed")


@contextmanager
def _translated() -> Iterator[None]:
    """Raise Unavailable for what is neither a missing object nor a condition that does not hold."""
    try:
        yield
    except (FileNotFoundError, AlreadyExistsError, PreconditionError):
        raise
    except (BaseError, OSError) as error:
        raise _unavailable(error) from error


def _unavailable(error: Exception) -> Unavailable:
    """Without the words of the error, which name addresses and accounts; it is the cause."""
    refused = isinstance(error, PermissionDeniedError | NoCredentials)
    return Unavailable(_NAME, "it refuses the credentials of this service" if refused else "it does not answer")

"""The block source of a place: a store, or a service with retries, one fetch at a time of each block, and a cache."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import aiohttp

from wavescope.blocks.base import BlockSource
from wavescope.blocks.cache.memory import MemoryCache
from wavescope.blocks.cache.policies import Sieve
from wavescope.blocks.cached import CachedSource
from wavescope.blocks.coalescing import CoalescingSource
from wavescope.blocks.local import LocalStore
from wavescope.blocks.remote.client import OriginClient, Permit, Permits, read_up_to
from wavescope.blocks.remote.source import RemoteSource
from wavescope.client.locations import LocalLocation, Options, RemoteLocation
from wavescope.client.problems import MAX_BYTES, error_of
from wavescope.client.retrying import Attempts, RetryingSource
from wavescope.errors import WavescopeError

BATCH = 256  # blocks of one request


class ClientOrigin(OriginClient):
    """Asks a service for parts of a slide; its problems are the errors that they name."""

    async def _problem(self, response: aiohttp.ClientResponse, slide_id: str, slide: str) -> WavescopeError:
        body = await read_up_to(response, MAX_BYTES)
        headers = {name.lower(): value for name, value in response.headers.items()}
        error = error_of(response.status, body, headers, time.time())
        self.counts.failures[type(error).__name__] += 1
        return error


def attempts_of(options: Options) -> Callable[[], Attempts]:
    """The bounds of each request."""
    return lambda: Attempts(options.attempts, options.patience)


def local_source(location: LocalLocation, options: Options) -> BlockSource:
    """Blocks of the store on this machine's disk."""
    return LocalStore(location.store, threads=options.threads)


def remote_source(location: RemoteLocation, digest: str, options: Options) -> CachedSource:
    """Blocks of a version that a service holds. Verified; cached in at most ``block_bytes``."""
    permits = Permits(1)
    permits.put(digest, Permit(location.slide, options.headers, math.inf))
    client = ClientOrigin(location.base, permits, options.connections, options.timeout)
    remote = RemoteSource(location.base, permits, client=client)
    asking = CoalescingSource(RetryingSource(remote, attempts_of(options)), batch=BATCH)
    return CachedSource(asking, MemoryCache(options.block_bytes, Sieve()))

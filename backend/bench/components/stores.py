"""Times of what is behind a node and in front of it: object store, disk, catalog, balancer."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from cluster.parts import Cluster, Data, cluster, data
from cluster.shares import share
from edge.processes import Program
from setting import fetch_json

from components.samples import Samples
from components.services import BATCHES, FEW, MANY, batches_of, cpu_of, latencies, requests_of
from object_stores import BUCKET
from service import cpu_seconds, exchange
from wavescope.catalog.catalog import Catalog
from wavescope.geometry import Address
from wavescope.store.objects.client import Objects
from wavescope.store.reader import StoreReader

SIZE = (6000, 4000)
LITTLE = 1 << 16
"""Bytes of memory for blocks: nothing is there when it is requested again."""
READS = 300
IDLE_SECONDS = 5.0
COLD_BATCHES = 200


def store_times(folder: Path, samples: Samples, rounds: int, cores: float) -> None:
    """Everything that needs PostgreSQL, versitygw and HAProxy. ``cores``: the share of a core of a limited node."""
    with ExitStack() as stack:
        unlimited = stack.enter_context(share("rest", None))
        unlimited.hold(os.getpid())
        shared = stack.enter_context(data(folder, 2, SIZE, unlimited))
        _object_store(samples)
        _catalog(shared, samples)
        with cluster(folder / "little", shared, 1, [cores], {"SLIDE_STORE_MEMORY": LITTLE}) as one:
            _misses(one, shared, samples, rounds)
        with cluster(folder / "much", shared, 1, [cores]) as one:
            _balancer(one, shared, samples, rounds)
            _limited(one, shared, samples, rounds)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _object_store(samples: Samples) -> None:
    """Ranged reads of 16 kB, one after another."""
    objects, dice = Objects.at(f"s3://{BUCKET}"), random.Random(1)
    found = [(path, size) for path, size in objects.under("slides") if size > 1 << 18]
    for turn in range(READS):
        path, size = found[turn % len(found)]
        start = dice.randrange(size - (1 << 14))
        seconds = _seconds(lambda path=path, start=start: objects.read_blocking(path, start, 1 << 14))  # type: ignore[misc]
        if turn >= READS // 10:
            samples.add_all("store_get", [seconds])


def _catalog(shared: Data, samples: Samples) -> None:
    """The record of a slide, from PostgreSQL."""
    with closing(Catalog.open(shared.catalog)) as catalog:
        seconds = [_seconds(lambda: catalog.get(shared.slides[0])) for _ in range(READS)]
    samples.add_all("catalog_get", seconds[READS // 10 :])


def disk_times(store: Path, samples: Samples) -> None:
    """Blocks of level 0 from a shard on the local disk, in the memory of the system."""
    reader = StoreReader.open(store, next((store / "slides").iterdir()).name)
    layers, (columns, rows) = range(reader.manifest.layers), reader.manifest.pyramid.tiles(0)
    addresses = [Address(0, 0, 0, x, y) for y in range(rows) for x in range(columns)]
    seconds = [_seconds(lambda one=one: reader.read(one, layers)) for one in addresses * 3]  # type: ignore[misc]
    samples.add_all("disk_read", seconds[len(addresses) :])


def _node(one: Cluster) -> Program:
    return Program(one.nodes[0].port, one.nodes[0].pid)


def _misses(one: Cluster, shared: Data, samples: Samples, rounds: int) -> None:
    """A node that has to read each block from the object store: processor time of a block, seconds of a batch."""
    node = _node(one)
    requests = requests_of(fetch_json(f"{one.nodes[0].url}/api/v1/slides/{shared.slides[0]}"), one.nodes[0].url)
    for _ in range(rounds):
        few = cpu_of(node, requests.few, COLD_BATCHES, 2)
        many = cpu_of(node, requests.many, COLD_BATCHES, 1)
        samples.add("cold_batch", max(0.0, few - FEW * (many - few) / (MANY - FEW)))
        samples.add("cold_block", (many - few) / (MANY - FEW))
    for name, some in (("cold_few", requests.few), ("cold_many", requests.many)):
        samples.add_all(f"{name}_latency", asyncio.run(latencies(node, some, COLD_BATCHES)))


def _balancer(one: Cluster, shared: Data, samples: Samples, rounds: int) -> None:
    """Processor time of a request, and the seconds that it adds to one that meets nobody."""
    node, balancer = _node(one), Program(one.balancer.port, one.balancer.pid)
    requests = requests_of(fetch_json(f"{one.nodes[0].url}/api/v1/slides/{shared.slides[0]}"), one.nodes[0].url)
    cpu_of(node, requests.blocks, 1, len(requests.blocks))
    for _ in range(rounds):
        before = one.balancer.cpu_seconds()
        cpu_of(balancer, requests.few, 2000, 0)
        samples.add("balancer", (one.balancer.cpu_seconds() - before) / 2000)
        direct, passed = (sorted(asyncio.run(latencies(each, requests.blocks, 300))) for each in (node, balancer))
        samples.add("balancer_delay", passed[150] - direct[150])


def _limited(one: Cluster, shared: Data, samples: Samples, rounds: int) -> None:
    """The processor time of a node that has a share of a core, over that of one that has a whole one."""
    node = _node(one)
    requests = requests_of(fetch_json(f"{one.nodes[0].url}/api/v1/slides/{shared.slides[0]}"), one.nodes[0].url)
    for _ in range(rounds):
        for name, limit in (("full", one.release), ("limited", one.hold)):
            limit()
            batch, block = batches_of(node, requests, BATCHES if name == "full" else BATCHES // 3)
            samples.add(f"{name}_batch", batch)
            samples.add(f"{name}_block", block)
            samples.add(f"{name}_page", cpu_of(node, requests.pages, 600, 5))
            samples.add(f"{name}_manifest", cpu_of(node, [requests.manifest], 100, 5))
            connected = asyncio.run(_connected(node, requests.pages[0], 200))
            samples.add(f"{name}_connection", connected - samples.rounds[f"{name}_page"][-1])
    before, began = one.shares[0].cpu_seconds(), time.perf_counter()
    time.sleep(IDLE_SECONDS)
    samples.add("node_idle", (one.shares[0].cpu_seconds() - before) / (time.perf_counter() - began))
    one.release()


async def _connected(node: Program, request: bytes, count: int) -> float:
    """Seconds of processor time of a request on a connection of its own."""
    before = cpu_seconds(node.pid)
    for _ in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", node.port)
        await exchange(reader, writer, request)
        writer.close()
    return (cpu_seconds(node.pid) - before) / count

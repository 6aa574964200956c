"""Edges with a client each that read one file, block by block, from origins with copies (Tierney et al. 1999, 5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import simpy

from wavescope.blocks.replicated.policies import POLICIES, policy
from wavescope.errors.simulation import InvalidExperiment
from wavescope_lab.simulator.components import Steps
from wavescope_lab.simulator.origins.paths import Shared, Way
from wavescope_lab.simulator.origins.replicas import Replicas, WantedBlock
from wavescope_lab.simulator.tables import Table

MAX_LINKS = 1000


@dataclass(frozen=True)
class Wire:
    """The link from an origin to an edge: bits per second, seconds there and back. Those of a ``trunk`` share it."""

    edge: str
    origin: str
    bandwidth: float
    round_trip: float
    trunk: str


@dataclass(frozen=True)
class Origins:
    """``clients``: at the first edges of ``wires``, one each. A client requests ``batch`` blocks at a time, ``batches``
    of them. ``copies`` of each block are on origins in turn. ``origin_bandwidth``, ``client_bandwidth``: of hosts, bits
    per second."""

    wires: tuple[Wire, ...]
    clients: int
    copies: int
    assignment: str
    block: int
    batch: int
    batches: int
    origin_bandwidth: float
    client_bandwidth: float

    @property
    def origins(self) -> list[str]:
        """By name, in the order of the wires."""
        return list(dict.fromkeys(wire.origin for wire in self.wires))

    @property
    def edges(self) -> list[str]:
        """Those that have a client."""
        return list(dict.fromkeys(wire.edge for wire in self.wires))[: self.clients]


def read_origins(table: Table) -> Origins:
    """The model of a table of parameters. Raises InvalidExperiment."""
    wires = tuple(_wire(each) for each in table.tables("links", MAX_LINKS))
    found = Origins(
        wires=wires,
        clients=table.integer("clients", 1, 1000),
        copies=table.integer("copies", 1, 100),
        assignment=table.choice("assignment", tuple(POLICIES)),
        block=table.integer("block_bytes", 1, 1 << 30, 65_536),
        batch=table.integer("batch", 1, 100_000, 64),
        batches=table.integer("batches", 2, 100_000, 37),
        origin_bandwidth=table.number("origin_bandwidth", 1, 1e15, 1e15),
        client_bandwidth=table.number("client_bandwidth", 1, 1e15, 1e15),
    )
    edges, origins = len({wire.edge for wire in wires}), len(found.origins)
    if len({(wire.edge, wire.origin) for wire in wires}) < edges * origins or len(wires) > edges * origins:
        raise InvalidExperiment(f"{table.place}.links", "expected one link from each origin to each edge")
    if found.clients > edges or found.copies > origins:
        raise InvalidExperiment(f"{table.place}.clients", f"there are {edges} edges and {origins} origins")
    return found


def _wire(table: Table) -> Wire:
    wire = Wire(
        table.text("edge"),
        table.text("origin"),
        table.number("bandwidth", 1, 1e15),
        table.number("round_trip", 0, 1e3),
        table.text("trunk") if table.has("trunk") else "",
    )
    table.done()
    return wire


def simulate_origins(origins: Origins, seed: str) -> dict[str, float]:
    """``throughput``: bits per second of all clients in the second half of their batches, and of each one."""
    env = simpy.Environment()
    hosts = {name: Shared(env, origins.origin_bandwidth / 8) for name in origins.origins}
    trunks: dict[str, Shared] = {}
    rates: dict[str, float] = {}
    begins = int(seed.rpartition("/")[2]) if seed.rpartition("/")[2].isdigit() else 0
    for number, edge in enumerate(origins.edges):
        ways = _ways(env, origins, edge, hosts, trunks)
        source = Replicas(env, policy(origins.assignment), ways, origins.block)
        source.assignments = begins * 7919 + number * 104_729  # the seed of the assignment that is random
        env.process(_client(env, origins, source, edge, rates))
    env.run()
    figures = {f"throughput_{edge}": rate for edge, rate in rates.items()}
    return {"throughput": sum(rates.values()), **figures}


def _ways(
    env: simpy.Environment, origins: Origins, edge: str, hosts: Mapping[str, Shared], trunks: dict[str, Shared]
) -> dict[str, Way]:
    near, ways = Shared(env, origins.client_bandwidth / 8), {}
    for wire in origins.wires:
        if wire.edge == edge:
            link = Shared(env, wire.bandwidth / 8)
            link = trunks.setdefault(wire.trunk, link) if wire.trunk else link
            ways[wire.origin] = Way(env, (hosts[wire.origin], link, near), wire.round_trip / 2)
    return ways


def _client(env: simpy.Environment, origins: Origins, source: Replicas, edge: str, rates: dict[str, float]) -> Steps:
    """Batches one after another; the rate of the second half."""
    count, began, half = len(origins.origins), 0.0, origins.batches // 2
    for batch in range(origins.batches):
        if batch == half:
            began = env.now
        numbers = range(batch * origins.batch, (batch + 1) * origins.batch)
        blocks = [
            WantedBlock(origins.block, sum(1 << (block + copy) % count for copy in range(origins.copies)), env.event())
            for block in numbers
        ]
        source.fetch(blocks)
        yield env.all_of([one.here for one in blocks])
    rates[edge] = (origins.batches - half) * origins.batch * origins.block * 8 / (env.now - began)

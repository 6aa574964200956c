"""Who reads what over which links, and what is counted."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from wavescope.blocks.base import BlockRequest, BlockSource
from wavescope.blocks.replicated.limits import ReplicationLimits
from wavescope.blocks.replicated.policies import policy
from wavescope.blocks.replicated.source import ReplicatedSource
from wavescope.blocks.replicated.status import ReplicatedStatus

SLIDES = ("1", "2", "3")
TWICE = {"A": {"1", "3"}, "C": {"1", "2"}, "D": {"2", "3"}}  # each slide on two origins (3x2)
ONCE = {"A": {"1"}, "C": {"2"}, "D": {"3"}}  # each slide on one origin (3x1)


@dataclass(frozen=True)
class Wire:
    """A link: Mbit/s and the round trip in seconds. Links of one ``trunk`` share their bandwidth."""

    mbit: float
    round_trip: float
    trunk: str = ""

    @property
    def bytes_per_second(self) -> float:
        return self.mbit * 1e6 / 8


@dataclass(frozen=True)
class Scenario:
    """``wires``: by edge, then by origin. ``clients``: of each edge."""

    name: str
    wires: Mapping[str, Mapping[str, Wire]]
    clients: int


PAPER = Scenario(
    "the links of 1999 at a tenth of their bandwidth: an edge with one client at each of three sites",
    {
        "A": {"A": Wire(11.2, 0.001), "C": Wire(10.7, 0.001), "D": Wire(1.4, 0.040, "to the west")},
        "B": {"A": Wire(5.6, 0.001), "C": Wire(1.1, 0.001), "D": Wire(1.4, 0.040, "to the west")},
        "C": {"A": Wire(1.4, 0.040, "to Kansas"), "C": Wire(1.4, 0.040, "to Kansas"), "D": Wire(8.5, 0.003)},
    },
    clients=1,
)
ONE_EDGE = Scenario(
    "one edge with three clients: 16, 14 and 4 Mbit/s",
    {"edge": {"A": Wire(16, 0.040), "C": Wire(14, 0.010), "D": Wire(4, 0.020)}},
    clients=3,
)


@dataclass(frozen=True)
class Way:
    """A row of the table: which origins have which slides, and what assigns blocks to them."""

    name: str
    policy: str
    slides: Mapping[str, set[str]] = field(default_factory=lambda: TWICE)
    hedging: bool = False


WAYS = (
    Way("none (3x1)", "flow", ONCE),
    Way("round robin (3x2)", "round-robin"),
    Way("greedy (3x2)", "greedy"),
    Way("minimum-cost flow (3x2)", "flow"),
    Way("the same with hedges", "flow", hedging=True),
)


@dataclass(frozen=True)
class Reading:
    """``blocks``: by slide, those that are read; ``batch``: of all slides at once, the next one begins when all have
    arrived. For so many ``seconds``.
    """

    blocks: Mapping[str, Sequence[BlockRequest]]
    batch: int
    seconds: float


Open = Callable[[str, str, set[str]], BlockSource]
"""The source of an edge and an origin that has some of the slides."""


@dataclass(frozen=True)
class Outcome:
    """Bytes per second of each client after the first third of the time, and the states of the edges at the end."""

    throughput: tuple[float, ...]
    batches: int
    edges: tuple[ReplicatedStatus, ...]


async def run(scenario: Scenario, way: Way, reading: Reading, open_origin: Open) -> Outcome:
    """All clients of all edges at once. Raises what a block raises."""
    limits = ReplicationLimits(hedging=way.hedging)
    sources = [
        ReplicatedSource(
            {origin: open_origin(edge, origin, way.slides[origin]) for origin in wires},
            policy(way.policy),
            limits=limits,
        )
        for edge, wires in scenario.wires.items()
    ]
    try:
        for source in sources:
            await asyncio.gather(*(source.version(slide) for slide in SLIDES))
        begin = asyncio.get_running_loop().time()
        clients = [
            _client(source, reading, random.Random(seed), begin)
            for seed, source in enumerate(source for source in sources for _ in range(scenario.clients))
        ]
        received = await asyncio.gather(*clients)
        return Outcome(
            tuple(size / (reading.seconds * 2 / 3) for size, _ in received),
            sum(batches for _, batches in received),
            tuple(source.status() for source in sources),
        )
    finally:
        for source in sources:
            await source.close()


async def _client(source: ReplicatedSource, reading: Reading, dice: random.Random, begin: float) -> tuple[int, int]:
    """Reads batches one after another; the bytes that arrive after the first third of the time, and all batches."""
    start, end = begin + reading.seconds / 3, begin + reading.seconds
    size, batches, clock = 0, 0, asyncio.get_running_loop().time

    async def read(slide: str, requests: Sequence[BlockRequest]) -> None:
        nonlocal size
        async with aclosing(source.get_many(slide, requests)) as answers:
            async for _, answer in answers:
                if not isinstance(answer, bytes):
                    raise answer
                size += len(answer) if start <= clock() < end else 0

    while clock() < end:
        batches += 1
        shares = [reading.batch // 3 + (n < reading.batch % 3) for n in range(3)]
        await asyncio.gather(
            *(read(slide, dice.sample(reading.blocks[slide], n)) for slide, n in zip(SLIDES, shares, strict=True))
        )
    return size, batches

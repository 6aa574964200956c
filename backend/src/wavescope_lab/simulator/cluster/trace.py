"""Synthetic traces of a stated shape: how many files and clients, how popular, how soon a file is read again."""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from wavescope_lab.simulator.tables import Table
from wavescope_lab.simulator.theory import zipf

SPREAD = 1.0
"""Of the logarithm of the sizes of files."""
MIN_BYTES = 100


@dataclass(frozen=True)
class Shape:
    """``exponent`` and ``client_exponent``: of the popularity of files and of clients (Zipf). A client reads one of its
    last ``recent`` files again with probability ``repeat``. ``rate``: requests per second, at random times.
    """

    files: int
    clients: int
    requests: int
    rate: float
    exponent: float
    client_exponent: float
    repeat: float
    recent: int
    mean_bytes: float


@dataclass(frozen=True)
class Request:
    """One request: seconds after the beginning, number of the client and of the file, bytes of the file."""

    time: float
    client: int
    file: int
    size: int


def read_shape(table: Table) -> Shape:
    """The shape of a table of parameters. Raises InvalidExperiment."""
    return Shape(
        files=table.integer("files", 1, 1_000_000),
        clients=table.integer("trace_clients", 1, 1_000_000),
        requests=table.integer("requests", 10, 10_000_000),
        rate=table.number("rate", 1e-3, 1e6),
        exponent=table.number("exponent", 0, 10),
        client_exponent=table.number("client_exponent", 0, 10),
        repeat=table.number("repeat", 0, 0.99),
        recent=table.integer("recent", 1, 10_000, 20),
        mean_bytes=table.number("mean_bytes", MIN_BYTES, 1e9),
    )


def sizes(shape: Shape, seed: str) -> list[int]:
    """Bytes of each file, whatever its popularity: lognormal around the mean."""
    rng, middle = random.Random(f"{seed}/sizes"), math.log(shape.mean_bytes) - SPREAD**2 / 2
    return [max(MIN_BYTES, round(rng.lognormvariate(middle, SPREAD))) for _ in range(shape.files)]


def requests(shape: Shape, seed: str) -> Iterator[Request]:
    """The trace, in order of time."""
    rng, known = random.Random(f"{seed}/trace"), sizes(shape, seed)
    files = list(accumulate(zipf(shape.files, shape.exponent)))
    clients = list(accumulate(zipf(shape.clients, shape.client_exponent)))
    last: dict[int, deque[int]] = {}
    time = 0.0
    for _ in range(shape.requests):
        time += rng.expovariate(shape.rate)
        client = rng.choices(range(shape.clients), cum_weights=clients)[0]
        own = last.setdefault(client, deque(maxlen=shape.recent))
        if own and rng.random() < shape.repeat:
            file = own[rng.randrange(len(own))]
        else:
            file = rng.choices(range(shape.files), cum_weights=files)[0]
            own.append(file)
        yield Request(time, client, file, known[file])

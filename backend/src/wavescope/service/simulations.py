"""Simulations of a plan, each in a child process that ends with the request (SI25)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from typing import Any, Literal

from wavescope.errors import InvalidParameter, MissingPackage, TooLarge, Unavailable
from wavescope.planning.effort import simulated_requests
from wavescope.planning.situation import EQUIPMENT, NUMBERS, Equipment, Situation, checked
from wavescope.service.access.gate import Gate, Principal, require

CHILD = "wavescope.simulator.planner.child"
PACKAGES = {"simpy": "SimPy", "scipy": "SciPy"}
MAX_CLIENTS = 200_000
MAX_POINTS = 12
MAX_REQUESTS = 20_000_000
"""Of all points together."""
SECONDS = 180.0
"""After which a simulation is ended."""

Over = Literal["clients", "nodes", "edge_gb"]


@dataclass(frozen=True)
class Order:
    """A situation with its equipment, in which one number takes the values ``at``: a point for each."""

    given: Situation
    bought: Equipment
    over: Over
    at: tuple[float, ...]
    seed: int

    def points(self) -> list[tuple[Situation, Equipment]]:
        """Raises InvalidParameter for a value that the number cannot have."""
        numbers = NUMBERS if self.over == "clients" else EQUIPMENT
        values = [checked(self.over, value, numbers[self.over]) for value in self.at]
        if self.over == "clients":
            return [(replace(self.given, clients=int(value)), self.bought) for value in values]
        if self.over == "nodes":
            return [(self.given, replace(self.bought, nodes=int(value))) for value in values]
        return [(self.given, replace(self.bought, edge_gb=value)) for value in values]


def missing_package() -> str | None:
    """A package that simulations need and that is not installed."""
    return next((PACKAGES[name] for name in PACKAGES if find_spec(name) is None), None)


class SimulationService:
    """One simulation at a time. One event loop."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._child: Process | None = None
        self._busy = False

    def check(self, principal: Principal, order: Order) -> None:
        """Raises Forbidden, SignInRequired, InvalidParameter, TooLarge, MissingPackage, Unavailable."""
        require(self._gate, principal, "simulate")
        if (package := missing_package()) is not None:
            raise MissingPackage(package, "a simulation", "simulate")
        if not 1 <= len(order.at) <= MAX_POINTS:
            raise InvalidParameter("at", len(order.at), f"1 to {MAX_POINTS} values")
        points = order.points()
        clients = max(given.clients for given, _ in points)
        if clients > MAX_CLIENTS:
            raise TooLarge("the number of simulated clients", clients, MAX_CLIENTS)
        requests = round(sum(simulated_requests(given, bought) for given, bought in points))
        if requests > MAX_REQUESTS:
            raise TooLarge("the number of simulated requests", requests, MAX_REQUESTS)
        if self._busy:
            raise Unavailable("the simulator", "another simulation is running")

    async def run(self, order: Order) -> AsyncIterator[dict[str, Any]]:
        """``{"progress"}`` now and then, ``{"at", "metrics"}`` for each point; ``{"failure"}`` if it is ended early.

        The child ends with the iteration.
        """
        if self._busy:
            yield {"failure": "another simulation is running"}
            return
        self._busy = True
        try:
            async for message in self._messages(order):
                yield message
        finally:
            await self.stop()
            self._busy = False

    async def stop(self) -> None:
        """Ends the simulation that is running, if any."""
        child, self._child = self._child, None
        if child is not None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()

    async def _messages(self, order: Order) -> AsyncIterator[dict[str, Any]]:
        points = [
            {"at": at, "situation": asdict(given), "equipment": asdict(bought)}
            for at, (given, bought) in zip(order.at, order.points(), strict=True)
        ]
        command = (sys.executable, "-m", CHILD)
        self._child = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(json.dumps({"points": points, "seed": order.seed}).encode() + b"\n")
        found = 0
        try:
            async with asyncio.timeout(SECONDS):
                while line := await self._child.stdout.readline():
                    message: dict[str, Any] = json.loads(line)
                    found += "at" in message
                    yield message
        except TimeoutError:
            yield {"failure": f"it took more than {SECONDS:.0f} s"}
            return
        if found < len(points):
            yield {"failure": "the simulation broke down"}

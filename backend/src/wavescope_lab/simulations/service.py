"""Simulations, each in a child process that ends with the request (SI25, SI28)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wavescope.config import Config
from wavescope.errors import InvalidExperiment, InvalidParameter, MissingPackage, TooLarge, Unavailable
from wavescope.service.access.gate import Gate, Principal, require
from wavescope_lab.planning.simulation_budget import simulated_work
from wavescope_lab.simulations.child import Child
from wavescope_lab.simulations.orders import MAX_POINTS, Order
from wavescope_lab.simulations.stored import ExperimentFolders, StoredExperiment

PLANS = "wavescope_lab.simulator.planner.child"
EXPERIMENTS = "wavescope_lab.simulator.experiments.child"
PACKAGES = {"simpy": "SimPy", "scipy": "SciPy"}
MAX_CLIENTS = 200_000
MAX_REQUESTS = 20_000_000
"""Of all points together: what they take is at most what so many requests take (``simulated_work``)."""
SECONDS = 180.0
"""After which the simulation of a plan is ended."""
MAX_TRIALS = 100
MAX_RUNS = 200
MAX_TEXT = 100_000
"""Characters of an experiment that a client sends."""
EXPERIMENT_SECONDS = 600.0
MAX_MEMORY = 4 * 2**30
"""Bytes of the process of an experiment."""

PATIENCE = 5.0
"""Seconds for which a new simulation waits for one that runs: one that was cancelled needs a moment to end."""

Messages = AsyncGenerator[dict[str, Any], None]


@dataclass(frozen=True)
class ExperimentOrder:
    """``name``: of a stored experiment; or ``text``: an experiment as TOML. ``trials`` of each run."""

    trials: int
    name: str | None = None
    text: str | None = None


def missing_package() -> str | None:
    """A package that simulations need and that is not installed."""
    return next((PACKAGES[name] for name in PACKAGES if find_spec(name) is None), None)


class SimulationService:
    """One simulation at a time. One event loop."""

    @classmethod
    def of(cls, gate: Gate, config: Config) -> SimulationService:
        """That of a service."""
        return cls(gate, config.experiments)

    def __init__(self, gate: Gate, experiments: Path | None = None) -> None:
        self._gate = gate
        self._folders = ExperimentFolders(experiments)
        self._child: Child | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    async def check(self, principal: Principal, order: Order) -> None:
        """Raises Forbidden, SignInRequired, InvalidParameter, TooLarge, MissingPackage, Unavailable."""
        self._allow(principal)
        if not 1 <= len(order.at) <= MAX_POINTS:
            raise InvalidParameter("at", len(order.at), f"1 to {MAX_POINTS} values")
        points = order.points()
        clients = max(situation.clients for situation, _ in points)
        if clients > MAX_CLIENTS:
            raise TooLarge("the number of simulated clients", clients, MAX_CLIENTS)
        work = await asyncio.to_thread(
            lambda: sum(simulated_work(situation, equipment) for situation, equipment in points)
        )
        if (requests := round(work)) > MAX_REQUESTS:
            raise TooLarge("the number of simulated requests", requests, MAX_REQUESTS)
        await self._free()

    async def run(self, order: Order) -> Messages:
        """``{"progress"}`` now and then, ``{"at", "metrics"}`` for each point; ``{"failure"}`` if it is ended early.

        The child ends with the iteration.
        """
        if not self._idle.is_set():
            yield {"failure": "another simulation is running"}
            return
        self._idle.clear()
        try:
            points = [
                {"at": at, "situation": asdict(situation), "equipment": asdict(equipment)}
                for at, (situation, equipment) in zip(order.at, order.points(), strict=True)
            ]
            goal = asdict(order.goal) if order.goal else None
            child = await self._started(PLANS, {"points": points, "seed": order.seed, "goal": goal})
            found = 0
            async for message in self._messages(child, SECONDS):
                found += "at" in message
                yield message
                if "failure" in message:
                    return
            if found < len(points):
                yield {"failure": "the simulation broke down"}
        finally:
            await self._end()

    async def experiments(self, principal: Principal) -> list[StoredExperiment]:
        """Those that can be chosen. Raises Forbidden, SignInRequired."""
        require(self._gate, principal, "simulate")
        return await asyncio.to_thread(self._folders.listed)

    async def begin(self, principal: Principal, order: ExperimentOrder) -> Experiment:
        """An experiment whose file is good and that runs. Close it.

        Raises Forbidden, SignInRequired, InvalidParameter, InvalidExperiment, MissingPackage, Unavailable.
        """
        self._allow(principal)
        wanted = await self._wanted(order)
        await self._free()
        self._idle.clear()
        try:
            bounds = {"trials": order.trials, "most_runs": MAX_RUNS, "memory": MAX_MEMORY}
            child = await self._started(EXPERIMENTS, {**wanted, **bounds})
            messages = self._messages(child, EXPERIMENT_SECONDS)
            first: dict[str, Any] = await anext(messages, {})
            if "refused" in first:
                raise InvalidExperiment(**first["refused"])
            if "accepted" not in first:
                raise Unavailable("the simulator", first.get("failure", "the simulation broke down"))
        except BaseException:
            await self._end()
            raise
        return Experiment(self, messages)

    async def _wanted(self, order: ExperimentOrder) -> dict[str, str]:
        if (order.name is None) == (order.text is None):
            raise InvalidParameter("name", order.name, "the name of a stored experiment, or else its text")
        if not 1 <= order.trials <= MAX_TRIALS:
            raise InvalidParameter("trials", order.trials, f"1 to {MAX_TRIALS}")
        if order.text is not None:
            return {"text": order.text, "folder": str(self._folders.papers)}
        path = await asyncio.to_thread(self._folders.path, order.name or "")
        if path is None:
            raise InvalidParameter("name", order.name, "the name of a stored experiment")
        return {"path": str(path)}

    async def stop(self) -> None:
        """Ends the simulation that is running, if any."""
        child, self._child = self._child, None
        if child is not None:
            await child.stop()

    async def _started(self, module: str, order: dict[str, Any]) -> Child:
        self._child = child = await Child.start(module, order)
        return child

    async def _messages(self, child: Child, seconds: float) -> Messages:
        try:
            async for message in child.messages(seconds):
                yield message
        except TimeoutError:
            yield {"failure": f"it took more than {seconds:.0f} s"}

    async def _end(self) -> None:
        try:
            await self.stop()
        finally:  # it may be cancelled again while the process, which was killed, ends
            self._idle.set()

    def _allow(self, principal: Principal) -> None:
        require(self._gate, principal, "simulate")
        if (package := missing_package()) is not None:
            raise MissingPackage(package, "a simulation", "simulate")

    async def _free(self) -> None:
        """Returns when no simulation runs. Raises Unavailable after PATIENCE."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not self._idle.is_set():  # again: another one that waited may have begun
                    await self._idle.wait()
        except TimeoutError:
            raise Unavailable("the simulator", "another simulation is running") from None


class Experiment:
    """The reports of an experiment that runs: ``{"progress"}``, ``{"result", "finished", "trials"}`` now and then and
    at the end, ``{"failure"}`` if it is ended early. It ends with its last report, or with ``aclose``."""

    def __init__(self, service: SimulationService, messages: Messages) -> None:
        self._service, self._messages, self._whole, self._ended = service, messages, False, False

    def __aiter__(self) -> Experiment:
        return self

    async def __anext__(self) -> dict[str, Any]:
        try:
            message = await anext(self._messages)
        except StopAsyncIteration:
            await self._end()  # before the answer ends: its client may begin the next one then
            if self._whole:
                raise
            message = {"failure": "the simulation broke down"}
        self._whole = self._whole or "failure" in message or message.get("finished") == message.get("trials", 0)
        return message

    async def aclose(self) -> None:
        """Ends the process."""
        await self._messages.aclose()
        await self._end()

    async def _end(self) -> None:
        """Once: afterwards another one may run."""
        if not self._ended:
            self._ended = True
            await self._service._end()

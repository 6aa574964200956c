"""Keeps the parts of one cluster running: starts them in order, starts again what ends, stops them in reverse."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from wavescope.errors import InvalidParameter, WavescopeError
from wavescope_lab.cluster import state
from wavescope_lab.cluster.composition import parts_of
from wavescope_lab.cluster.description import Cluster, check, new_name
from wavescope_lab.cluster.distribution.balancer import switch
from wavescope_lab.cluster.distribution.policies import policy_of
from wavescope_lab.cluster.part import Part, in_order
from wavescope_lab.cluster.parts.balancer import plan_of
from wavescope_lab.cluster.parts.context import Context
from wavescope_lab.cluster.preparing import Preparation
from wavescope_lab.cluster.process import Running
from wavescope_lab.errors import PartFailed

Report = Callable[[str], None]
SUPERVISOR = "supervisor"


class Supervisor:
    """The parts of one cluster and what can be done with them; one command at a time."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._preparation = Preparation(context)
        self.running: dict[str, Running] = {}
        self.started = asyncio.Event()  # every part could be used once
        self.fault: str | None = None  # why the first start failed
        self._commands = asyncio.Lock()

    @property
    def cluster(self) -> Cluster:
        """The present description."""
        return self._context.cluster

    async def start(self, report: Report) -> None:
        """Starts every part after what it needs. Raises PartFailed, InvalidParameter."""
        parts = parts_of(self._context)
        steps = self._preparation.steps
        needs = {name: part.after for name, part in parts.items()} | {name: one.after for name, one in steps.items()}
        in_order(needs)
        ready = {name: asyncio.Event() for name in needs}

        async def begin(name: str) -> None:
            for one in needs[name]:
                if one in ready:
                    await ready[one].wait()
            if name in steps:
                await self._preparation.run(name)
            else:
                await self._run(parts[name])
                report(f"{name}: {parts[name].address}")
            ready[name].set()

        async with self._commands:
            try:
                async with asyncio.TaskGroup() as group:
                    for name in needs:
                        group.create_task(begin(name))
            except* (PartFailed, InvalidParameter) as failed:
                raise failed.exceptions[0] from None
        self.started.set()

    async def stop(self, report: Report) -> None:
        """Stops every part before what it needs."""
        async with self._commands:
            for rank in reversed(in_order({name: one.part.after for name, one in self._linked().items()})):
                await asyncio.gather(*(self.running[name].stop() for name in rank))
                for name in rank:
                    report(f"{name}: stopped")

    def _linked(self) -> dict[str, Running]:
        """The parts, those after the catalog also after its database: a step is no part."""
        steps = self._preparation.steps
        for one in self.running.values():
            after = [other for name in one.part.after for other in (steps[name].after if name in steps else (name,))]
            one.part = replace(one.part, after=tuple(after))
        return self.running

    async def restart(self, name: str, report: Report) -> None:
        """One part, in order. Raises InvalidParameter, PartFailed."""
        async with self._commands:
            await self._restart(self._known(name), report)

    async def stop_part(self, name: str, report: Report) -> None:
        """Ends one part, which stays ended until ``start_part``. Raises InvalidParameter."""
        async with self._commands:
            await self._known(name).stop()
            report(f"{name}: stopped")

    async def start_part(self, name: str, report: Report) -> None:
        """Starts a part that was stopped. Raises InvalidParameter, PartFailed."""
        await self.restart(name, report)

    async def rolling_restart(self, report: Report) -> None:
        """Every node, one after the other. Raises PartFailed: then the rest is not restarted."""
        async with self._commands:
            for name in self.cluster.nodes:
                await self._restart(self.running[name], report)

    async def _restart(self, running: Running, report: Report) -> None:
        await running.stop()
        running.part = parts_of(self._context)[running.part.name]
        running.start()
        await running.until_ready()
        report(f"{running.part.name}: restarted")

    async def add_node(self, name: str, report: Report) -> str:
        """A further node; its name. Raises InvalidParameter, PartFailed: then it is not added."""
        async with self._commands:
            name = name or new_name(self.cluster.nodes)
            if name in parts_of(self._context) or not name.isidentifier():
                raise InvalidParameter("NAME", name, "letters, digits and _ that no other part has as its name")
            before = self._context
            self._describe(check(replace(self.cluster, nodes=(*self.cluster.nodes, name))).with_ports())
            try:
                await self._run(parts_of(self._context)[name])
                report(f"{name}: {self.running[name].part.address}")
                await self._reload(report)
            except WavescopeError:
                await self._drop(name)
                self._describe(before.cluster)
                raise
            return name

    async def change_policy(self, name: str, report: Report) -> None:
        """How the balancer distributes requests from now on. Raises InvalidParameter, RejectedConfiguration."""
        async with self._commands:
            before = self.cluster
            self._describe(replace(before, policy=policy_of(name).name))
            try:
                await self._reload(report)
            except WavescopeError:
                self._describe(before)
                raise

    async def remove_node(self, name: str, report: Report) -> None:
        """Ends a node in order and forgets it. Its folder is left. Raises InvalidParameter for no node, or the last."""
        async with self._commands:
            if name not in self.cluster.nodes:
                raise InvalidParameter("NAME", name, f"one of {', '.join(self.cluster.nodes)}")
            rest = tuple(one for one in self.cluster.nodes if one != name)
            ports = {key: port for key, port in self.cluster.ports.items() if key != name}
            self._describe(check(replace(self.cluster, nodes=rest, ports=ports)))
            await self._reload(report)
            await self._drop(name)
            report(f"{name}: removed")

    def status(self) -> dict[str, Any]:
        """Each part: address, process, state, restarts; and the cluster's address."""
        rows = [
            {
                "name": name,
                "kind": one.part.kind,
                "address": one.part.address,
                "pid": one.process.pid if one.process else None,
                "state": one.state,
                "reason": one.reason,
                "restarts": one.restarts,
                "seconds": round(one.uptime(), 1),
            }
            for name, one in self.running.items()
        ]
        cluster = self.cluster
        facts = {"url": cluster.url, "folder": str(cluster.folder), "policy": cluster.policy, "access": cluster.access}
        return {**facts, "healthy": all(one.state == "healthy" for one in self.running.values()), "parts": rows}

    def _known(self, name: str) -> Running:
        if name not in self.running:
            raise InvalidParameter("PART", name, f"one of {', '.join(self.running)}")
        return self.running[name]

    async def _run(self, part: Part) -> None:
        running = Running(part, self.cluster.folder / "logs" / f"{part.name}.log", self._note)
        self.running[part.name] = running
        running.start()
        await running.until_ready()

    async def _drop(self, name: str) -> None:
        await self.running[name].stop()
        del self.running[name]
        self._note()

    def _describe(self, cluster: Cluster) -> None:
        cluster.save()
        self._context = replace(self._context, cluster=cluster)

    async def _reload(self, report: Report) -> None:
        """The parts that know of all nodes read their files again. Raises RejectedConfiguration, Unavailable."""
        for name, part in parts_of(self._context).items():
            running = self.running.get(name)
            if running is None or part.reload is None or part.files == running.part.files:
                continue
            running.part = part
            if name == "balancer" and running.process is not None:
                await asyncio.to_thread(switch, plan_of(self._context), running.process.pid)
            else:
                running.write_files()
                running.send(part.reload)
            report(f"{name}: configuration read again")

    def _note(self) -> None:
        """Stores which processes there are."""
        processes = {SUPERVISOR: state.process_of(os.getpid())}
        processes |= {name: one.process for name, one in self.running.items() if one.process is not None}
        state.save(self.cluster.folder, processes)

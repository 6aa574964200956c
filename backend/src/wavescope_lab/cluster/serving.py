"""The process of a cluster's supervisor, and starting it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wavescope.errors import InvalidParameter, WavescopeError
from wavescope_lab.cluster import control, state
from wavescope_lab.cluster.composition import context_of
from wavescope_lab.cluster.control import Report
from wavescope_lab.cluster.description import Cluster, load
from wavescope_lab.cluster.supervisor import Supervisor
from wavescope_lab.errors import NoCluster, PartFailed

BEGIN_SECONDS = 30.0  # until the supervisor answers


def supervise(folder: Path, report: Report) -> str | None:
    """Runs the cluster that is described in a folder, until it is stopped; why the start failed, or None.

    Raises NoCluster, MissingProgram.
    """
    cluster = load(folder)
    if cluster is None:
        raise NoCluster(folder)
    return asyncio.run(_supervise(Supervisor(context_of(cluster)), report))


async def _supervise(supervisor: Supervisor, report: Report) -> str | None:
    ending = asyncio.Event()
    loop = asyncio.get_running_loop()
    for one in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(one, ending.set)
    server = await control.listen(supervisor.cluster.folder, _handler(supervisor, ending))
    starting = asyncio.create_task(supervisor.start(report))
    stopping = asyncio.create_task(ending.wait())
    await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
    if starting.done() and (error := starting.exception()) is not None:
        supervisor.fault = str(error)
        supervisor.started.set()
        report(supervisor.fault)
        if not isinstance(error, WavescopeError):
            supervisor.fault = f"{type(error).__name__}: {error}"
    else:
        await stopping
        starting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await starting
    await supervisor.stop(report)
    server.close()
    await asyncio.sleep(0)  # the answer of the command that stops it is sent
    state.save(supervisor.cluster.folder, {})
    return supervisor.fault


def _handler(supervisor: Supervisor, ending: asyncio.Event) -> control.Handler:
    async def ready(_: dict[str, Any], report: Report) -> dict[str, Any]:
        await supervisor.started.wait()
        if supervisor.fault is not None:
            raise PartFailed("the cluster did not start", supervisor.fault)
        return supervisor.status()

    async def down(_: dict[str, Any], report: Report) -> None:
        ending.set()
        await supervisor.stop(report)

    async def status(_: dict[str, Any], report: Report) -> dict[str, Any]:
        return supervisor.status()

    async def restart(given: dict[str, Any], report: Report) -> None:
        await supervisor.restart(given["name"], report)

    async def stop(given: dict[str, Any], report: Report) -> None:
        await supervisor.stop_part(given["name"], report)

    async def rolling(_: dict[str, Any], report: Report) -> None:
        await supervisor.rolling_restart(report)

    async def add(given: dict[str, Any], report: Report) -> str:
        return await supervisor.add_node(given["name"], report)

    async def remove(given: dict[str, Any], report: Report) -> None:
        await supervisor.remove_node(given["name"], report)

    async def policy(given: dict[str, Any], report: Report) -> None:
        await supervisor.change_policy(given["name"], report)

    commands: dict[str, Callable[[dict[str, Any], Report], Any]] = {
        one.__name__: one for one in (ready, down, status, stop, restart, rolling, add, remove, policy)
    }

    async def handle(given: dict[str, Any], report: Report) -> Any:
        name = given["do"]
        if name not in commands:
            raise InvalidParameter("do", name, f"one of {', '.join(commands)}")
        return await commands[name](given, report)

    return handle


def begin(cluster: Cluster) -> None:
    """Starts the supervisor as a process of its own and returns when it answers. Raises PartFailed."""
    folder = cluster.folder
    log = folder / "logs" / "supervisor.log"
    command = [sys.executable, "-m", "wavescope.cli", "cluster", "up", "--foreground", "--dir", str(folder)]
    with log.open("ab") as out:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, cwd=folder
        )
    deadline = time.monotonic() + BEGIN_SECONDS
    while not control.runs(folder):
        if child.poll() is not None or time.monotonic() > deadline:
            raise PartFailed("supervisor", log.read_text(errors="replace")[-1500:].strip())
        time.sleep(0.05)

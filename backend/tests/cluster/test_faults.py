"""Faults of each part of a cluster under load: no wrong answer, nothing lost (CL74). The figures are printed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest

from api.processes import free_port
from cluster.checked_load import API, Clients
from cluster.clusters import Made, cluster, require_programs
from small_disk import SmallDisk, small_disk

SLIDE = "kidney"
QUIET_SECONDS = 2.0  # without an error, after which the cluster has recovered
STOPPED_SECONDS = 10.0
UPLOADED = "specimen:1500x1200?seed=9"
WAIT = 120.0

pytestmark = pytest.mark.long


def wavescope(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "wavescope.cli", *arguments]


@asynccontextmanager
async def reference(store: Path) -> AsyncIterator[str]:
    """One service on the store; its address."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WAVESCOPE_")}
    child = subprocess.Popen(
        wavescope("serve", "--port", str(port), "--store", str(store)),
        env=environment | {"WAVESCOPE_LOG_ACCESS": "none"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client, asyncio.timeout(WAIT):
            while True:
                try:
                    if (await client.get("/readyz")).status_code == 200:
                        break
                except httpx.TransportError:
                    await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        child.terminate()
        child.wait()


class Trial:
    """Faults one after the other, each with the load before and after it."""

    def __init__(self, made: Made, clients: Clients) -> None:
        self.made, self.clients = made, clients
        self.rows: list[str] = []

    async def fault(self, name: str, cause: Callable[[], Awaitable[None]]) -> None:
        """Causes it, waits until the cluster has recovered, and notes what it cost."""
        tally = self.clients.tally
        await self._traffic(50)
        attempts, errors, waits, begun = tally.attempts, len(tally.errors), len(tally.waits), time.monotonic()
        await cause()
        async with asyncio.timeout(WAIT):
            while time.monotonic() - max([begun, *(at for at, _ in tally.errors[errors:])]) < QUIET_SECONDS:
                await asyncio.sleep(0.1)
            while not (await asyncio.to_thread(self.made.status))["healthy"]:
                await asyncio.sleep(0.2)
        await self._traffic(50)
        made = tally.attempts - attempts
        failed = tally.errors[errors:]
        causes = sorted({cause for _, cause in failed})
        last = max((at for at, _ in failed), default=begun) - begun
        longest = max((wait for _, wait in tally.waits[waits:]), default=0.0)
        self.rows.append(
            f"{name}: attempts {made}, errors {len(failed)} ({100 * len(failed) / made:.2f} %), "
            f"last error after {last:.1f} s, longest wait of a request {longest:.1f} s; {', '.join(causes)}"
        )

    async def _traffic(self, attempts: int) -> None:
        wanted = self.clients.tally.attempts + attempts
        async with asyncio.timeout(WAIT):
            while self.clients.tally.attempts < wanted:
                await asyncio.sleep(0.05)

    async def kill(self, name: str) -> None:
        part = await asyncio.to_thread(self.made.part, name)
        os.kill(part["pid"], signal.SIGKILL)

    async def restart(self, name: str) -> None:
        await asyncio.to_thread(self.made.run, "restart", name)

    async def stop_for_a_while(self, name: str) -> None:
        await asyncio.to_thread(self.made.run, "stop", name)
        await asyncio.sleep(STOPPED_SECONDS)  # the fault itself
        await asyncio.to_thread(self.made.run, "start", name)

    async def kill_during_import(self, name: str, file: Path) -> None:
        """A slide is imported, and its worker is killed as soon as it has begun."""
        async with self.clients.new_client() as client:
            url = f"{self.made.url}{API}"

            async def upload() -> str:
                answer = await client.post(f"{url}/uploads?filename={file.name}", content=file.read_bytes())
                answer.raise_for_status()
                return str(answer.json()["id"])

            async def state() -> str:
                answer = await client.get(f"{url}/jobs/{job}")
                return str(answer.json()["state"]) if answer.status_code == 200 else ""

            job = await upload()
            async with asyncio.timeout(WAIT):
                while await state() in ("queued", ""):
                    await asyncio.sleep(0.02)
                await self.kill(name)
                while (seen := await state()) not in ("done", "failed", "cancelled"):
                    await asyncio.sleep(0.2)
            assert seen == "done"

    async def fill(self, disk: SmallDisk) -> None:
        disk.fill(4096)
        await self._traffic(200)
        disk.free()


async def test_faults_under_load_cost_time_and_no_answer_cl74(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    require_programs()
    store, file = tmp_path / "store", tmp_path / "uploaded.png"
    await make_slides(store, file)
    with cluster(
        "--nodes", "3", "--dask-workers", "2", "--open", "--without", "prometheus", "--without", "rates",
        "--from", str(store),
    ) as made:  # fmt: skip
        async with AsyncExitStack() as stack:
            address = await stack.enter_async_context(reference(store))
            trial = Trial(made, await stack.enter_async_context(Clients(made.url, address, SLIDE, made.trust())))
            await trial.fault("a node is killed", lambda: trial.kill("node2"))
            await trial.fault("the database is restarted", lambda: trial.restart("postgresql"))
            await trial.fault("the database is killed", lambda: trial.kill("postgresql"))
            await trial.fault("the object store is stopped for 10 s", lambda: trial.stop_for_a_while("object-store"))
            await trial.fault("a worker is killed", lambda: trial.kill_during_import("worker1", file))
            disk = await asyncio.to_thread(on_small_disk, made, stack)
            await trial.fault("the disk of a node is full", lambda: trial.fill(disk))
            await trial.fault("all nodes are restarted in turn", lambda: asyncio.to_thread(restart_all, made))
        tally = trial.clients.tally
        with capsys.disabled():
            print("\n" + "\n".join(trial.rows))
            print(f"attempts {tally.attempts}, errors {len(tally.errors)}, annotations stored {len(tally.stored)}")
        assert (tally.wrong, tally.lost) == ([], [])
        assert await trial.clients.missing() == set()


def restart_all(made: Made) -> None:
    made.run("restart")


def on_small_disk(made: Made, stack: AsyncExitStack) -> SmallDisk:
    """The folder of a node becomes a disk of its own, while the node is stopped."""
    made.run("stop", "node3")
    folder = made.folder / "nodes" / "node3"
    folder.rename(folder.with_name("node3-before"))
    disk = stack.enter_context(small_disk(folder, 64))
    stack.callback(made.run, "stop", "node3")
    made.run("start", "node3")
    return disk


async def make_slides(store: Path, file: Path) -> None:
    """A slide in a store, and a picture to upload."""
    from PIL import Image

    image = Image.effect_mandelbrot((1500, 1200), (-2, -1.5, 1, 1.5), 100).convert("RGB")
    image.save(file)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WAVESCOPE_")}
    command = wavescope("ingest", "specimen:2900x2330", "--id", SLIDE, "--store", str(store))
    await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True, env=environment)

"""How busy this node is, and the agent that reports it to a balancer (CL89)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path

from wavescope.distribution.loads import Load, weight

MEASURED_SECONDS = 2.5
"""Between two measurements: what SWEB's load daemon publishes every 2 to 3 s."""
PROC, SYS = Path("/proc"), Path("/sys")


class LoadMeter:
    """The load between two calls of ``now``. The event loop's thread counts by itself: it is the first to be full."""

    def __init__(self, proc: Path = PROC, sys: Path = SYS, clock: Callable[[], float] = time.monotonic) -> None:
        self._proc, self._sys, self._clock = proc, sys, clock
        self._at, self._cpu, self._loop = clock(), _process_seconds(), time.thread_time()
        self._disk, self._network = self._disk_ms(), self._bytes()

    def now(self) -> Load:
        """Busy shares since the last call, 0 to 1. Called on the event loop."""
        before = (self._at, self._cpu, self._loop, self._disk, self._network)
        self._at, self._cpu, self._loop = self._clock(), _process_seconds(), time.thread_time()
        self._disk, self._network = self._disk_ms(), self._bytes()
        seconds = max(self._at - before[0], 1e-3)
        cores = allowance(self._proc, self._sys)
        cpu = (self._cpu - before[1]) / seconds / cores
        loop = (self._loop - before[2]) / seconds / min(1.0, cores)
        disk = max((ms - before[3].get(name, ms) for name, ms in self._disk.items()), default=0) / 1000 / seconds
        network = max(
            (
                (count - before[4].get(name, (count, 0))[0]) / seconds / speed
                for name, (count, speed) in self._network.items()
            ),
            default=0.0,
        )
        return Load(_share(max(cpu, loop)), _share(disk), _share(network), self._at)

    def _disk_ms(self) -> dict[str, int]:
        """Milliseconds with work, of each disk."""
        with contextlib.suppress(OSError):
            rows = [line.split() for line in (self._proc / "diskstats").read_text().splitlines()]
            return {row[2]: int(row[12]) for row in rows if len(row) > 12 and (self._sys / "block" / row[2]).exists()}
        return {}

    def _bytes(self) -> dict[str, tuple[int, float]]:
        """Bytes in the busier direction and bytes per second at most, of each network card with a known speed."""
        found: dict[str, tuple[int, float]] = {}
        with contextlib.suppress(OSError):
            for line in (self._proc / "net" / "dev").read_text().splitlines()[2:]:
                name, _, row = line.partition(":")
                counts = row.split()
                with contextlib.suppress(OSError, ValueError):
                    speed = int((self._sys / "class" / "net" / name.strip() / "speed").read_text())
                    if speed > 0:
                        found[name.strip()] = max(int(counts[0]), int(counts[8])), speed * 125_000
        return found


def allowance(proc: Path = PROC, sys: Path = SYS) -> float:
    """Cores that this process may use: those it may run on, within the quota of its control group."""
    cores = float(len(os.sched_getaffinity(0)))
    for folder in _groups(proc, sys):
        with contextlib.suppress(OSError, ValueError):
            if (folder / "cpu.max").exists():
                quota, period = (folder / "cpu.max").read_text().split()
            else:
                quota, period = ((folder / f"cpu.cfs_{name}_us").read_text().strip() for name in ("quota", "period"))
            if quota != "max" and int(quota) > 0:
                cores = min(cores, int(quota) / int(period))
    return cores


def _groups(proc: Path, sys: Path) -> list[Path]:
    """The folders of this process's control group, in both versions."""
    found = []
    with contextlib.suppress(OSError):
        for line in (proc / "self" / "cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers:
                found.append(sys / "fs" / "cgroup" / path.lstrip("/"))
            elif "cpu" in controllers.split(","):
                found.append(sys / "fs" / "cgroup" / "cpu" / path.lstrip("/"))
    return found


def _process_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)


class LoadAgent:
    """Answers each connection with one line, the node's weight as a percentage, and closes it (HAProxy: agent-check).

    A node that hangs does not answer: the balancer's checks of its readiness mark it down.
    """

    def __init__(self, meter: LoadMeter, host: str, port: int) -> None:
        self._meter, self._host, self._port = meter, host, port
        self._weight = 100
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.sockets[0].getsockname()[1]) if self._server else self._port

    async def start(self) -> None:
        """Raises OSError if the port is taken."""
        self._server = await asyncio.start_server(self._respond, self._host, self._port)

    async def measure(self) -> None:
        """Measures the load since the last call; called periodically."""
        self._weight = weight(self._meter.now())

    async def stop(self) -> None:
        """Answers no more."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _respond(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            writer.write(f"{self._weight}%\n".encode())
            await writer.drain()
        writer.close()

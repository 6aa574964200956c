"""A Dask cluster on loopback: a scheduler and workers as processes of their own, which can be killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

SECONDS = 60.0


class DaskProcesses:
    """``prefix``: a command that workers are started by, such as one that holds them to a share of a processor."""

    def __init__(self, root: Path, prefix: Sequence[str] = ()) -> None:
        self.root, self._prefix = root, list(prefix)
        root.mkdir(parents=True, exist_ok=True)
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = int(one.getsockname()[1])
        self.address = f"tcp://127.0.0.1:{self.port}"
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, workers: int = 1, environment: Mapping[str, str] | None = None) -> None:
        """Returns when the scheduler listens; workers join it then."""
        options = ["--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard", "--no-show"]
        self._run("scheduler", ["distributed.cli.dask_scheduler", *options])
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise RuntimeError((self.root / "scheduler.log").read_text()[-2000:]) from None
                time.sleep(0.05)
        for number in range(workers):
            self.add(f"w{number}", environment)

    def add(self, name: str, environment: Mapping[str, str] | None = None, *, folder: Path | None = None) -> None:
        """Another worker of one thread."""
        scratch = folder or self.root / name
        scratch.mkdir(exist_ok=True)
        options = [self.address, "--nthreads", "1", "--name", name, "--no-dashboard", "--no-nanny"]
        options += ["--local-directory", str(scratch), "--memory-limit", "0"]
        self._run(name, ["distributed.cli.dask_worker", *options], environment, self._prefix)

    def pid(self, name: str) -> int:
        return self._processes[name].pid

    def kill(self, name: str) -> None:
        process = self._processes.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for process in self._processes.values():
            process.send_signal(signal.SIGKILL)
        for process in self._processes.values():
            process.wait()
        self._processes.clear()

    def _run(
        self, name: str, module: list[str], environment: Mapping[str, str] | None = None, prefix: Sequence[str] = ()
    ) -> None:
        given = {**os.environ, "OMP_NUM_THREADS": "1", **(environment or {})}
        with (self.root / f"{name}.log").open("ab") as log:
            command = [*prefix, sys.executable, "-m", *module]
            self._processes[name] = subprocess.Popen(command, stdout=log, stderr=log, env=given)


@contextmanager
def dask_cluster(root: Path, workers: int) -> Iterator[DaskProcesses]:
    """One that runs."""
    processes = DaskProcesses(root)
    try:
        processes.start(workers)
        yield processes
    finally:
        processes.stop()

"""The parts of a cluster under measurement, each a process on loopback: database, object store, nodes, balancer."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from setting import ROOT, WAVESCOPE, await_port, free_port

from cluster.shares import Share, share

sys.path.append(str(ROOT / "backend" / "tests"))  # last: it has modules with the names of ours

from catalog.databases import new_database, postgresql
from object_stores import BUCKET, served
from wavescope.catalog.catalog import Catalog
from wavescope.ingest.pipeline import Options, ingest
from wavescope.store.objects.backend import FolderBackend, ObjectBackend
from wavescope.store.objects.client import Objects
from wavescope.store.objects.copy import copy
from wavescope_lab.cluster.distribution import balancer
from wavescope_lab.cluster.distribution.plan import Node, Plan

NODE: dict[str, object] = {
    "OPEN_TO_ALL": 1,
    "TRUSTED_PROXIES": "127.0.0.1",
    "RATE_LIMITS": 0,
    "RUN_JOBS": 0,
    "LOG_ACCESS": "none",
    "LOG_LEVEL": "warning",
}
START_ATTEMPTS = 5
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Data:
    """What all nodes share. ``slides``: ids; ``bytes``: of their versions in the object store."""

    catalog: str
    slides: tuple[str, ...]
    size: tuple[int, int]
    bytes: int
    unlimited: Share


@dataclass
class Process:
    """A running program."""

    name: str
    port: int
    pid: int
    agent_port: int = 0
    others: list[int] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cpu_seconds(self) -> float:
        """User and system time so far."""
        return sum(_cpu(pid) for pid in (self.pid, *self.others))

    def metrics(self) -> dict[str, float]:
        """What it reports for Prometheus, by name with labels."""
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=60) as answer:
            rows = [line.rpartition(" ") for line in answer.read().decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in rows}


def _await(port: int, process: subprocess.Popen[bytes]) -> None:
    """As ``await_port``, for nodes that start together on few cores."""
    for _ in range(START_ATTEMPTS):
        with contextlib.suppress(SystemExit):
            await_port(port, process)
            return
        if process.poll() is not None:
            break
    raise SystemExit(f"a node did not start: code {process.poll()}")


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextmanager
def data(folder: Path, slides: int, size: tuple[int, int], unlimited: Share) -> Iterator[Data]:
    """A database and an object store with slides that have nothing in common. ``unlimited``: where all processes run
    that have no share of their own.
    """
    with postgresql() as server, served(folder / "s3") as store:
        url = new_database(server, "bench")
        place, ids = ObjectBackend(Objects.at(f"s3://{BUCKET}")), []
        with closing(Catalog.open(url)) as catalog:
            for number in range(slides):
                source = f"specimen:{size[0]}x{size[1]}?seed={number}"
                made = ingest(source, folder / "ingest", catalog, Options(f"slide-{number}"))
                copy(FolderBackend(folder / "ingest"), place, made.digest)
                ids.append(f"slide-{number}")
        stored = sum(path.stat().st_size for path in store.folder.rglob("*") if path.is_file())
        yield Data(url, tuple(ids), size, stored, unlimited)


@contextmanager
def programs(folder: Path, shared: Data, names: Sequence[str], settings: dict[str, object]) -> Iterator[list[Process]]:
    """Nodes that start at the same time."""
    with ExitStack() as stack:
        begun = [(name, free_port(), free_port()) for name in names]
        running = []
        for name, port, agent in begun:
            log = stack.enter_context((folder / f"{name}.log").open("ab"))
            values: dict[str, object] = {"STORE": folder / name, "CATALOG": shared.catalog}
            values |= {"SLIDE_STORE": f"s3://{BUCKET}", "NODE_NAME": name, "NODE_URL": f"http://127.0.0.1:{port}"}
            environment = os.environ | {
                f"WAVESCOPE_{key}": str(value)
                for key, value in (NODE | values | {"AGENT_PORT": agent} | settings).items()
            }
            command = [str(WAVESCOPE), "serve", "--port", str(port)]
            running.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))
            stack.callback(running[-1].wait)
            stack.callback(running[-1].terminate)
        for (_, port, _), process in zip(begun, running, strict=True):
            _await(port, process)
        yield [
            Process(name, port, process.pid, agent) for (name, port, agent), process in zip(begun, running, strict=True)
        ]


@dataclass
class Cluster:
    """Nodes behind a balancer."""

    nodes: list[Process]
    balancer: Process
    plan: Plan
    shares: list[Share]
    unlimited: Share
    active: int = 0

    def activate(self, count: int) -> None:
        """From now on the balancer sends requests to the first ``count`` nodes alone."""
        for number, node in enumerate(self.nodes):
            state = "ready" if number < count else "maint"
            for backend in ("nodes", "alive"):
                balancer.ask(self.plan.folder / "haproxy.sock", f"set server {backend}/{node.name} state {state}")
        self.active = count

    def active_nodes(self) -> list[Process]:
        """Those that get requests."""
        return self.nodes[: self.active]

    def active_shares(self) -> list[Share]:
        """Of the nodes that get requests."""
        return self.shares[: self.active]

    def use(self, policy: str) -> None:
        """From now on requests are distributed by this policy."""
        self.plan = balancer.change_policy(self.plan.folder, policy)
        self.balancer.pid, *self.balancer.others = balancer.workers(self.plan.folder)
        self.activate(self.active)

    def hold(self) -> None:
        """From now on each node has its share of a core."""
        for node, held in zip(self.nodes, self.shares, strict=True):
            held.hold(node.pid)

    def release(self) -> None:
        """Nodes have what the machine has: to warm their caches."""
        for node in self.nodes:
            self.unlimited.hold(node.pid)

    def queues(self) -> list[int]:
        """Requests at each active node."""
        rows = [row.split(",") for row in balancer.ask(self.plan.folder / "haproxy.sock", "show stat").splitlines()]
        found = {row[1]: int(row[4]) for row in rows if row[0] == "nodes"}
        return [found[node.name] for node in self.active_nodes()]


@contextmanager
def cluster(
    folder: Path,
    shared: Data,
    count: int,
    cores: Sequence[float],
    settings: dict[str, object] | None = None,
    prefix: str = "n",
) -> Iterator[Cluster]:
    """``count`` nodes; ``cores``: the share of a core of each, nodes take them in turn; ``prefix``: of their names,
    which no other node of the catalog has.
    """
    names = [f"{prefix}{number}" for number in range(count)]
    with ExitStack() as stack:
        folder.mkdir()
        shares = [stack.enter_context(share(name, cores[number % len(cores)])) for number, name in enumerate(names)]
        nodes = stack.enter_context(programs(folder, shared, names, settings or {}))
        plan = Plan(
            tuple(Node(one.name, "127.0.0.1", one.port, one.agent_port) for one in nodes),
            folder / "balancer",
            free_port(),
            free_port(),
            free_port(),
            most_requests=12,
        )
        master = balancer.start(plan)
        stack.callback(master.wait, 10)
        stack.callback(balancer.stop, master.pid)
        worker, *others = balancer.workers(plan.folder)
        made = Cluster(
            nodes, Process("balancer", plan.port, worker, others=others), plan, shares, shared.unlimited, count
        )
        stack.callback(made.release)
        yield made

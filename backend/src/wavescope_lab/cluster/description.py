"""What a cluster consists of: a file in its folder, written at its first start and by each change."""

from __future__ import annotations

import json
import os
import secrets
import socket
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from wavescope.errors import InvalidParameter
from wavescope.store.private import open_new

FILE, SECRETS = "cluster.json", "secrets.json"
MAX_NODES, MAX_WORKERS = 64, 64
PORTS = 1000  # that are tried after the balancer's
LONGEST_FOLDER = 80  # bytes of a path: sockets lie in it
FIXED = (
    *("postgresql", "object-store", "rates", "balancer-status", "balancer-peers", "prometheus"),
    *("scheduler", "scheduler-http"),
)
OPTIONAL = ("rates", "prometheus")
DEFAULT_POLICY = "least-connections"


@dataclass(frozen=True)
class Cluster:
    """``port``: where the balancer listens with TLS; ``ports``: of all other parts, by name; ``access``: the setting of
    the nodes, ``accounts`` or ``local``; ``certificate``: a file with certificate and key, empty: self-signed;
    ``without``: parts that are left out, of OPTIONAL; ``source``: the store whose slides and catalog a new cluster
    begins with, empty: none.
    """

    folder: Path
    port: int
    nodes: tuple[str, ...]
    dask_workers: int = 0
    access: str = "accounts"
    policy: str = DEFAULT_POLICY
    certificate: str = ""
    scrape_seconds: float = 5.0
    without: tuple[str, ...] = ()
    source: str = ""
    ports: Mapping[str, int] = field(default_factory=dict)

    @property
    def workers(self) -> tuple[str, ...]:
        """The names of the Dask workers."""
        return tuple(f"worker{i + 1}" for i in range(self.dask_workers))

    @property
    def url(self) -> str:
        """Where users reach it from this machine."""
        return f"https://127.0.0.1:{self.port}"

    def with_ports(self) -> Cluster:
        """The same with a free port for each part that has none yet. Raises InvalidParameter without a free one."""
        agents = [f"{name}-agent" for name in self.nodes]
        names = [*FIXED, *self.nodes, *agents, *(f"{name}-http" for name in self.workers)]
        ports = dict(self.ports)
        free = _free_ports(self.port + 1, {self.port, *ports.values()})
        for name in names:
            if name not in ports:
                ports[name] = next(free)
        return replace(self, ports=ports)

    def save(self) -> None:
        """Writes the description into the folder."""
        content = {**asdict(self), "folder": None}
        write_private(self.folder / FILE, json.dumps(content, indent=2))


def load(folder: Path) -> Cluster | None:
    """The description in a folder; None if it has none. Raises InvalidParameter for one that cannot be read."""
    try:
        content: dict[str, Any] = json.loads((folder / FILE).read_text())
        return Cluster(
            **{**content, "folder": folder, "nodes": tuple(content["nodes"]), "without": tuple(content["without"])}
        )
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError) as cause:
        raise InvalidParameter("--dir", str(folder), f"a folder with a {FILE} of this version ({cause})") from cause


def check(cluster: Cluster) -> Cluster:
    """The same. Raises InvalidParameter for values out of bounds."""
    if not 1 <= len(cluster.nodes) <= MAX_NODES:
        raise InvalidParameter("--nodes", len(cluster.nodes), f"1 to {MAX_NODES}")
    if not 0 <= cluster.dask_workers <= MAX_WORKERS:
        raise InvalidParameter("--dask-workers", cluster.dask_workers, f"0 to {MAX_WORKERS}")
    if not 1 <= cluster.port <= 65535 - PORTS:
        raise InvalidParameter("--port", cluster.port, f"1 to {65535 - PORTS}")
    if not 0.1 <= cluster.scrape_seconds <= 3600:
        raise InvalidParameter("--scrape-seconds", cluster.scrape_seconds, "0.1 to 3600")
    if len(os.fsencode(cluster.folder)) > LONGEST_FOLDER:
        raise InvalidParameter("--dir", str(cluster.folder), f"a path of at most {LONGEST_FOLDER} bytes, for sockets")
    return cluster


def first_names(count: int) -> tuple[str, ...]:
    """Of the nodes of a new cluster."""
    return tuple(f"node{i + 1}" for i in range(count))


def new_name(names: Iterable[str]) -> str:
    """Of a further node."""
    taken = set(names)
    return next(name for name in first_names(MAX_NODES + 1) if name not in taken)


def secrets_of(folder: Path) -> dict[str, str]:
    """Passwords of the parts among each other, made at the first call; only the owner of the folder reads them."""
    path = folder / SECRETS
    try:
        found: dict[str, str] = json.loads(path.read_text())
    except FileNotFoundError:
        found = {}
    missing = {name for name in ("database", "object-store", "rates") if name not in found}
    if missing:
        found |= {name: secrets.token_urlsafe(24) for name in missing}
        write_private(path, json.dumps(found))
    return found


def write_private(path: Path, text: str) -> None:
    """Replaces a file in one step; only its owner reads it."""
    part = path.with_name(f"{path.name}.new")
    part.unlink(missing_ok=True)
    with open_new(part) as file:
        file.write(text.encode())
    part.replace(path)


def is_free(port: int) -> bool:
    """Whether a program may listen there on loopback."""
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the parts do
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _free_ports(first: int, taken: set[int]) -> Any:
    for port in range(first, min(first + PORTS, 65536)):
        if port not in taken and is_free(port):
            yield port
    raise InvalidParameter("--port", first - 1, "a port with free ones after it")

"""What a configuration of the balancer is generated from: plain data, checked."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from wavescope.errors import InvalidParameter, Unavailable

PLAN = "plan.json"
MAX_NODES = 256
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")
HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[[0-9A-Fa-f:]{2,45}\]")
PATH = re.compile(r"[A-Za-z0-9_./+@~-]+")


@dataclass(frozen=True)
class Node:
    """One node as the balancer reaches it. ``agent_port``: of its load agent; 0: it has none."""

    name: str
    host: str
    port: int
    agent_port: int = 0


@dataclass(frozen=True)
class Plan:
    """One balancer. ``folder`` has its files; ``certificate``: certificate and key in one PEM file; None: plain HTTP.

    ``client_seconds``: time to live of a client's node (policy `client`); ``most_requests``: at a node, from which on
    its clients get another one; ``balance_factor``: percent of the average load that a node takes at most (`lard`);
    ``data_seconds``: to bring the data of one block to a node that does not have it (`least-time`).
    """

    nodes: tuple[Node, ...]
    folder: Path
    port: int
    metrics_port: int
    peers_port: int
    host: str = "127.0.0.1"
    certificate: Path | None = None
    policy: str = "least-connections"
    client_seconds: int = 300
    most_requests: int = 16
    balance_factor: int = 150
    data_seconds: float = 0.001

    def __post_init__(self) -> None:
        """Raises InvalidParameter for what HAProxy would misread or refuse."""
        if not 1 <= len(self.nodes) <= MAX_NODES:
            raise InvalidParameter("nodes", len(self.nodes), f"1 to {MAX_NODES} nodes")
        names = [node.name for node in self.nodes]
        for node in self.nodes:
            if not NAME.fullmatch(node.name) or names.count(node.name) > 1:
                raise InvalidParameter("node", node.name, "distinct names of letters, digits, '_', '.' and '-'")
            _host("host of a node", node.host)
            _port("port of a node", node.port)
            if node.agent_port:
                _port("port of an agent", node.agent_port)
        _host("host", self.host)
        for what, port in (("port", self.port), ("metrics port", self.metrics_port), ("peers port", self.peers_port)):
            _port(what, port)
        for path in (self.folder, self.certificate):
            if path is not None and not PATH.fullmatch(str(path)):
                raise InvalidParameter("path", str(path), "letters, digits and _ . / + @ ~ - alone")
        _number("client_seconds", self.client_seconds, 1, 86_400)
        _number("most_requests", self.most_requests, 1, 100_000)
        _number("data_seconds", self.data_seconds, 0, 60)
        _number("balance_factor", self.balance_factor, 101, 65_535)


def write_plan(plan: Plan) -> None:
    """Writes a plan into its folder."""
    new = plan.folder / f"{PLAN}.new"
    new.write_text(plan_text(plan))
    new.replace(plan.folder / PLAN)


def plan_text(plan: Plan) -> str:
    """A plan as it is written."""
    values = {name: str(value) if isinstance(value, Path) else value for name, value in asdict(plan).items()}
    return json.dumps(values, indent=1) + "\n"


def read_plan(folder: Path) -> Plan:
    """The plan that was last written into a folder. Raises Unavailable, InvalidParameter."""
    try:
        values = json.loads((folder / PLAN).read_text())
        nodes = tuple(Node(**node) for node in values.pop("nodes"))
        certificate = values.pop("certificate")
        return Plan(nodes, Path(values.pop("folder")), certificate=certificate and Path(certificate), **values)
    except FileNotFoundError as cause:
        raise Unavailable("the balancer", f"there is none in {folder}") from cause
    except (ValueError, TypeError, KeyError, AttributeError) as cause:
        raise InvalidParameter("plan", str(folder / PLAN), "a plan written by this version") from cause


def _host(what: str, host: str) -> None:
    if not HOST.fullmatch(host):
        raise InvalidParameter(what, host, "a name or address; IPv6 in brackets")


def _port(what: str, port: int) -> None:
    _number(what, port, 1, 65_535)


def _number(what: str, value: float, minimum: int, maximum: int) -> None:
    if not minimum <= value <= maximum:
        raise InvalidParameter(what, value, f"{minimum} to {maximum}")

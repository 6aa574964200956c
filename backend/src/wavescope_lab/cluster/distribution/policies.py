"""The policies: how the balancer chooses the node of a request, each with the lines of its configuration (CL80)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from wavescope.errors import InvalidParameter
from wavescope_lab.cluster.distribution.plan import Plan

OF_SLIDE = "var(txn.slide)"
OF_CLIENT = "var(txn.client)"
Lines = list[str]
LUA = Path(__file__).with_name("least_time.lua")
REMEMBERED_SECONDS = 60
"""For which the data of a slide counts as being at a node that has served it (policy `least-time`)."""


@dataclass(frozen=True)
class Policy:
    """``summary``: one sentence for operators; ``weights``: servers are weighted by their agents; ``before``: lines of
    the section `global`; ``lines``: of the backend; ``lasting``: live sessions and events have a backend of their own.
    """

    name: str
    summary: str
    lines: Callable[[Plan], Lines]
    weights: bool = False
    before: Callable[[Plan], Lines] = lambda _: []
    lasting: bool = False


def policy_of(name: str) -> Policy:
    """The policy of this name. Raises InvalidParameter."""
    if name not in POLICIES:
        raise InvalidParameter("policy", name, " | ".join(POLICIES))
    return POLICIES[name]


def _round_robin(_: Plan) -> Lines:
    return [
        "# Each node in turn. Equal loads, but every node reads and caches every slide.",
        "balance roundrobin",
    ]


def _least_connections(_: Plan) -> Lines:
    return [
        "# The node with the fewest requests in work; of those with equally few, each in turn. A node that is slow",
        "# for a while gets fewer requests: else most would wait at it in the end, while others are idle.",
        "balance leastconn",
    ]


def _weighted(_: Plan) -> Lines:
    return [
        "# Each node in turn, as often as its weight says: the agent of the node reports the free share of its busiest",
        "# part (processor, disk, network) as a percentage each second.",
        "balance roundrobin",
    ]


def _file(_: Plan) -> Lines:
    return [
        "# The slide's id chooses the node, whatever its load: one node caches the slide. With a consistent hash, a",
        "# node that comes or goes moves its own slides alone. Requests without a slide: each node in turn.",
        f"balance hash {OF_SLIDE}",
        "hash-type consistent sdbm avalanche",
    ]


def _client(plan: Plan) -> Lines:
    overloaded = [
        f"http-request set-var(txn.overloaded) bool(true) if {{ {OF_CLIENT},table_server_id(nodes) eq {number} }} "
        f"{{ srv_conn(nodes/{node.name}) ge {plan.most_requests} }}"
        for number, node in enumerate(plan.nodes, 1)
    ]
    return [
        f"# A client stays at its node until it makes no request for {plan.client_seconds} s, or until the node has",
        f"# {plan.most_requests} requests in work: then the node with the fewest requests takes the client over.",
        "balance leastconn",
        f"stick-table type string len 64 size 100k expire {plan.client_seconds}s peers balancers",
        *overloaded,
        f"stick match {OF_CLIENT} unless {{ var(txn.overloaded) -m bool }}",
        f"stick store-request {OF_CLIENT}",
    ]


def _lard(plan: Plan) -> Lines:
    return [
        f"# As `file`, but a node that has {plan.balance_factor} % of the average number of requests in work passes",
        "# further ones to the next node of the slide's hash: a slide in demand has as many nodes as it needs.",
        f"balance hash {OF_SLIDE}",
        "hash-type consistent sdbm avalanche",
        f"hash-balance-factor {plan.balance_factor}",
    ]


def _least_time(plan: Plan) -> Lines:
    return [
        "# The node at which the request is estimated to be answered first, by learnt costs of routes, the work in",
        "# progress at each node, its learnt speed, and which slides it has served lately (least_time.lua).",
        "balance leastconn",
        "http-request lua.least_time",
        "http-response lua.least_time_answered",
        *(f"use-server {node.name} if {{ var(txn.node) -m str {node.name} }}" for node in plan.nodes),
    ]


def _least_time_script(plan: Plan) -> Lines:
    names = " ".join(node.name for node in plan.nodes)
    return [
        f'setenv WAVESCOPE_LEAST_TIME "{plan.data_seconds} {REMEMBERED_SECONDS} {names}"',
        f'lua-load "{LUA}"',
    ]


POLICIES = {
    policy.name: policy
    for policy in (
        Policy("least-connections", "the node with the fewest requests in work", _least_connections, lasting=True),
        Policy("round-robin", "each node in turn", _round_robin),
        Policy("weighted", "each node in turn, weighted by its load", _weighted, weights=True),
        Policy("file", "the slide chooses the node", _file),
        Policy("client", "a client stays at its node for a time, unless the node is overloaded", _client),
        Policy("least-time", "the node that is estimated to answer first", _least_time, before=_least_time_script),
        Policy("lard", "the slide chooses the node, up to a bound of its load", _lard),
    )
}

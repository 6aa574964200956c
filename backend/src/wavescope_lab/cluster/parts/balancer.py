"""HAProxy in front of the nodes."""

from __future__ import annotations

import signal

from wavescope_lab.cluster.distribution.balancer import FILE, MASTER_SOCKET
from wavescope_lab.cluster.distribution.configuration import configuration
from wavescope_lab.cluster.distribution.plan import PLAN, Node, Plan, plan_text
from wavescope_lab.cluster.part import Part
from wavescope_lab.cluster.parts.place import HOST, Place, plain_environment
from wavescope_lab.cluster.probes import HttpProbe


def balancer(place: Place) -> Part:
    """TLS and HTTP/2 for users; it reads its configuration again without closing connections."""
    plan = plan_of(place)
    file = plan.folder / FILE
    return Part(
        name="balancer",
        kind="balancer",
        command=(place.programs["haproxy"], "-W", "-db", "-S", str(plan.folder / MASTER_SOCKET), "-f", str(file)),
        address=f"{HOST}:{place.cluster.port}",
        probe=HttpProbe(place.cluster.port, "/healthz", tls=True),
        folder=plan.folder,
        environment=plain_environment(),
        after=("certificate", *place.cluster.nodes),
        files={file: configuration(plan), plan.folder / PLAN: plan_text(plan)},
        reload=signal.SIGUSR2,
    )


def plan_of(place: Place) -> Plan:
    """What the configuration of the balancer is generated from. Raises InvalidParameter."""
    cluster = place.cluster
    return Plan(
        nodes=tuple(Node(name, HOST, place.port(name), place.port(f"{name}-agent")) for name in cluster.nodes),
        folder=place.folder / "balancer",
        port=cluster.port,
        metrics_port=place.port("balancer-status"),
        peers_port=place.port("balancer-peers"),
        certificate=place.certificate,
        policy=cluster.policy,
    )

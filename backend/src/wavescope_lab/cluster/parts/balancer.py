"""HAProxy in front of the nodes."""

from __future__ import annotations

import signal

from wavescope_lab.cluster.distribution.balancer import FILE, MASTER_SOCKET
from wavescope_lab.cluster.distribution.configuration import configuration
from wavescope_lab.cluster.distribution.plan import PLAN, Node, Plan, plan_text
from wavescope_lab.cluster.part import Part
from wavescope_lab.cluster.parts.context import HOST, Context, plain_environment
from wavescope_lab.cluster.probes import HttpProbe


def balancer(context: Context) -> Part:
    """TLS and HTTP/2 for users; it reads its configuration again without closing connections."""
    plan = plan_of(context)
    file = plan.folder / FILE
    return Part(
        name="balancer",
        kind="balancer",
        command=(context.programs["haproxy"], "-W", "-db", "-S", str(plan.folder / MASTER_SOCKET), "-f", str(file)),
        address=f"{HOST}:{context.cluster.port}",
        probe=HttpProbe(context.cluster.port, "/healthz", tls=True),
        folder=plan.folder,
        environment=plain_environment(),
        after=("certificate", *context.cluster.nodes),
        files={file: configuration(plan), plan.folder / PLAN: plan_text(plan)},
        reload=signal.SIGUSR2,
    )


def plan_of(context: Context) -> Plan:
    """What the configuration of the balancer is generated from. Raises InvalidParameter."""
    cluster = context.cluster
    return Plan(
        nodes=tuple(Node(name, HOST, context.port(name), context.port(f"{name}-agent")) for name in cluster.nodes),
        folder=context.folder / "balancer",
        port=cluster.port,
        metrics_port=context.port("balancer-status"),
        peers_port=context.port("balancer-peers"),
        certificate=context.certificate,
        policy=cluster.policy,
    )

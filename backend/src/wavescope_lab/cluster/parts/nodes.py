"""The nodes, and the Dask scheduler with its workers."""

from __future__ import annotations

import sys

from wavescope_lab.cluster.part import Part
from wavescope_lab.cluster.parts.context import BUCKET, HOST, KEY, PREFIX, REGION, Context, plain_environment
from wavescope_lab.cluster.probes import HttpProbe

DRAIN_SECONDS = "3"  # more than the balancer needs to find that a node is not ready (CL17)
SETTINGS = "wavescope.toml"  # of all nodes, for the operator


def nodes(context: Context) -> list[Part]:
    """One for each name."""
    return [_node(context, name) for name in context.cluster.nodes]


def shared_environment(context: Context) -> dict[str, str]:
    """What all nodes and workers know of the cluster."""
    cluster = context.cluster
    found = {
        "WAVESCOPE_CONFIG": str(context.folder / SETTINGS),
        "WAVESCOPE_CATALOG": context.database_url,
        "WAVESCOPE_SLIDE_STORE": f"s3://{BUCKET}/{PREFIX}",
        "WAVESCOPE_ACCESS": cluster.access,
        "WAVESCOPE_OPEN_TO_ALL": "1" if cluster.access == "local" else "0",
        "WAVESCOPE_TRUSTED_PROXIES": HOST,
        "AWS_ENDPOINT_URL": f"http://{context.address('object-store')}",
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": context.secrets["object-store"],
        "AWS_REGION": REGION,
    }
    if "rates" not in cluster.without:
        found["WAVESCOPE_RATE_STORAGE"] = f"redis://:{context.secrets['rates']}@{context.address('rates')}"
    if cluster.dask_workers:
        found["WAVESCOPE_DASK_SCHEDULER"] = scheduler_url(context)
    return found


def command_environment(context: Context) -> dict[str, str]:
    """That of a command, such as ``wavescope user add``, which works on the catalog and the slides of the cluster."""
    return {
        **plain_environment(),
        **shared_environment(context),
        "WAVESCOPE_STORE": str(context.folder / "commands"),
        "WAVESCOPE_RUN_JOBS": "0",
    }


def scheduler_url(context: Context) -> str:
    """Where Dask's scheduler is reached."""
    return f"tcp://{context.address('scheduler')}"


def _node(context: Context, name: str) -> Part:
    port, folder = context.port(name), context.folder / "nodes" / name
    own = {
        "WAVESCOPE_NODE_NAME": name,
        "WAVESCOPE_NODE_URL": f"http://{HOST}:{port}",
        "WAVESCOPE_DRAIN_SECONDS": DRAIN_SECONDS,
        "WAVESCOPE_AGENT_PORT": str(context.port(f"{name}-agent")),
    }
    return Part(
        name=name,
        kind="node",
        command=(
            *(sys.executable, "-m", "wavescope.cli", "serve"),
            *("--host", HOST, "--port", str(port), "--store", str(folder)),
        ),
        address=context.address(name),
        probe=HttpProbe(port, "/readyz"),
        folder=folder,
        environment={**plain_environment(), **shared_environment(context), **own},
        after=("first content", "catalog", "object-store", "rates", "scheduler"),
        stop_seconds=60.0,
    )


def scheduler(context: Context) -> Part:
    """Dask's scheduler."""
    status = context.port("scheduler-http")
    return Part(
        name="scheduler",
        kind="Dask scheduler",
        command=(
            *(sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", HOST),
            *("--port", str(context.port("scheduler")), "--dashboard-address", f"{HOST}:{status}"),
        ),
        address=context.address("scheduler"),
        probe=HttpProbe(status, "/health"),
        folder=context.folder / "scheduler",
        environment=plain_environment(),
    )


def workers(context: Context) -> list[Part]:
    """Dask's workers: one thread each, started again by the supervisor."""
    return [_worker(context, name) for name in context.cluster.workers]


def _worker(context: Context, name: str) -> Part:
    status, folder = context.port(f"{name}-http"), context.folder / "workers" / name
    return Part(
        name=name,
        kind="Dask worker",
        command=(
            *(sys.executable, "-m", "distributed.cli.dask_worker", scheduler_url(context), "--host", HOST),
            *("--name", name, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder)),
            *("--dashboard-address", f"{HOST}:{status}"),
        ),
        address=context.address(f"{name}-http"),
        probe=HttpProbe(status, "/health"),
        folder=folder,
        environment={**plain_environment(), **shared_environment(context)},
        after=("scheduler", "catalog", "object-store"),
    )

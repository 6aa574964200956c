"""The nodes, and the Dask scheduler with its workers."""

from __future__ import annotations

import sys

from wavescope_lab.cluster.part import Part
from wavescope_lab.cluster.parts.place import BUCKET, HOST, KEY, PREFIX, REGION, Place, plain_environment
from wavescope_lab.cluster.probes import HttpProbe

DRAIN_SECONDS = "3"  # more than the balancer needs to find that a node is not ready (CL17)
SETTINGS = "wavescope.toml"  # of all nodes, for the operator


def nodes(place: Place) -> list[Part]:
    """One for each name."""
    return [_node(place, name) for name in place.cluster.nodes]


def shared_environment(place: Place) -> dict[str, str]:
    """What all nodes and workers know of the cluster."""
    cluster = place.cluster
    found = {
        "WAVESCOPE_CONFIG": str(place.folder / SETTINGS),
        "WAVESCOPE_CATALOG": place.database_url,
        "WAVESCOPE_SLIDE_STORE": f"s3://{BUCKET}/{PREFIX}",
        "WAVESCOPE_ACCESS": cluster.access,
        "WAVESCOPE_OPEN_TO_ALL": "1" if cluster.access == "local" else "0",
        "WAVESCOPE_TRUSTED_PROXIES": HOST,
        "AWS_ENDPOINT_URL": f"http://{place.address('object-store')}",
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": place.secrets["object-store"],
        "AWS_REGION": REGION,
    }
    if "rates" not in cluster.without:
        found["WAVESCOPE_RATE_STORAGE"] = f"redis://:{place.secrets['rates']}@{place.address('rates')}"
    if cluster.dask_workers:
        found["WAVESCOPE_DASK_SCHEDULER"] = scheduler_url(place)
    return found


def command_environment(place: Place) -> dict[str, str]:
    """That of a command, such as ``wavescope user add``, which works on the catalog and the slides of the cluster."""
    return {
        **plain_environment(),
        **shared_environment(place),
        "WAVESCOPE_STORE": str(place.folder / "commands"),
        "WAVESCOPE_RUN_JOBS": "0",
    }


def scheduler_url(place: Place) -> str:
    """Where Dask's scheduler is reached."""
    return f"tcp://{place.address('scheduler')}"


def _node(place: Place, name: str) -> Part:
    port, folder = place.port(name), place.folder / "nodes" / name
    own = {
        "WAVESCOPE_NODE_NAME": name,
        "WAVESCOPE_NODE_URL": f"http://{HOST}:{port}",
        "WAVESCOPE_DRAIN_SECONDS": DRAIN_SECONDS,
        "WAVESCOPE_AGENT_PORT": str(place.port(f"{name}-agent")),
    }
    return Part(
        name=name,
        kind="node",
        command=(
            *(sys.executable, "-m", "wavescope.cli", "serve"),
            *("--host", HOST, "--port", str(port), "--store", str(folder)),
        ),
        address=place.address(name),
        probe=HttpProbe(port, "/readyz"),
        folder=folder,
        environment={**plain_environment(), **shared_environment(place), **own},
        after=("first content", "catalog", "object-store", "rates", "scheduler"),
        stop_seconds=60.0,
    )


def scheduler(place: Place) -> Part:
    """Dask's scheduler."""
    status = place.port("scheduler-http")
    return Part(
        name="scheduler",
        kind="Dask scheduler",
        command=(
            *(sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", HOST),
            *("--port", str(place.port("scheduler")), "--dashboard-address", f"{HOST}:{status}"),
        ),
        address=place.address("scheduler"),
        probe=HttpProbe(status, "/health"),
        folder=place.folder / "scheduler",
        environment=plain_environment(),
    )


def workers(place: Place) -> list[Part]:
    """Dask's workers: one thread each, started again by the supervisor."""
    return [_worker(place, name) for name in place.cluster.workers]


def _worker(place: Place, name: str) -> Part:
    status, folder = place.port(f"{name}-http"), place.folder / "workers" / name
    return Part(
        name=name,
        kind="Dask worker",
        command=(
            *(sys.executable, "-m", "distributed.cli.dask_worker", scheduler_url(place), "--host", HOST),
            *("--name", name, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder)),
            *("--dashboard-address", f"{HOST}:{status}"),
        ),
        address=place.address(f"{name}-http"),
        probe=HttpProbe(status, "/health"),
        folder=folder,
        environment={**plain_environment(), **shared_environment(place)},
        after=("scheduler", "catalog", "object-store"),
    )

"""Prometheus, which scrapes every part that has measurements."""

from __future__ import annotations

import json
import signal
from typing import Any

from wavescope_lab.cluster.part import Part
from wavescope_lab.cluster.parts.context import Context, plain_environment
from wavescope_lab.cluster.probes import HttpProbe


def prometheus(context: Context) -> Part:
    """The measurements of the whole cluster."""
    folder, address = context.folder / "prometheus", context.address("prometheus")
    file = folder / "prometheus.yml"
    return Part(
        name="prometheus",
        kind="measurements",
        command=(
            context.programs["prometheus"],
            *(f"--config.file={file}", f"--storage.tsdb.path={folder / 'data'}", f"--web.listen-address={address}"),
            "--log.level=warn",
        ),
        address=address,
        probe=HttpProbe(context.port("prometheus"), "/-/ready"),
        folder=folder,
        environment=plain_environment(),
        after=("catalog",),
        files={file: configuration(context)},
        reload=signal.SIGHUP,
    )


def configuration(context: Context) -> str:
    """The configuration of Prometheus; JSON is YAML."""
    cluster = context.cluster
    seconds = f"{round(cluster.scrape_seconds * 1000)}ms"
    jobs = [_job("wavescope", context, cluster.nodes), _job("haproxy", context, ("balancer-status",), "balancer")]
    if cluster.access == "accounts":
        jobs[0]["authorization"] = {"credentials_file": str(context.token)}
    if cluster.dask_workers:
        jobs.append(_job("dask-scheduler", context, ("scheduler-http",), "scheduler"))
        jobs.append(_job("dask-worker", context, tuple(f"{name}-http" for name in cluster.workers)))
    content = {
        "global": {"scrape_interval": seconds, "scrape_timeout": seconds, "evaluation_interval": seconds},
        "scrape_configs": jobs,
    }
    return json.dumps(content, indent=2)


def _job(job: str, context: Context, names: tuple[str, ...], shown: str = "") -> dict[str, Any]:
    """``shown``: the name of the target in the label ``instance``; empty: that of the part."""
    targets = [
        {"targets": [context.address(name)], "labels": {"instance": shown or name.removesuffix("-http")}}
        for name in names
    ]
    return {"job_name": job, "static_configs": targets}

"""Prometheus, which scrapes every part that has measurements."""

from __future__ import annotations

import json
import signal
from typing import Any

from wavescope_lab.cluster.part import Part
from wavescope_lab.cluster.parts.place import Place, plain_environment
from wavescope_lab.cluster.probes import HttpProbe


def prometheus(place: Place) -> Part:
    """The measurements of the whole cluster."""
    folder, address = place.folder / "prometheus", place.address("prometheus")
    file = folder / "prometheus.yml"
    return Part(
        name="prometheus",
        kind="measurements",
        command=(
            place.programs["prometheus"],
            *(f"--config.file={file}", f"--storage.tsdb.path={folder / 'data'}", f"--web.listen-address={address}"),
            "--log.level=warn",
        ),
        address=address,
        probe=HttpProbe(place.port("prometheus"), "/-/ready"),
        folder=folder,
        environment=plain_environment(),
        after=("catalog",),
        files={file: configuration(place)},
        reload=signal.SIGHUP,
    )


def configuration(place: Place) -> str:
    """The configuration of Prometheus; JSON is YAML."""
    cluster = place.cluster
    seconds = f"{round(cluster.scrape_seconds * 1000)}ms"
    jobs = [_job("wavescope", place, cluster.nodes), _job("haproxy", place, ("balancer-status",), "balancer")]
    if cluster.access == "accounts":
        jobs[0]["authorization"] = {"credentials_file": str(place.token)}
    if cluster.dask_workers:
        jobs.append(_job("dask-scheduler", place, ("scheduler-http",), "scheduler"))
        jobs.append(_job("dask-worker", place, tuple(f"{name}-http" for name in cluster.workers)))
    content = {
        "global": {"scrape_interval": seconds, "scrape_timeout": seconds, "evaluation_interval": seconds},
        "scrape_configs": jobs,
    }
    return json.dumps(content, indent=2)


def _job(job: str, place: Place, names: tuple[str, ...], shown: str = "") -> dict[str, Any]:
    """``shown``: the name of the target in the label ``instance``; empty: that of the part."""
    targets = [
        {"targets": [place.address(name)], "labels": {"instance": shown or name.removesuffix("-http")}}
        for name in names
    ]
    return {"job_name": job, "static_configs": targets}

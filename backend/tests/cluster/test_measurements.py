"""The dashboard of the cluster on the Prometheus of a real one (CL76)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from cluster.clusters import Made, cluster

pytestmark = pytest.mark.slow

DASHBOARD = Path(__file__).parents[3] / "shared" / "operations" / "cluster-dashboard.json"
WINDOW = "5s"  # of rates
SCRAPE_SECONDS = "0.5"


def queries() -> Iterator[tuple[str, str]]:
    """Panel and expression."""
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"].replace("$__rate_interval", WINDOW)


def prometheus(made: Made) -> httpx.Client:
    return httpx.Client(base_url=f"http://{made.part('prometheus')['address']}", timeout=20)


def result(client: httpx.Client, expression: str) -> list[dict[str, Any]]:
    answer = client.get("/api/v1/query", params={"query": expression}).json()
    assert answer["status"] == "success", f"{expression}: {answer}"
    found: list[dict[str, Any]] = answer["data"]["result"]
    return [series for series in found if series["value"][1] != "NaN"]


def test_every_query_of_the_dashboard_returns_data_of_every_part_cl76() -> None:
    with (
        cluster("--nodes", "2", "--dask-workers", "1", "--open", "--scrape-seconds", SCRAPE_SECONDS) as made,
        prometheus(made) as client,
        made.client() as user,
    ):
        deadline, without = time.monotonic() + 90, dict.fromkeys(queries())
        while without and time.monotonic() < deadline:
            for path in ("/api/v1/slides", "/readyz", "/"):
                assert user.get(path).status_code == 200
            without = dict.fromkeys(one for one in without if not result(client, one[1]))
        assert list(without) == []
        up = {series["metric"]["instance"]: series["value"][1] for series in result(client, "up")}
        assert up == dict.fromkeys(("node1", "node2", "balancer", "scheduler", "worker1"), "1")
        per_node = result(client, 'sum by (server) (haproxy_server_http_responses_total{proxy="nodes"})')
        assert {series["metric"]["server"] for series in per_node} == {"node1", "node2"}

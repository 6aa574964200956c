"""The shipped dashboard and alert rules on a real Prometheus that scrapes a real service (OP68)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import re
import shutil
import subprocess
import tomllib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.accounts import QUICK
from api.asking import API
from api.processes import free_port
from api.test_server import Served, serving
from wavescope.api.metrics.families import FAMILIES
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.catalog import Catalog
from wavescope.config import Limits
from wavescope.ingest.pipeline import Options, ingest

SHIPPED = Path(__file__).parents[3] / "shared" / "operations"
RULES, CASES = SHIPPED / "alerts.yml", Path(__file__).parent / "alerts_test.yml"
PROGRAMS = (shutil.which("prometheus"), shutil.which("promtool"))
pytestmark = pytest.mark.skipif(None in PROGRAMS, reason="prometheus is not installed")

NAME_OF_SERVICE = "slides.example.org"
EVERY = "200ms"  # a scrape
WINDOW = "3s"  # of rates
HEALTHY = "Empty in good health"  # in the description of a panel
NAME = re.compile(r"\b(?:wavescope|process)_\w+")
BY_MACHINE = "WavescopeSlow"  # depends on the load of the machine that runs the test
SUFFIXES = ("_bucket", "_sum", "_count")


@dataclass(frozen=True)
class Query:
    """A query of the dashboard. ``empty``: it may return nothing in good health."""

    panel: str
    expression: str
    empty: bool


def dashboard() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((SHIPPED / "grafana-dashboard.json").read_text())
    return loaded


def filled(expression: str) -> str:
    """As Grafana fills in its variables."""
    for variable, value in {"$job": "wavescope", "$instance": ".*", "$__rate_interval": WINDOW}.items():
        expression = expression.replace(variable, value)
    assert "$" not in expression
    return expression


def queries() -> Iterator[Query]:
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", ()):
            yield Query(panel["title"], filled(target["expr"]), HEALTHY in panel["description"])


def names_in(expression: str) -> set[str]:
    """The metrics of an expression, histograms without the suffixes of their series."""
    histograms = {family.name for family in FAMILIES if family.kind == "histogram"}
    found = set()
    for name in NAME.findall(expression):
        base = next((name.removesuffix(end) for end in SUFFIXES if name.endswith(end)), name)
        found.add(base if base in histograms else name)
    return found


def configuration(folder: Path, port: int, token: str) -> Path:
    """The configuration that the guide shows, with the addresses of this test."""
    (shown,) = re.findall(r"\n((?: {4}.*\n)+)", (SHIPPED / "metrics.md").read_text())
    text = re.sub("^ {4}", "", shown, flags=re.MULTILINE)
    (folder / "token").write_text(token)
    for old, new in {
        "15s": EVERY,
        "/etc/prometheus/wavescope.token": str(folder / "token"),
        "127.0.0.1:8000": f"127.0.0.1:{port}",
        "/etc/prometheus/wavescope-alerts.yml": str(RULES),
    }.items():
        assert old in text
        text = text.replace(old, new)
    path = folder / "prometheus.yml"
    path.write_text(f"global: {{ evaluation_interval: {EVERY} }}\n{text}")
    return path


@asynccontextmanager
async def prometheus(folder: Path, port: int, token: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a Prometheus that scrapes the service on this port."""
    folder.mkdir()
    listening, file = free_port(), configuration(folder, port, token)
    child = await asyncio.create_subprocess_exec(
        "prometheus", f"--config.file={file}", f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address=127.0.0.1:{listening}", "--log.level=error",
    )  # fmt: skip
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{listening}", timeout=20) as client:
            async with asyncio.timeout(60):
                while child.returncode is None:
                    with contextlib.suppress(httpx.TransportError):
                        if (await client.get("/-/ready")).status_code == 200:
                            break
                    await asyncio.sleep(0.02)
            yield client
    finally:
        child.terminate()
        await child.wait()


async def values(client: httpx.AsyncClient, expression: str) -> list[float]:
    """The numbers that a query returns. Fails on an expression that Prometheus refuses."""
    answer = (await client.get("/api/v1/query", params={"query": expression})).json()
    assert answer["status"] == "success", f"{expression}: {answer}"
    assert not answer.get("warnings")
    return [float(series["value"][1]) for series in answer["data"]["result"]]


@asynccontextmanager
async def traffic(served: Served, digest: str, headers: dict[str, str]) -> AsyncIterator[asyncio.Task[None]]:
    """Requests meanwhile; the task ends only by failing."""
    busy = asyncio.create_task(_requests(served, digest, headers))
    try:
        yield busy
    finally:
        busy.cancel()
        await asyncio.gather(busy, return_exceptions=True)


async def _requests(served: Served, digest: str, headers: dict[str, str]) -> None:
    """Requests of most kinds, without pause."""
    base, number = f"{API}/slides/visual/v/{digest}", 0
    async with httpx.AsyncClient(base_url=served.client.base_url, headers=headers, timeout=20) as client:
        await client.post(f"{API}/uploads?filename=a.svs", content=b"slow")
        while True:
            number += 1
            region = f"{base}/region?level=0&x={number % 300}&y=0&width=64&height=64"
            for path in (f"{base}/blocks/0/0/0/1/1", f"{API}/slides", f"{base}/icc", f"{API}/slides/none", region):
                await client.get(path)
            await client.post(f"{base}/blocks:batch", json={"blocks": [[0, 0, 0, 1, 1, 0, 1]]})


def one_slide(store: Path) -> str:
    """The digest of the slide ``visual`` in a new store."""
    catalog = Catalog.open(store)
    digest = ingest("specimen:700x600", store, catalog, Options("visual", "The visual one", "visual")).digest
    catalog.close()
    return digest


def settings_of_the_guide() -> dict[str, Any]:
    """Those that decide who is answered, of the file of settings that the guide ships."""
    shown = tomllib.loads((SHIPPED / "wavescope.toml").read_text())
    assert shown["allowed_hosts"] == [NAME_OF_SERVICE]
    return {"access": shown["access"], **{name: tuple(shown[name]) for name in ("allowed_hosts", "trusted_proxies")}}


async def tokens(served: Served) -> tuple[str, str]:
    """Personal tokens of an admin: one that only reads metrics, as the guide wants it, and one for requests."""
    Accounts(served.service.catalog).add("adam", "Adam", "admin", QUICK)
    headers = {"origin": f"http://{NAME_OF_SERVICE}", "host": NAME_OF_SERVICE}
    signed = await served.client.post(
        f"{API}/sign-in", json={"name": "adam", "password": "correct horse battery"}, headers=headers
    )
    assert signed.status_code == 200, signed.text
    found = []
    for title, scopes in (("prometheus", ["metrics"]), ("script", ["read", "slides"])):
        made = await served.client.post(
            f"{API}/account/tokens", json={"title": title, "scopes": scopes}, headers=headers
        )
        found.append(str(made.json()["token"]))
    return found[0], found[1]


@pytest.mark.slow
async def test_every_query_of_the_dashboard_and_of_the_alerts_runs_op68(tmp_path: Path) -> None:
    store = tmp_path / "store"
    digest = await asyncio.to_thread(one_slide, store)
    limits = Limits(free_bytes=1, low_bytes=2)  # whatever the disk of this machine has
    async with serving(store, limits=limits, **settings_of_the_guide()) as served:
        token, script = await tokens(served)
        async with prometheus(tmp_path / "prometheus", served.port, token) as client:
            await scraped(client, 1)
            async with traffic(served, digest, {"authorization": f"Bearer {script}", "host": NAME_OF_SERVICE}) as busy:
                await scraped(client, 8)
                assert not busy.done(), busy.exception()
                await check_all(client)
            metadata = (await client.get("/api/v1/metadata")).json()["data"]
    described = {name for name in metadata if name.startswith(("wavescope_", "process_"))}
    assert described == {family.name for family in FAMILIES}


async def check_all(client: httpx.AsyncClient) -> None:
    """Each query of the dashboard returns numbers; each alert is evaluated and silent."""
    for query in queries():
        found = [value for value in await values(client, query.expression) if not math.isnan(value)]
        assert found or query.empty, f"no data: {query}"
    rules = (await client.get("/api/v1/rules")).json()["data"]["groups"][0]["rules"]
    assert len(rules) == RULES.read_text().count("alert:")
    for rule in rules:
        assert await values(client, rule["query"]) == [] or rule["name"] == BY_MACHINE, rule["name"]
        assert (rule["health"] != "err", rule["state"]) == (True, "inactive"), rule


async def scraped(client: httpx.AsyncClient, times: int) -> None:
    """Returns when the service was scraped so many times more."""
    before: float | None = None
    async with asyncio.timeout(60):
        while True:
            count = sum(await values(client, 'count_over_time(up{job="wavescope"}[1m])'))
            before = count if before is None else before
            if count >= before + times:
                return
            await asyncio.sleep(0.05)


def test_the_dashboard_and_the_alerts_name_metrics_that_exist_op68() -> None:
    names = {family.name for family in FAMILIES} | {"wavescope"}
    expressions = [query.expression for query in queries()]
    expressions += [variable["query"] for variable in dashboard()["templating"]["list"]]
    expressions += re.findall(r"expr: (.+(?:\n {10}.+)*)", RULES.read_text())
    assert len(expressions) > 60
    for expression in expressions:
        assert names_in(expression) <= names, expression


def test_each_alert_fires_when_it_should_and_none_in_good_health_op68(tmp_path: Path) -> None:
    for path in (RULES, CASES):
        shutil.copy(path, tmp_path)
    for command in (["check", "rules", RULES.name], ["test", "rules", CASES.name]):
        done = subprocess.run(
            ["promtool", *command], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

"""Each fault has a line and a metric: ``shared/operations/faults.md`` is compared with running services (OP59)."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import attack
from api.faults.provoked import KILLED, SMALL, WITH_ACCOUNTS, WITHOUT_ACCOUNTS, Provoke, Site
from api.faults.provoked_connections import CONNECTIONS
from api.test_oidc import CLIENT, SECRET, FakeProvider, running
from api.test_request_log import Lines, lines  # noqa: F401 - a fixture
from api.test_server import QuickRunner, Served, serving
from service.world import World
from wavescope.catalog.access.accounts import Accounts
from wavescope.config import Limits, Rates
from wavescope.logs import faults
from wavescope.service.jobs.runs import IngestResult, JobFailed, Report

TABLE = Path(__file__).parents[4] / "shared" / "operations" / "faults.md"
PROVOKED: dict[str, Provoke] = {**WITHOUT_ACCOUNTS, **WITH_ACCOUNTS, **CONNECTIONS}
TOOLS = {"clinic", "nursery", "nursery_process", "report", "routes", "serializers", "service", "session", "slides",
         "test_report", "work", "__main__"}  # fmt: skip


class Row(NamedTuple):
    """A row of the table; ``metric``: a sample of /metrics."""

    answer: str
    event: str
    metric: str


def table() -> dict[str, Row]:
    found = re.findall(r"^\| ([^|`]+) \| ([^|]+) \| `([^`]+)` \| `([^`]+)` \|$", TABLE.read_text(), re.MULTILINE)
    return {name: Row(*rest) for name, *rest in found}


class Killed(QuickRunner):
    """Reports what ``ChildRunner`` reports of a child that was killed."""

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        if path.read_bytes() == KILLED:
            raise JobFailed("Unavailable", "the ingest was ended from outside (SIGKILL)")
        return await super().run(path, options, report)


def sample(served: Served, name: str) -> float:
    """A sample of /metrics, which only admins may read."""
    text = served.server.config.app.state.api.metrics.text().decode()  # type: ignore[union-attr]
    return next((float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(f"{name} ")), 0.0)


async def check(at: Site, lines: Lines, wanted: Mapping[str, Provoke]) -> None:  # noqa: F811
    rows = table()
    for name, provoke in wanted.items():
        row = rows[name]
        before, lines_before = sample(at.served, row.metric), len(lines.of(row.event))
        assert (name, await provoke(at)) == (name, row.answer)
        try:
            async with asyncio.timeout(10):  # a client has its answer before the service has ended the request
                while sample(at.served, row.metric) <= before or len(lines.of(row.event)) <= lines_before:
                    await asyncio.sleep(0.01)
        except TimeoutError:
            pytest.fail(f"{name}: no new line {row.event!r}, or {row.metric} did not grow")


@pytest.fixture(autouse=True)
def _many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests logged in this minute does not count."""
    monkeypatch.setattr(faults, "_bound", faults.LineBound(faults.LINES))


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [WITHOUT_ACCOUNTS, CONNECTIONS], ids=["requests", "connections"])
async def test_each_fault_has_its_line_and_metric_op59(
    damaged: World,
    lines: Lines,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    wanted: Mapping[str, Provoke],
) -> None:
    limits = Limits(**SMALL, connections=6)  # type: ignore[arg-type]
    options = {"allowed_hosts": ("127.0.0.1",), "runner": Killed()}
    async with serving(damaged.store, limits=limits, **options) as served:
        await check(Site(served, damaged, monkeypatch), lines, wanted)


async def test_each_fault_of_a_service_with_accounts_has_its_line_and_metric_op59(
    damaged: World,
    lines: Lines,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    provider = FakeProvider()
    with running(provider):
        rates = Rates(rate_sign_in="12 per minute", rate_sign_in_failures="", rate_account_failures="1 per minute")
        sso = {"oidc_issuer": provider.issuer, "oidc_client_id": CLIENT, "oidc_client_secret": SECRET}
        async with serving(damaged.store, access="accounts", rate_limits=True, rates=rates, **sso) as served:
            Accounts(served.service.catalog).add("adam", "Adam", "admin", "x")
            await check(Site(served, damaged, monkeypatch), lines, WITH_ACCOUNTS)


def test_the_table_has_a_row_for_each_fault_that_is_provoked_here_op59() -> None:
    assert set(table()) == set(PROVOKED)


def test_each_attack_names_faults_of_the_table_op59() -> None:
    modules = {one.name for one in pkgutil.iter_modules(attack.__path__)} - TOOLS
    assert {"hostile_files", "shards", "forged_cookies", "bodies"} <= modules
    for name in modules:
        module = importlib.import_module(f"attack.{name}")
        assert module.FAULTS, f"{name} names no fault"
        assert set(module.FAULTS) <= set(table()), f"{name} names a fault that the table lacks"


def test_lines_of_a_flood_are_bounded_and_the_rest_is_counted_op59() -> None:
    now = 0.0
    bound = faults.LineBound(3, lambda: now)
    assert [bound.left_out("request", "too-large") for _ in range(100)] == [0, 0, 0] + [None] * 97
    assert bound.left_out("request", "another") == 0
    now = 61.0
    assert bound.left_out("request", "too-large") == 97

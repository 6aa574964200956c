"""The audit log over HTTP, and what is recorded (PR30 to PR36)."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.asking import API, problem
from service.world import World, running_service
from wavescope.access.principal import LOCAL_USER, user_principal
from wavescope.api.app import build_app
from wavescope.service.access.audit import shortened
from wavescope.service.composition import Services


async def asked(service: Services, path: str, **options: Any) -> httpx.Response:
    transport = httpx.ASGITransport(build_app(service), client=("192.0.2.77", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        return await client.get(API + path, **options)


async def test_admins_read_the_log_in_pages_and_by_filters_pr35(world: World, tmp_path: Path) -> None:
    async with running_service(world.copy(tmp_path / "store").without_log().store) as service:
        ada = user_principal("u1", "Ada", "annotator")
        for slide in ("a", "b", "c"):
            await asyncio.wrap_future(service.audit.record(ada, "exported", slide, file="x.tif"))
        await asyncio.wrap_future(service.audit.record(LOCAL_USER, "deleted", "a"))
        page = (await asked(service, "/audit", params={"limit": 2})).json()
        assert [one["action"] for one in page["entries"]] == ["deleted", "exported"]
        assert page["entries"][1] | {"hash": "", "time": ""} == {
            "sequence": 3,
            "time": "",
            "kind": "user",
            "principal": "u1",
            "name": "Ada",
            "address": "",
            "action": "exported",
            "slide": "c",
            "detail": {"file": "x.tif"},
            "hash": "",
        }
        rest = (await asked(service, "/audit", params={"limit": 9, "before": page["before"]})).json()
        assert ([one["slide"] for one in rest["entries"]], rest["before"]) == (["b", "a"], None)
        found = (await asked(service, "/audit", params={"name": "ad", "slide": "b"})).json()
        assert [one["sequence"] for one in found["entries"]] == [2]
        lines = (await asked(service, "/audit.ndjson", params={"action": "exported"})).text.splitlines()
        assert [json.loads(line)["slide"] for line in lines] == ["a", "b", "c"]


async def test_nobody_else_reads_it_pr35(world: World) -> None:
    async with running_service(world.store, gate=lambda principal, action, slide: action != "read audit") as service:
        for path in ("/audit", "/audit.ndjson"):
            assert problem(await asked(service, path)) == (403, "forbidden")


KEPT = {
    ("192.0.2.77", "full"): "192.0.2.77",
    ("192.0.2.77", "network"): "192.0.2.0/24",
    ("2001:db8:1:2::3", "network"): "2001:db8:1::/48",
    ("socket", "network"): "",
    ("192.0.2.77", "none"): "",
}


@pytest.mark.parametrize(("given", "kept"), KEPT.items())
def test_of_an_address_is_kept_what_is_configured_pr34(given: tuple[str, str], kept: str) -> None:
    assert shortened(*given) == kept

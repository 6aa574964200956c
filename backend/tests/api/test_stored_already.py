"""An upload of a file that is stored already: asked about, replaced by its owner, secret to others (WI72)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.accounts import API, Clinic, clinic
from api.asking import problem
from ingest.worlds import tissue, write_tiff
from service.world import World


@pytest.fixture
async def site(damaged: World) -> AsyncIterator[Clinic]:
    async with clinic(damaged.store) as opened:
        yield opened


async def post(client: httpx.AsyncClient, path: Path) -> dict[str, Any]:
    answer = await client.post(f"{API}/uploads?filename={path.name}&ask_if_stored=true", content=path.read_bytes())
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


async def ended(client: httpx.AsyncClient, job: dict[str, Any]) -> dict[str, Any]:
    await client.get(f"{API}/jobs/{job['id']}/events")
    return dict((await client.get(f"{API}/jobs/{job['id']}")).json())


async def test_wi72_only_who_sees_the_slide_is_asked_and_only_its_owner_replaces_it(
    site: Clinic, tmp_path: Path
) -> None:
    ivan, olga = await site.signed_in("ivan"), await site.signed_in("olga")
    file = write_tiff(tmp_path / "mine.tif", tissue(300, 200))
    first = await post(ivan, file)
    assert (first["state"], first["stored_as"], first["quality"]) == ("queued", [], "visual")
    slide = (await ended(ivan, first))["slide_id"]

    secret = await post(olga, file)
    assert (secret["state"], secret["stored_as"]) == ("queued", [])
    own = (await ended(olga, secret))["slide_id"]

    again = await post(ivan, file)
    assert (again["state"], again["stored_as"]) == ("held", [slide])
    start = f"{API}/jobs/{again['id']}/start?quality=lossless&replace="
    assert problem(await ivan.post(start + own)) == (404, "unknown-slide")
    assert (await ivan.post(start + slide)).status_code == 200
    assert (await ended(ivan, again))["slide_id"] == slide
    assert (await ivan.get(f"{API}/slides/{slide}")).json()["profile"] == "lossless"
    assert (await olga.get(f"{API}/slides/{own}")).json()["profile"] == "visual"

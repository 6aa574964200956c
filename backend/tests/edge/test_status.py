"""What an edge shows of itself, and to whom."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from api.asking import problem
from edge.conftest import Place, Switch
from edge.edges import edge, served
from service.world import World, running_service
from wavescope.access.grants import SECONDS
from wavescope.api.app import build_app
from wavescope.api.schemas.edge import EdgeStatusView
from wavescope.edge import status as statuses

STATUS = "/api/v1/edge/status"
BLOCK = "/blocks/0/0/0/0/0"


async def read(client: httpx.AsyncClient, since: int = 0) -> EdgeStatusView:
    answer = await client.get(f"{STATUS}?since={since}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return EdgeStatusView.model_validate_json(answer.content)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reading takes a sample."""
    monkeypatch.setattr(statuses, "INTERVAL", 0.0)


@pytest.mark.usefixtures("at_once")
async def test_an_edge_shows_its_cache_and_its_origin_over_time_ed32(place: Place) -> None:
    adam = await place.signed_in("adam")
    first = await read(adam)
    for _ in range(3):
        assert (await adam.get(place.version + BLOCK)).status_code == 200
    later = await read(adam, since=first.samples[-1].number)
    (before,), (after,) = first.samples, later.samples
    assert (after.misses - before.misses, after.memory_hits - before.memory_hits) == (1, 2)
    assert after.hit_bytes == 2 * after.missed_bytes > 0
    assert after.memory_bytes > before.memory_bytes
    assert (later.policy, later.lost, later.memory_limit) == ("sieve", False, 8 << 20)
    (origin,) = later.origins
    assert (origin.number, origin.state, origin.failures) == (0, "ok", {})
    assert after.origins[0].bytes >= after.missed_bytes
    assert after.origins[0].latency is not None
    assert after.origins[0].open == 0
    assert next(one.number for one in (await read(adam, since=10**6)).samples) == before.number


async def test_only_admins_of_the_origin_see_it_ed32(place: Place) -> None:
    assert problem(await place.client().get(STATUS)) == (401, "sign-in-required")
    assert problem(await (await place.signed_in("ivan")).get(STATUS)) == (403, "forbidden")
    adam = await place.signed_in("adam")
    assert problem(await adam.get(f"{STATUS}?since=x")) == (422, "invalid-parameter")
    assert problem(await adam.get(f"{STATUS}?until=1")) == (400, "unknown-parameter")
    assert (await read(adam)).origins[0].url == str(place.services.origins.first.upstream.url).rstrip("/")


async def test_a_service_that_is_no_edge_says_so_ed32(place: Place) -> None:
    adam = place.clinic.client(cookies=(await place.clinic.signed_in("adam")).cookies)
    assert problem(await adam.get(STATUS)) == (404, "not-an-edge")
    assert problem(await place.clinic.client().get(STATUS)) == (401, "sign-in-required")


async def test_operators_watch_an_edge_while_its_origin_is_lost_ed30_ed32(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    adam = await place.signed_in("adam")
    await read(adam)
    await place.stop()
    monkeypatch.setattr("wavescope.edge.grants.monotonic", later(SECONDS + 1))
    shown = await read(adam)
    assert (shown.lost, shown.origins[0].state) == (True, "out")
    assert (await adam.get("/metrics")).status_code == 200
    assert problem(await (await place.signed_in("ivan")).get(STATUS))[0] in (401, 503)


def later(seconds: float):  # type: ignore[no-untyped-def]
    from time import monotonic

    return lambda: monotonic() + seconds


async def test_operators_lose_the_right_with_their_account_ed30(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    adam = await place.signed_in("adam")
    await read(adam)
    await adam.post("/api/v1/sign-out")
    monkeypatch.setattr("wavescope.edge.grants.monotonic", later(SECONDS + 1))
    adam.cookies.clear()
    assert problem(await adam.get(STATUS)) == (401, "sign-in-required")


@pytest.mark.usefixtures("at_once")
async def test_several_origins_have_scores_and_windows_ed32(world: World, tmp_path: Path) -> None:
    copies = [world.copy(tmp_path / name).store for name in ("first", "second")]
    version = f"/api/v1/slides/visual/v/{world.digests['visual']}"
    async with running_service(copies[0], open_to_all=True) as one, running_service(copies[1], open_to_all=True) as two:
        near, far = Switch(build_app(one)), Switch(build_app(two))
        async with served(near) as first, served(far) as second, edge(tmp_path / "cache", first, second) as (_, app):
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                assert (await client.get(version + BLOCK)).status_code == 200
                far.status = -1
                await asyncio.gather(*(client.get(f"{version}/blocks/0/0/0/{x}/1") for x in range(5)))
                shown = await read(client)
                assert [one.url for one in shown.origins] == [first, second]
                sample = shown.samples[-1].origins
                assert all(one.window and one.window >= 1 << 14 and one.in_flight == 0 for one in sample)
                assert sample[0].score
                assert sample[0].latency
                assert not shown.lost

"""An edge: what it answers by itself, to whom, and what happens without its origin."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from api.asking import problem
from api.test_batch_frames import parse_frames
from edge.conftest import Place
from edge.edges import edge, served
from wavescope.access.grants import SECONDS
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.records import Share

BLOCK = "/blocks/0/0/0/0/0"
BATCH = {"blocks": [[0, 0, 0, x, y, 0, 2] for y in range(3) for x in range(3)]}


def publish(place: Place) -> None:
    SharingTable(place.clinic.service.catalog).share("slide", "visual", True, [])


async def test_a_part_is_fetched_once_and_verified_ed1_ed2(place: Place) -> None:
    ivan = await place.signed_in("ivan")
    here = place.clinic.client(cookies=ivan.cookies)
    paths = [
        BLOCK,
        "/layer-index/0/0/0/0",
        "/approximation/0/0",
        "/manifest",
        "/thumbnail",
        "/tiles/0/1/0/0.png",
        "/colour",
    ]
    for path in paths:
        expected = await here.get(place.version + path)
        for _ in range(2):
            answer = await ivan.get(place.version + path)
            assert (answer.status_code, answer.content) == (expected.status_code, expected.content)
            assert answer.headers["cache-control"] == "private, max-age=60, immutable"
            assert answer.headers["etag"] == expected.headers["etag"]
    assert place.asked_for("/thumbnail") == place.asked_for("/tiles/") == 0  # made from the blocks
    pages = [path for path in place.switch.asked if "layer-index" in path]
    assert len(pages) == len(set(pages))
    assert place.asked_for("grants") == 2  # a grant and the keys


async def test_a_batch_is_split_and_joined_ed3(place: Place) -> None:
    ivan = await place.signed_in("ivan")
    await ivan.get(place.version + BLOCK)
    place.switch.asked.clear()
    first = parse_frames((await ivan.post(place.version + "/blocks:batch", json=BATCH)).content)
    assert place.asked_for("blocks:batch") == 1
    again = parse_frames((await ivan.post(place.version + "/blocks:batch", json=BATCH)).content)
    assert place.asked_for("blocks:batch") == 1
    direct = place.clinic.client(cookies=ivan.cookies)
    expected = parse_frames((await direct.post(place.version + "/blocks:batch", json=BATCH)).content)
    assert sorted(first[0]) == sorted(again[0]) == sorted(expected[0])


async def test_a_first_view_is_made_of_cached_blocks_with_the_rights_of_the_asker_ed3_ed20(place: Place) -> None:
    ivan, olga = await place.signed_in("ivan"), await place.signed_in("olga")
    path = "/api/v1/slides/visual/first-view?width=1300&height=1100"
    first = parse_frames((await ivan.get(path)).content)
    expected = parse_frames((await place.clinic.client(cookies=ivan.cookies).get(path)).content)
    assert first[1]
    assert sorted(first[0]) == sorted(expected[0])
    place.switch.asked.clear()
    again = parse_frames((await ivan.get(path)).content)
    assert sorted(again[0]) == sorted(expected[0])
    assert place.switch.asked == ["/api/v1/slides/visual/manifest"]  # which version is the current one
    for other in (olga, place.client()):
        assert problem(await other.get(path)) == (404, "unknown-slide")
    await place.stop()
    assert problem(await ivan.get(path)) == (503, "unavailable")


async def test_many_who_ask_at_once_cause_one_fetch_ed4(place: Place) -> None:
    ivan = await place.signed_in("ivan")
    await ivan.get(place.version + "/manifest")
    answers = await asyncio.gather(*(ivan.get(place.version + BLOCK) for _ in range(20)))
    assert len({answer.content for answer in answers}) == 1
    assert place.asked_for("/blocks") == 1


async def test_what_many_wait_for_is_counted_as_fetched_once_ed4_ed30(place: Place) -> None:
    adam = await place.signed_in("adam")
    await adam.get(place.version + "/manifest")
    answers = await asyncio.gather(*(adam.get(place.version + BLOCK) for _ in range(5)))
    size, text = len(answers[0].content), (await adam.get("/metrics")).text
    for line in (
        "wavescope_edge_misses_total 1.0",
        f"wavescope_edge_missed_bytes_total {float(size)}",
        f"wavescope_edge_hit_bytes_total {float(4 * size)}",
    ):
        assert line in text.splitlines()


async def test_nothing_private_is_answered_to_another_asker_ed20(place: Place) -> None:
    ivan, olga = await place.signed_in("ivan"), await place.signed_in("olga")
    assert (await ivan.get(place.version + BLOCK)).status_code == 200
    for other in (olga, place.client()):
        assert problem(await other.get(place.version + BLOCK)) == (404, "unknown-slide")
        answer = await other.post(place.version + "/blocks:batch", json=BATCH)
        assert problem(answer) == (404, "unknown-slide")
    wrong = place.client()
    wrong.cookies.set("wavescope_sign_in", "nonsense")
    assert problem(await wrong.get(place.version + BLOCK)) == (401, "credentials-expired")


async def test_a_version_of_another_slide_is_not_shown_ed20(place: Place, world_digest: str) -> None:
    ivan, adam = await place.signed_in("ivan"), await place.signed_in("adam")
    own = f"/api/v1/slides/lossless/v/{world_digest}"
    assert (await adam.get(own + BLOCK)).status_code == 200  # in the cache now
    assert problem(await ivan.get(f"/api/v1/slides/visual/v/{world_digest}{BLOCK}")) == (410, "stale-version")


@pytest.fixture
def world_digest(place: Place) -> str:
    """Of a slide that ``ivan`` does not see."""
    return place.clinic.service.catalog.resolve("lossless")


async def test_a_revoked_right_ends_within_a_minute_ed20(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    table = SharingTable(place.clinic.service.catalog)
    table.share("slide", "visual", False, [Share("user", place.clinic.ids["vera"], "view")])
    vera = await place.signed_in("vera")
    assert (await vera.get(place.version + BLOCK)).status_code == 200
    table.share("slide", "visual", False, [])
    for module in ("grants", "slides"):
        monkeypatch.setattr(f"wavescope.edge.{module}.monotonic", later(SECONDS))
    assert problem(await vera.get(place.version + BLOCK)) == (404, "unknown-slide")


def later(seconds: float):  # type: ignore[no-untyped-def]
    from time import monotonic

    return lambda: monotonic() + seconds


async def test_a_public_slide_may_be_stored_by_any_cache_ed20(place: Place) -> None:
    publish(place)
    answer = await place.client().get(place.version + BLOCK)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


async def test_an_edge_behind_an_edge_asks_with_grants_ed20(place: Place, tmp_path: Path) -> None:
    ivan, olga = await place.signed_in("ivan"), await place.signed_in("olga")
    async with served(place.app) as url, edge(tmp_path / "second", url) as (_, app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        base = "http://127.0.0.1:8000"
        near = httpx.AsyncClient(transport=transport, base_url=base, cookies=ivan.cookies)
        first = await near.get(place.version + BLOCK)
        assert first.status_code == 200
        assert first.content == (await ivan.get(place.version + BLOCK)).content
        other = httpx.AsyncClient(transport=transport, base_url=base, cookies=olga.cookies)
        assert problem(await other.get(place.version + BLOCK)) == (404, "unknown-slide")


@pytest.mark.parametrize("path", [BLOCK, "/layer-index/0/0/0/0", "/approximation/0/0", "/thumbnail"])
async def test_what_the_origin_damages_is_neither_shown_nor_stored_ed2(place: Place, path: str) -> None:
    ivan = await place.signed_in("ivan")
    await ivan.get(place.version + "/manifest")
    expected = await place.clinic.client(cookies=ivan.cookies).get(place.version + path)
    place.switch.damage = True
    assert problem(await ivan.get(place.version + path))[0] == 500
    place.switch.damage = False
    assert (await ivan.get(place.version + path)).content == expected.content


async def test_an_origin_that_fails_is_unavailable_ed5(place: Place) -> None:
    ivan = await place.signed_in("ivan")
    await ivan.get(place.version + "/manifest")
    place.switch.status = 500
    assert problem(await ivan.get(place.version + BLOCK)) == (503, "unavailable")
    place.switch.status = 0
    assert (await ivan.get(place.version + BLOCK)).status_code == 200


async def test_without_its_origin_an_edge_shows_what_is_public_ed22(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(place)
    anyone = place.client()
    assert (await anyone.get("/api/v1/slides/visual")).status_code == 200
    block = (await anyone.get(place.version + BLOCK)).content
    await place.stop()
    for module in ("grants", "slides"):
        monkeypatch.setattr(f"wavescope.edge.{module}.monotonic", later(2 * SECONDS))
    assert (await anyone.get(place.version + BLOCK)).content == block
    manifest = await anyone.get("/api/v1/slides/visual")
    assert manifest.json()["digest"] == place.digest
    assert manifest.headers["cache-status"].startswith("wavescope-edge; fwd=stale")
    assert problem(await anyone.get(place.version + "/blocks/0/0/0/1/1")) == (503, "unavailable")
    assert problem(await anyone.get("/api/v1/slides")) == (503, "unavailable")
    assert (await anyone.get("/readyz")).json() == {"status": "ready", "origin": "lost"}


@pytest.mark.parametrize("seconds", [0.0, 3600.0])
async def test_without_its_origin_an_edge_shows_what_is_private_as_long_as_it_is_set_ed22(
    place: Place, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr(place.services.versions, "_lost_seconds", seconds)
    ivan, olga = await place.signed_in("ivan"), await place.signed_in("olga")
    assert (await ivan.get(place.version + BLOCK)).status_code == 200
    await place.stop()
    for module in ("grants", "slides"):
        monkeypatch.setattr(f"wavescope.edge.{module}.monotonic", later(2 * SECONDS))
    assert (await ivan.get(place.version + BLOCK)).status_code == (200 if seconds else 503)
    assert problem(await olga.get(place.version + BLOCK)) == (503, "unavailable")
    assert problem(await place.client().get(place.version + BLOCK)) == (503, "unavailable")


async def test_what_is_cached_survives_a_restart_without_the_origin_ed6_ed22(place: Place, tmp_path: Path) -> None:
    publish(place)
    block = (await place.client().get(place.version + BLOCK)).content
    await place.stop()
    await place.services.close()
    async with edge(tmp_path / "cache", "http://127.0.0.1:9") as (_, app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            assert (await client.get(place.version + BLOCK)).content == block


async def test_everything_else_is_passed_on_ed21(place: Place) -> None:
    client = place.client()
    answer = await client.post("/api/v1/sign-in", json={"name": "ivan", "password": "correct horse battery"})
    assert answer.status_code == 200
    assert client.cookies["wavescope_sign_in"]
    assert "Ivan" in (await client.get("/api/v1/account")).text
    assert problem(await client.get("/api/v1/slides?nonsense=1")) == (400, "unknown-parameter")
    page = await client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert len(page.headers.get_list("x-request-id")) == len(page.headers.get_list("content-security-policy")) == 1
    head = await client.head("/api/v1/slides")
    assert (head.status_code, head.content) == (200, b"")
    picture = (place.clinic.service.config.store.parent / "nothing").name.encode() * 1000
    upload = await client.post("/api/v1/uploads?filename=x.tif", content=picture)
    assert upload.status_code == 202
    events = await client.get(f"/api/v1/jobs/{upload.json()['id']}/events")
    assert "unreadable" in events.text or "unsupported" in events.text


@pytest.mark.slow
async def test_a_manifest_is_revalidated_with_the_origin_ed21(place: Place) -> None:
    ivan = await place.signed_in("ivan")
    first = await ivan.get("/api/v1/slides/visual")
    again = await ivan.get("/api/v1/slides/visual")
    assert again.headers["cache-status"] == "wavescope-edge; hit; detail=revalidated"
    assert again.json() == first.json()
    await ivan.patch("/api/v1/slides/visual", json={"title": "Another title"})
    assert (await ivan.get("/api/v1/slides/visual")).json()["title"] == "Another title"
    condition = {"if-none-match": first.headers["etag"]}
    changed = await ivan.get("/api/v1/slides/visual", headers=condition)
    assert changed.status_code == 200
    condition = {"if-none-match": changed.headers["etag"]}
    unchanged = await ivan.get("/api/v1/slides/visual", headers=condition)
    assert (unchanged.status_code, unchanged.headers["cache-status"]) == (304, "wavescope-edge; fwd=request")
    assert problem(await place.client().get("/api/v1/slides/visual")) == (404, "unknown-slide")


async def test_metrics_are_those_of_the_edge_ed30(place: Place) -> None:
    adam = await place.signed_in("adam")
    for _ in range(2):
        await adam.get(place.version + BLOCK)
    text = (await adam.get("/metrics")).text
    assert "wavescope_edge_misses_total 1.0" in text
    assert 'wavescope_edge_hits_total{tier="memory"} 1.0' in text
    assert json.dumps(place.digest) not in text

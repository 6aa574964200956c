"""The catalog's routes and the redirects to the current version."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from api.asking import API, problem, running_client
from service.world import HEIGHT, WIDTH, World, running_service
from wavescope.catalog.access.audit import AuditLog
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.trash import Trash
from wavescope.service.access.gate import LOCAL_USER


async def test_the_catalog_lists_summaries_newest_first_wi6(client: httpx.AsyncClient, world: World) -> None:
    body = (await client.get(f"{API}/slides")).json()
    assert [slide["id"] for slide in body["slides"]] == ["planes", "visual", "lossless"]
    assert (body["total"], body["page"], body["pages"], body["per_page"]) == (3, 1, 1, 50)
    first = body["slides"][1]
    assert (first["width"], first["height"], first["planes"], first["profile"]) == (WIDTH, HEIGHT, 1, "visual")
    assert first["url"] == f"{API}/slides/visual/v/{world.digests['visual']}"


async def test_the_catalog_is_searched_and_paged_wi6(client: httpx.AsyncClient) -> None:
    body = (await client.get(f"{API}/slides", params={"search": "ONE", "page": 2, "per_page": 2})).json()
    assert ([slide["id"] for slide in body["slides"]], body["total"], body["pages"]) == (["lossless"], 3, 2)
    assert (await client.get(f"{API}/slides?search=nothing")).json()["slides"] == []


async def test_the_catalog_is_sorted_as_asked_wi6(client: httpx.AsyncClient) -> None:
    async def ids(sort: str) -> list[str]:
        return [slide["id"] for slide in (await client.get(f"{API}/slides", params={"sort": sort})).json()["slides"]]

    newest = await ids("newest")
    assert newest == ["planes", "visual", "lossless"]
    assert await ids("oldest") == newest[::-1]
    titles = {slide["id"]: slide["title"] for slide in (await client.get(f"{API}/slides")).json()["slides"]}
    assert await ids("title") == sorted(newest, key=lambda one: (titles[one].lower(), one))
    assert problem(await client.get(f"{API}/slides", params={"sort": "colour"})) == (422, "invalid-parameter")


async def test_the_manifest_tells_all_a_viewer_needs_wi7(client: httpx.AsyncClient, world: World) -> None:
    response = await client.get(f"{API}/slides/visual")
    body = response.json()
    assert response.headers["cache-control"] == "no-cache"
    assert body["digest"] == world.digests["visual"]
    assert (body["tile"], body["levels"], body["layers"], body["channels"], body["status"]) == (256, 4, 2, 3, "ready")
    assert body["sizes"] == [
        {"level": 0, "width": 1300, "height": 1100, "tiles_x": 6, "tiles_y": 5},
        {"level": 1, "width": 650, "height": 550, "tiles_x": 3, "tiles_y": 3},
        {"level": 2, "width": 325, "height": 275, "tiles_x": 2, "tiles_y": 2},
        {"level": 3, "width": 163, "height": 138, "tiles_x": 1, "tiles_y": 1},
    ]
    assert (await client.get(body["thumbnail"], params={"max": 64})).headers["content-type"] == "image/webp"


async def test_an_unchanged_manifest_is_not_sent_again_wi7(client: httpx.AsyncClient) -> None:
    first = await client.get(f"{API}/slides/visual")
    again = await client.get(f"{API}/slides/visual", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])


async def test_renaming_changes_title_and_etag_wi12(world: World, tmp_path: Path) -> None:
    async with running_client(world.copy(tmp_path / "store").store) as client:
        before = (await client.get(f"{API}/slides/visual")).headers["etag"]
        renamed = await client.patch(f"{API}/slides/visual", json={"title": " Neu "})
        assert (renamed.status_code, renamed.json()["title"]) == (200, "Neu")
        after = await client.get(f"{API}/slides/visual", headers={"if-none-match": before})
        assert (after.status_code, after.json()["title"]) == (200, "Neu")


async def test_tags_of_several_slides_change_together_or_not_at_all_wi12(world: World, tmp_path: Path) -> None:
    async with running_client(world.copy(tmp_path / "store").store) as client:

        async def tags(slide: str) -> dict[str, str]:
            found: dict[str, str] = (await client.get(f"{API}/slides/{slide}")).json()["tags"]
            return found

        first = {"slides": ["visual", "lossless"], "tags": {"stain": "HE", "block": "A1"}}
        assert (await client.patch(f"{API}/slides", json=first)).status_code == 204
        found = (await client.get(f"{API}/slides", params={"label": "tag.stain:HE"})).json()["slides"]
        assert sorted(slide["id"] for slide in found) == ["lossless", "visual"]
        unknown = {"slides": ["visual", "missing"], "tags": {"stain": "PAS"}}
        assert problem(await client.patch(f"{API}/slides", json=unknown)) == (404, "unknown-slide")
        bad = {"slides": ["visual", "lossless"], "tags": {"block": None, "stain": "x" * 101}}
        assert problem(await client.patch(f"{API}/slides", json=bad)) == (422, "invalid-parameter")
        assert await tags("visual") == await tags("lossless") == {"stain": "HE", "block": "A1"}
        for empty in ({"slides": [], "tags": {"a": "b"}}, {"slides": ["visual"], "tags": {}}):
            assert problem(await client.patch(f"{API}/slides", json=empty)) == (422, "invalid-parameter")
        assert (await client.patch(f"{API}/slides", json=first | {"tags": {"block": None}})).status_code == 204
        assert await tags("visual") == {"stain": "HE"}


async def test_a_deleted_slide_is_out_of_sight_and_can_be_brought_back_wi36_wi37(world: World, tmp_path: Path) -> None:
    copy = world.copy(tmp_path / "store")
    async with running_client(copy.store) as client:
        before = (await client.get(f"{API}/slides/visual")).json()
        assert (await client.delete(f"{API}/slides/visual")).status_code == 204
        assert problem(await client.get(f"{before['url']}/blocks/0/0/0/0/0")) == (404, "unknown-slide")
        assert [slide["id"] for slide in (await client.get(f"{API}/slides")).json()["slides"]] == ["planes", "lossless"]
        (thrown,) = (await client.get(f"{API}/trash")).json()["slides"]
        assert (thrown["id"], thrown["digest"]) == ("visual", before["digest"])
        assert (await client.get(thrown["thumbnail"], params={"max": 64})).headers["content-type"] == "image/webp"
        assert (await client.post(f"{API}/trash/visual/restore")).json()["title"] == before["title"]
        assert (await client.get(f"{API}/slides/visual")).json() == before
        assert (await client.get(f"{before['url']}/blocks/0/0/0/0/0")).status_code == 200
        assert problem(await client.post(f"{API}/trash/visual/restore")) == (404, "unknown-slide")


async def test_a_slide_is_purged_when_it_has_lain_in_the_trash_for_long_enough_wi38(
    world: World, tmp_path: Path
) -> None:
    copy = world.copy(tmp_path / "store")
    async with running_client(copy.store) as client:
        assert (await client.delete(f"{API}/slides/visual")).status_code == 204
        assert (await client.delete(f"{API}/trash")).status_code == 204
        assert (await client.get(f"{API}/trash")).json()["slides"] == []
        assert not (copy.store / "slides" / copy.digests["visual"]).exists()
    async with running_client(copy.store) as client:
        assert (await client.delete(f"{API}/slides/lossless")).status_code == 204
    async with running_service(copy.store, trash_seconds=1e-9) as service:
        await service.trash.purge_old()
        assert await service.trash.list(LOCAL_USER) == ()


async def test_the_purge_of_what_has_lain_long_enough_in_the_trash_stands_in_the_audit_log_pr37(
    world: World, tmp_path: Path
) -> None:
    copy = world.copy(tmp_path / "store").without_log()
    catalog = Catalog.open(copy.store)
    Trash(catalog).put("visual")
    async with running_service(copy.store, trash_seconds=1e-9) as service:
        await service.trash.purge_old()  # the periodic task may have been quicker
    found = [one.entry for one in AuditLog(catalog.engine).all()]
    catalog.close()
    assert [(one.kind, one.name, one.action, one.slide_id, dict(one.detail)) for one in found] == [
        ("service", "the service", "purged", "visual", {"title": "The visual one"})
    ]


async def test_a_purged_slide_is_gone_with_its_bytes_wi38(world: World, tmp_path: Path) -> None:
    copy = world.copy(tmp_path / "store")
    async with running_client(copy.store) as client:
        url = (await client.get(f"{API}/slides/visual")).json()["url"]
        assert (await client.get(f"{url}/blocks/0/0/0/0/0")).status_code == 200
        assert (await client.delete(f"{API}/slides/visual")).status_code == 204
        assert (copy.store / "slides" / copy.digests["visual"]).exists()
        assert (await client.delete(f"{API}/trash/visual")).status_code == 204
        for path in (f"{API}/slides/visual", f"{url}/blocks/0/0/0/0/0", f"{API}/slides/visual/thumbnail"):
            assert problem(await client.get(path)) == (404, "unknown-slide")
        assert not (copy.store / "slides" / copy.digests["visual"]).exists()
        assert (await client.get(f"{API}/slides/lossless")).status_code == 200


@pytest.mark.parametrize(
    "rest",
    ["blocks/0/0/0/1/1?from=1&to=2", "layer-index/0/0/0/0", "approximation/0/0", "tiles/0/1/0/0.png", "region?x=0&y=0"],
)
async def test_a_path_without_a_version_leads_to_the_current_one_wi10(
    client: httpx.AsyncClient, world: World, rest: str
) -> None:
    response = await client.get(f"{API}/slides/visual/{rest}")
    assert (response.status_code, response.headers["cache-control"]) == (307, "no-cache")
    assert response.headers["location"] == f"{API}/slides/visual/v/{world.digests['visual']}/{rest}"


async def test_every_path_with_a_version_exists_without_one_wi10(client: httpx.AsyncClient) -> None:
    paths = (await client.get("/openapi.json")).json()["paths"]
    versioned = [path for path in paths if "/v/{digest}/" in path and not path.endswith("/thumbnail")]
    versioned = [
        path for path in versioned if not re.search(r"/iiif/\{api\}(/planes/\{z\})?(/info.json)?$", path)
    ]  # IF16
    assert len(versioned) > 8
    for path in versioned:
        short = path.replace("/v/{digest}", "")
        assert "307" in next(iter(paths[short].values()))["responses"]
        url = re.sub(r"{\w+}", "0", short.replace("{slide_id}", "visual"))
        response = await client.request(next(iter(paths[path])), url)
        assert response.status_code == 307, path


async def test_a_batch_without_a_version_leads_to_the_current_one_wi10(client: httpx.AsyncClient) -> None:
    response = await client.post(
        f"{API}/slides/visual/blocks:batch", json={"blocks": [[0, 0, 0, 0, 0, 0, 1]]}, follow_redirects=True
    )
    assert (response.status_code, len(response.history)) == (200, 1)

"""Everything that an account owns, as one file (PR54)."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import httpx

from annotations.shapes import content
from api.access_table import TOUR
from api.accounts import API, clinic
from api.asking import running_client
from service.world import World


async def exported(browser: httpx.AsyncClient) -> dict[str, Any]:
    answer = await browser.get(f"{API}/me/export")
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.testzip() is None
    return {name: json.loads(archive.read(name)) for name in archive.namelist()}


async def drawn(browser: httpx.AsyncClient, slide: str, name: str) -> None:
    change = {"id": name, "revision": 0, "content": content("point", "Point", [1, 2], name=name)}
    answer = await browser.post(f"{API}/slides/{slide}/annotations:batch", json={"changes": [change]})
    assert answer.is_success, answer.text


async def test_it_holds_what_is_owned_and_of_others_slides_only_ones_own(world: World, tmp_path: Path) -> None:
    async with clinic(world.copy(tmp_path / "store").store) as at:
        at.own("visual", "ivan")
        at.own("planes", "olga")
        ivan, olga = await at.signed_in("ivan"), await at.signed_in("olga")
        case = (await ivan.post(f"{API}/cases", json={"title": "Mine", "slides": ["visual"]})).json()
        await ivan.post(f"{API}/tours", params={"slide": "visual"}, json=TOUR)
        shares = [{"kind": "user", "id": at.ids["olga"], "right": "annotate"}]
        shared = await ivan.put(f"{API}/slides/visual/sharing", json={"public": False, "shares": shares})
        assert shared.status_code == 200, shared.text
        await drawn(ivan, "visual", "of-ivan")
        await drawn(olga, "visual", "of-olga")
        found = await exported(ivan)
        drawings = [one["properties"]["name"] for one in found["annotations/visual.geojson"]["features"]]
        assert sorted(drawings) == ["of-ivan", "of-olga"]
        assert [slide["id"] for slide in found["slides.json"]] == ["visual"]
        assert [(one["id"], one["slides"]) for one in found["cases.json"]] == [(case["id"], ["visual"])]
        assert sum(name.startswith("tours/") for name in found) == 1
        assert found["account.json"]["id"] == at.ids["ivan"]
        others = await exported(olga)
        assert [slide["id"] for slide in others["slides.json"]] == ["planes"]
        drawings = [one["properties"]["name"] for one in others["annotations/visual.geojson"]["features"]]
        assert drawings == ["of-olga"]
        await ivan.put(f"{API}/slides/visual/sharing", json={"public": False, "shares": []})
        assert "visual" not in json.dumps(await exported(olga))
        assert not any(name.startswith("tours/") for name in others)


async def test_the_one_user_of_a_machine_owns_everything(world: World) -> None:
    async with running_client(world.store) as client:
        found = await exported(client)
        assert {slide["id"] for slide in found["slides.json"]} >= {"lossless", "planes", "visual"}

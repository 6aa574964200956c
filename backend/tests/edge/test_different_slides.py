"""Origins with different slides: one list, and each slide from the origin that has it (OG12, OG14)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.accounts import clinic
from api.asking import problem
from api.test_annotations import FRESH, POINT
from edge.conftest import Switch
from edge.edges import edge, served
from service.world import World, running_service
from wavescope.api.app import build_app
from wavescope.edge import gallery

SLIDES = "/api/v1/slides"
ID = "0f8d4a1c-9e7b-42d3-a6c5-b1e2f3a49d80"


@dataclass
class Pair:
    """An edge of two services, the first without ``planes``, the second without ``lossless``."""

    client: httpx.AsyncClient
    near: Switch
    far: Switch
    direct: tuple[httpx.AsyncClient, httpx.AsyncClient]


def browser(app: Any) -> httpx.AsyncClient:
    base = "http://127.0.0.1:8000"
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=base, headers={"origin": base})


@asynccontextmanager
async def pair(world: World, folder: Path) -> AsyncIterator[Pair]:
    copies = [world.copy(folder / name).store for name in ("first", "second")]
    async with running_service(copies[0], open_to_all=True) as one, running_service(copies[1], open_to_all=True) as two:
        near, far = Switch(build_app(one)), Switch(build_app(two))
        direct = (browser(near), browser(far))
        for client, missing in zip(direct, ("planes", "lossless"), strict=True):
            assert (await client.delete(f"{SLIDES}/{missing}")).status_code == 204
        async with served(near) as first, served(far) as second, edge(folder / "cache", first, second) as (_, app):
            yield Pair(browser(app), near, far, direct)


def ids(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200
    return [slide["id"] for slide in answer.json()["slides"]]


async def test_slides_of_all_origins_are_listed_once_and_in_order_og14(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pair(world, tmp_path) as both:
        listed = await both.client.get(f"{SLIDES}?sort=title")
        assert ids(listed) == ["lossless", "planes", "visual"]
        assert {name: listed.json()[name] for name in ("total", "page", "pages", "per_page")} == {
            "total": 3,
            "page": 1,
            "pages": 1,
            "per_page": 50,
        }
        assert ids(await both.client.get(f"{SLIDES}?sort=oldest")) == ["lossless", "visual", "planes"]
        assert ids(await both.client.get(SLIDES)) == ["planes", "visual", "lossless"]
        monkeypatch.setattr(gallery, "ORIGIN_PAGE", 2)  # several requests for one page
        pages = [ids(await both.client.get(f"{SLIDES}?sort=title&page={n}&per_page=2")) for n in (1, 2, 3)]
        assert pages == [["lossless", "planes"], ["visual"], []]
        assert ids(await both.client.get(f"{SLIDES}?search=plan")) == ["planes"]
        assert problem(await both.client.get(f"{SLIDES}?sort=best")) == (422, "invalid-parameter")
        both.far.status = 500
        assert ids(await both.client.get(f"{SLIDES}?sort=title")) == ["lossless", "visual"]


async def test_what_belongs_to_a_slide_goes_to_the_origin_that_has_it_og12(world: World, tmp_path: Path) -> None:
    async with pair(world, tmp_path) as both:
        for slide_id, own in (("lossless", 0), ("planes", 1), ("visual", 0)):
            version = f"{SLIDES}/{slide_id}/v/{world.digests[slide_id]}"
            for path in (f"{SLIDES}/{slide_id}", f"{version}/blocks/0/0/0/0/0", f"{version}/thumbnail"):
                assert (await both.client.get(path)).status_code == 200, path
            made = await both.client.put(f"{SLIDES}/{slide_id}/annotations/{ID}", json=POINT, headers=FRESH)
            assert made.status_code in (200, 201), made.text
            object_ = f"{SLIDES}/{slide_id}/annotations/{ID}"
            assert (await both.client.get(object_)).status_code == 200
            assert [(await client.get(object_)).status_code == 200 for client in both.direct] == [own == 0, own == 1]
        assert problem(await both.client.get(f"{SLIDES}/nowhere")) == (404, "unknown-slide")


async def test_each_origin_decides_what_an_asker_sees_of_it_og12_og14(world: World, tmp_path: Path) -> None:
    open_store, private = (world.copy(tmp_path / name).store for name in ("open", "private"))
    async with running_service(open_store, open_to_all=True) as one, clinic(private) as two:
        near = Switch(build_app(one))
        direct = browser(near)
        assert (await direct.delete(f"{SLIDES}/planes")).status_code == 204
        async with (
            served(near) as first,
            served(two.app) as second,
            edge(tmp_path / "cache", first, second) as (_, app),
        ):
            version = f"{SLIDES}/planes/v/{world.digests['planes']}"
            stranger, adam = browser(app), browser(app)
            adam.cookies = (await two.signed_in("adam")).cookies
            assert ids(await stranger.get(f"{SLIDES}?sort=title")) == ["lossless", "visual"]
            assert ids(await adam.get(f"{SLIDES}?sort=title")) == ["lossless", "planes", "visual"]
            answers = await asyncio.gather(*(one.get(f"{version}/blocks/0/0/0/0/0") for one in (stranger, adam)))
            assert problem(answers[0])[0] in (401, 404)
            assert answers[1].status_code == 200
            assert (await adam.get(f"{SLIDES}/visual/v/{world.digests['visual']}/manifest")).status_code == 200

"""A node checks grants alone; what is revoked at the origin ends there within a minute, whatever is in its cache."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from api.accounts import API, Clinic, clinic
from api.asking import problem, running_client
from service.world import World
from wavescope.access.grants import SECONDS, GrantVerifier
from wavescope.catalog.access.links import Links
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.records import Share


@pytest.fixture
async def origin(damaged: World) -> AsyncIterator[Clinic]:
    async with clinic(damaged.store) as opened:
        yield opened


@asynccontextmanager
async def node(origin: Clinic, world: World) -> AsyncIterator[httpx.AsyncClient]:
    """Another service with its own copy of the store, which knows nothing of the origin but its public keys."""
    keys = world.store / "keys.json"
    keys.write_text(json.dumps((await origin.client().get(f"{API}/grants/keys")).json()))
    async with running_client(world.store, access="grants", grant_keys=keys) as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def test_revocation_holds_within_a_minute_on_a_cache_hit_ac46(
    origin: Clinic, world: World, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = SharingTable(origin.service.catalog)
    table.share("slide", "visual", False, [Share("user", origin.ids["vera"], "view")])
    vera = await origin.signed_in("vera")
    block = f"{API}/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/0/0"
    copy = world.copy(tmp_path_factory.mktemp("node") / "store")
    async with node(origin, copy) as there:
        given = (await vera.post(f"{API}/grants", json={"slides": ["visual"]})).json()
        assert given["expires"] <= time.time() + SECONDS
        first = await there.get(block, headers=bearer(given["grant"]))
        assert first.status_code == 200
        assert first.headers["cache-control"] == "private, max-age=60, immutable"
        table.share("slide", "visual", False, [])  # revoked at the origin
        assert problem(await vera.get(block)) == (404, "unknown-slide")
        assert problem(await vera.post(f"{API}/grants", json={"slides": ["visual"]})) == (404, "unknown-slide")
        assert (await there.get(block, headers=bearer(given["grant"]))).content == first.content  # its own minute
        later = time.time() + SECONDS
        monkeypatch.setattr("time.time", lambda: later)
        for condition in ({}, {"if-none-match": first.headers["etag"]}):
            answer = await there.get(block, headers={**bearer(given["grant"]), **condition})
            assert problem(answer) == (401, "credentials-expired")


async def test_a_node_shows_nothing_without_a_grant_ac44(
    origin: Clinic, world: World, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ivan = await origin.signed_in("ivan")
    copy = world.copy(tmp_path_factory.mktemp("node") / "store")
    async with node(origin, copy) as there:
        url = f"{API}/slides/visual"
        assert problem(await there.get(url)) == (404, "unknown-slide")
        for foreign in (ivan.cookies["wavescope_sign_in"], "wsl_unknown"):
            assert problem(await there.get(url, headers=bearer(foreign))) == (401, "credentials-expired")
        given = (await ivan.post(f"{API}/grants", json={"slides": ["visual"]})).json()["grant"]
        assert (await there.get(url, headers=bearer(given))).status_code == 200
        assert problem(await there.get(f"{API}/slides/lossless", headers=bearer(given))) == (404, "unknown-slide")
        assert problem(await there.delete(url, headers=bearer(given))) == (401, "sign-in-required")
        listed = (await there.get(f"{API}/slides", headers=bearer(given))).json()["slides"]
        assert [slide["id"] for slide in listed] == ["visual"]


async def test_a_grant_ends_with_the_link_it_was_given_for_ac43(origin: Clinic) -> None:
    links, ivan = Links(origin.service.catalog), origin.ids["ivan"]
    ends = time.time() + 5
    token, _ = links.add("slide", "visual", "view", "", ivan, ends)
    holder = origin.client(headers=bearer(token))
    given = (await holder.post(f"{API}/grants", json={"slides": ["visual"]})).json()
    assert given["expires"] == pytest.approx(ends)


async def test_at_the_origin_a_grant_lets_its_holder_view_until_it_ends_ac45(
    origin: Clinic, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ivan = await origin.signed_in("ivan")
    given = (await ivan.post(f"{API}/grants", json={"slides": ["visual"]})).json()
    holder = origin.client(headers=bearer(given["grant"]))
    block = f"{API}/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/0/0"
    answer = await holder.get(block)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "private, max-age=60, immutable"
    assert problem(await holder.get(f"{API}/slides/lossless")) == (404, "unknown-slide")
    assert (await ivan.get(f"{API}/slides/visual/annotations")).json()["editable"] is True
    assert (await holder.get(f"{API}/slides/visual/annotations")).json()["editable"] is False
    renewed = (await holder.post(f"{API}/grants", json={"slides": ["visual"]})).json()
    assert renewed["expires"] <= given["expires"]  # a grant does not prolong itself
    later = time.time() + SECONDS
    monkeypatch.setattr("time.time", lambda: later)
    for token in (given["grant"], renewed["grant"]):
        assert problem(await origin.client(headers=bearer(token)).get(block)) == (401, "credentials-expired")


async def test_a_grant_names_the_slides_that_everyone_may_see_ac43(origin: Clinic) -> None:
    SharingTable(origin.service.catalog).share("slide", "lossless", True, [])
    ivan = await origin.signed_in("ivan")
    keys = GrantVerifier((await ivan.get(f"{API}/grants/keys")).json())
    given = (await ivan.post(f"{API}/grants", json={"slides": ["visual", "lossless"]})).json()
    assert keys.open(given["grant"])[0].public == {"lossless"}
    anonymous = (await origin.client().post(f"{API}/grants", json={"slides": ["lossless"]})).json()
    assert keys.open(anonymous["grant"])[0].slides == {"lossless": "view"}

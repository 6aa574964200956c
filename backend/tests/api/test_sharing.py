"""Sharing, links, and what caches may keep (AC20 to AC24, AC40 to AC42)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from api.accounts import API, Clinic, clinic
from api.asking import problem, running_client
from service.world import World
from wavescope.access.principal import LOCAL_USER

S = f"{API}/slides/visual"


@pytest.fixture
async def site(damaged: World) -> AsyncIterator[Clinic]:
    async with clinic(damaged.store) as opened:
        yield opened


async def give(client: httpx.AsyncClient, *shares: dict[str, str], public: bool = False) -> None:
    answer = await client.put(f"{S}/sharing", json={"public": public, "shares": list(shares)})
    assert answer.status_code == 200, answer.text


def block_of(world: World) -> str:
    return f"{S}/v/{world.digests['visual']}/blocks/0/0/0/0/0"


async def test_sharing_with_a_user_and_a_group_holds_at_once_both_ways_ac3_ac6_ac20(site: Clinic) -> None:
    ivan, vera, adam = [await site.signed_in(name) for name in ("ivan", "vera", "adam")]
    group = (await adam.post(f"{API}/groups", json={"name": "class"})).json()["id"]
    await adam.patch(f"{API}/groups/{group}", json={"members": [site.ids["vera"]]})
    for share in ({"kind": "user", "id": site.ids["vera"]}, {"kind": "group", "id": group}):
        assert problem(await vera.get(S)) == (404, "unknown-slide")
        await give(ivan, {**share, "right": "view"})
        assert (await vera.get(S)).status_code == 200
        assert [one["id"] for one in (await vera.get(f"{API}/slides")).json()["slides"]] == ["visual"]
        await give(ivan)
        assert problem(await vera.get(S)) == (404, "unknown-slide")


async def test_each_is_reported_which_slides_it_may_change_itself_and_no_cache_mixes_them_wi6_wi7(site: Clinic) -> None:
    ivan, olga, adam, nobody = [await site.signed_in(name) for name in ("ivan", "olga", "adam")] + [site.client()]
    await give(ivan, {"kind": "user", "id": site.ids["olga"], "right": "annotate"}, public=True)
    tags = []
    for client, expected in ((ivan, True), (adam, True), (olga, False), (nobody, False)):
        listed = {one["id"]: one["editable"] for one in (await client.get(f"{API}/slides")).json()["slides"]}
        answer = await client.get(S)
        assert (listed["visual"], answer.json()["editable"]) == (expected, expected)
        tags.append(answer.headers["etag"])
        assert (await client.patch(S, json={"title": "visual"})).is_success == expected
    assert (await olga.get(S, headers={"if-none-match": tags[0]})).status_code == 200


async def test_each_is_reported_what_it_may_do_with_a_slide_and_no_cache_mixes_them_ac50(site: Clinic) -> None:
    ivan, olga, vera, nobody = [await site.signed_in(name) for name in ("ivan", "olga", "vera")] + [site.client()]
    await give(ivan, {"kind": "user", "id": site.ids["olga"], "right": "annotate"}, public=True)
    link = (await ivan.post(f"{S}/links", json={"right": "annotate", "title": "for the board"})).json()["token"]
    holder = site.client(headers={"authorization": f"Bearer {link}"})
    look = {"view slide", "view tours", "view quizzes", "view overlays", "view annotations"}
    work = {
        "edit mixes",
        "edit overlays",
        "edit tours",
        "edit quizzes",
        "take quiz",
        "edit annotations",
        "host session",
        "export",
    }
    own = {"rename slide", "delete slide", "share slide", "view label", "calibrate slide", "download original"}
    own |= {"view shared coverage"}
    expected = (
        (ivan, look | work | own),
        (olga, look | work),
        (vera, look | {"export", "take quiz"}),
        (nobody, look),
        (holder, look | {"edit annotations"}),
    )
    tags = set()
    for client, actions in expected:
        answer = await client.get(S)
        assert set(answer.json()["allowed"]) == actions
        tags.add(answer.headers["etag"])
        page = (await client.get(f"{S}/annotations")).json()
        assert page["editable"] == ("edit annotations" in actions)
        change = {"changes": [{"id": "none", "revision": 0, "content": None}]}
        assert (await client.post(f"{S}/annotations:batch", json=change)).is_success == page["editable"]
    assert len(tags) == len(expected)


async def test_a_link_opens_one_slide_by_cookie_or_bearer_until_it_is_taken_back_ac21_ac23(site: Clinic) -> None:
    ivan = await site.signed_in("ivan")
    made = (await ivan.post(f"{S}/links", json={"right": "annotate", "title": "for the board"})).json()
    holder = site.client()
    opened = await holder.post(f"{API}/links/open", json={"token": made["token"]})
    assert (opened.json()["scope"], opened.json()["target"]) == ("slide", "visual")
    assert "HttpOnly" in opened.headers["set-cookie"]
    script = site.client(headers={"authorization": f"Bearer {made['token']}"})
    for client in (holder, script):
        assert (await client.get(S)).status_code == 200
        assert problem(await client.get(f"{API}/slides/lossless")) == (404, "unknown-slide")
        assert (await client.patch(f"{S}/annotations:classes", json={"classes": {}})).status_code == 200
        assert problem(await client.patch(S, json={"title": "mine"})) == (401, "sign-in-required")
    (listed,) = (await ivan.get(f"{S}/links")).json()["links"]
    assert (listed["title"], listed["over"]) == ("for the board", False)
    assert listed["used"] is not None
    assert made["token"] not in (await ivan.get(f"{S}/links")).text
    assert (await ivan.delete(f"{API}/links/{made['id']}")).json()["over"]
    assert problem(await holder.get(S)) == (404, "unknown-slide")
    assert problem(await script.get(S)) == (401, "credentials-expired")
    assert problem(await holder.post(f"{API}/links/open", json={"token": made["token"]})) == (410, "link-over")


async def test_a_link_ends_with_its_time_and_with_its_makers_right_ac22(
    site: Clinic, monkeypatch: pytest.MonkeyPatch
) -> None:
    ivan, adam = await site.signed_in("ivan"), await site.signed_in("adam")
    holders = []
    for seconds in (100, None):
        made = (await ivan.post(f"{S}/links", json={"seconds": seconds})).json()
        holders.append(site.client(cookies={"wavescope_links": made["token"]}))
        assert (await holders[-1].get(S)).status_code == 200
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 101)
    assert problem(await holders[0].get(S)) == (404, "unknown-slide")
    assert (await holders[1].get(S)).status_code == 200
    await adam.patch(f"{API}/users/{site.ids['ivan']}", json={"role": "viewer"})
    assert problem(await holders[1].get(S)) == (404, "unknown-slide")


async def test_a_link_to_a_case_shows_what_its_owner_may_share_ac4_ac15_ac16(site: Clinic) -> None:
    ivan, adam = await site.signed_in("ivan"), await site.signed_in("adam")
    sharing = {"public": False, "shares": [{"kind": "user", "id": site.ids["ivan"], "right": "annotate"}]}
    assert (await adam.put(f"{API}/slides/lossless/sharing", json=sharing)).status_code == 200
    case = (await ivan.post(f"{API}/cases", json={"title": "c", "slides": ["visual", "lossless"]})).json()
    assert [slide["id"] for slide in case["slides"]] == ["visual", "lossless"]
    made = (await ivan.post(f"{API}/cases/{case['id']}/links", json={})).json()
    holder = site.client(cookies={"wavescope_links": made["token"]})
    seen = (await holder.get(f"{API}/cases/{case['id']}")).json()
    assert [slide["id"] for slide in seen["slides"]] == ["visual"]
    assert problem(await holder.get(f"{API}/slides/lossless")) == (404, "unknown-slide")


async def test_the_slides_of_a_case_keep_their_numbers_for_those_who_do_not_see_all_ac16_wi40(site: Clinic) -> None:
    ivan, olga, adam = [await site.signed_in(name) for name in ("ivan", "olga", "adam")]
    sharing = {"public": False, "shares": [{"kind": "user", "id": site.ids["ivan"], "right": "view"}]}
    for slide in ("lossless", "planes"):
        assert (await adam.put(f"{API}/slides/{slide}/sharing", json=sharing)).status_code == 200
    given = {"title": "c", "slides": ["lossless", "visual", "planes"]}
    case = f"{API}/cases/{(await ivan.post(f'{API}/cases', json=given)).json()['id']}"

    async def numbered(client: httpx.AsyncClient) -> list[tuple[int, str, bool]]:
        slides = (await client.get(case)).json()["slides"]
        return [(slide["number"], slide["id"], slide["shared"]) for slide in slides]

    everybody = {"public": True, "shares": []}
    await ivan.put(f"{case}/sharing", json=everybody)
    assert await numbered(ivan) == [(1, "lossless", False), (2, "visual", True), (3, "planes", False)]
    assert await numbered(olga) == [(2, "visual", True)]
    own = everybody | {"owner": site.ids["ivan"]}
    assert (await adam.put(f"{API}/slides/planes/sharing", json=own)).is_success  # the owner is another one now
    assert await numbered(olga) == [(2, "visual", True), (3, "planes", True)]
    await adam.put(f"{API}/slides/lossless/sharing", json={"public": False, "shares": []})
    assert await numbered(ivan) == [(2, "visual", True), (3, "planes", True)]
    arranged = await ivan.put(f"{case}/slides", json={"slides": ["planes", "visual"]})
    assert arranged.is_success
    assert await numbered(adam) == [(1, "lossless", False), (2, "planes", True), (3, "visual", True)]
    assert problem(await ivan.put(f"{case}/sharing", json=own)) == (403, "forbidden")
    given_away = await adam.put(f"{case}/sharing", json=everybody | {"owner": site.ids["adam"]})
    assert given_away.json()["owner"]["title"] == "Adam"
    assert [shared for _, _, shared in await numbered(adam)] == [True, True, True]


async def test_what_is_private_is_kept_by_nobody_else_ac40_ac41(site: Clinic, world: World) -> None:
    ivan = await site.signed_in("ivan")
    block = block_of(world)
    answer = await ivan.get(block)
    assert answer.headers["cache-control"] == "private, max-age=60, immutable"
    assert answer.headers["vary"] == "Cookie, Authorization"
    condition = {"if-none-match": answer.headers["etag"]}
    same = await ivan.get(block, headers=condition)
    assert (same.status_code, same.headers["cache-control"]) == (304, "private, max-age=60, immutable")
    assert problem(await site.client().get(block, headers=condition)) == (404, "unknown-slide")
    for url in (S, f"{S}/thumbnail", f"{API}/slides", f"{API}/facets", f"{API}/cases", f"{API}/account"):
        caching = (await ivan.get(url)).headers["cache-control"]
        assert "private" in caching or "no-store" in caching
        assert "public" not in caching


async def test_what_is_public_is_for_every_cache_ac41(site: Clinic, world: World) -> None:
    ivan = await site.signed_in("ivan")
    await give(ivan, public=True)
    answer = await site.client().get(block_of(world))
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "vary" not in answer.headers
    async with running_client(world.store) as local:
        assert (await local.get(block_of(world))).headers["cache-control"] == answer.headers["cache-control"]


async def test_an_upload_tells_nothing_of_other_ids_ac24(site: Clinic) -> None:
    olga = await site.signed_in("olga")
    for wanted in ("visual", "nobody-has-this"):
        made = await olga.post(f"{API}/uploads?filename=a.png&id={wanted}", content=b"x")
        options = (await site.service.jobs.get(LOCAL_USER, made.json()["id"])).record.options
        assert "id" not in options
        assert (options["base"], options["owner"]) == (wanted, site.ids["olga"])


async def test_what_a_link_holder_draws_is_signed_link_holder_ac5(site: Clinic) -> None:
    ivan = await site.signed_in("ivan")
    made = (await ivan.post(f"{S}/links", json={"right": "annotate"})).json()
    holder = site.client(cookies={"wavescope_links": made["token"]})
    content = {"kind": "point", "geometry": {"type": "Point", "coordinates": [1, 2]}}
    authors = {}
    for name, client in (("a", holder), ("b", ivan)):
        answer = await client.put(f"{S}/annotations/{name}", json=content, headers={"if-none-match": "*"})
        authors[name] = answer.json()["author"]
    assert authors == {"a": "link holder", "b": "Ivan"}


async def test_a_tour_leaves_out_stops_at_slides_that_are_not_seen_and_is_not_changed_then_ac17(site: Clinic) -> None:
    ivan, olga, adam = [await site.signed_in(name) for name in ("ivan", "olga", "adam")]
    await give(ivan, {"kind": "user", "id": site.ids["olga"], "right": "annotate"})
    stops: list[dict[str, Any]] = [
        {"id": f"w{n}", "title": "", "text": "", "view": {}, "slide": slide} for n, slide in enumerate((None, "planes"))
    ]
    document = {"format": "wavescope-tour", "version": 1, "title": "t", "waypoints": stops}
    url = f"{API}/tours/{(await adam.post(f'{API}/tours?slide=visual', json=document)).json()['id']}"
    answer = {
        name: (await client.get(url)).json()["tour"]["waypoints"] for name, client in (("olga", olga), ("adam", adam))
    }
    assert {name: [stop["id"] for stop in found] for name, found in answer.items()} == {
        "olga": ["w0"],
        "adam": ["w0", "w1"],
    }
    changed = await olga.put(url, json=document | {"waypoints": answer["olga"]}, headers={"if-match": '"r1"'})
    assert problem(changed) == (403, "forbidden")


async def test_the_trash_shows_what_one_may_restore_ac19(site: Clinic) -> None:
    ivan, olga, adam = [await site.signed_in(name) for name in ("ivan", "olga", "adam")]
    await give(ivan, public=True)
    assert (await ivan.delete(S)).is_success
    listed = [
        [one["id"] for one in (await client.get(f"{API}/trash")).json()["slides"]] for client in (ivan, olga, adam)
    ]
    assert listed == [["visual"], [], ["visual"]]


async def test_what_lies_in_a_collection_is_shared_as_it_or_with_fewer_ac15(site: Clinic) -> None:
    ivan, olga, vera = [await site.signed_in(name) for name in ("ivan", "olga", "vera")]
    view = [{"kind": "user", "id": site.ids[name], "right": "view"} for name in ("olga", "vera")]

    async def made(title: str, parent: str = "", owner: httpx.AsyncClient = ivan) -> str:
        new = {"title": title, "kind": "collection", "parent": parent, "slides": ["visual"]}
        return str((await owner.post(f"{API}/cases", json=new)).json()["id"])

    async def share(case_id: str, *shares: dict[str, str]) -> httpx.Response:
        return await ivan.put(f"{API}/cases/{case_id}/sharing", json={"public": False, "shares": list(shares)})

    async def seen(client: httpx.AsyncClient) -> dict[str, bool]:
        """Titles of the cases seen, and whether what each lies in is seen too."""
        cases = (await client.get(f"{API}/cases")).json()["cases"]
        return {one["title"]: one["parent"] != "" for one in cases}

    outer = await made("outer")
    inner = await made("inner", outer)
    assert (await share(outer, *view)).is_success  # what was shared as the outer one follows
    assert await seen(olga) == await seen(vera) == {"outer": False, "inner": True}
    assert (await olga.get(S)).is_success
    assert (await share(inner, view[0])).is_success  # fewer
    assert await seen(vera) == {"outer": False}
    new = await made("new", outer)
    assert await seen(vera) == {"outer": False, "new": True}
    wider = {**view[0], "right": "annotate"}
    refused = await share(inner, wider)
    assert (problem(refused), refused.json()["cause"]) == ((409, "invalid-nesting"), "sharing")
    apart = await made("apart")
    await share(apart, wider)
    refused = await ivan.patch(f"{API}/cases/{apart}", json={"parent": outer})
    assert (problem(refused), refused.json()["cause"]) == ((409, "invalid-nesting"), "sharing")
    assert (await share(outer, view[1])).is_success  # what the outer one gives no more goes from all below
    assert await seen(olga) == {"apart": False}
    assert await seen(vera) == {"outer": False, "new": True}
    own = await made("own", owner=olga)
    for client, case_id in ((olga, own), (vera, own)):
        refused = await client.patch(f"{API}/cases/{case_id}", json={"parent": outer})
        assert refused.status_code in (403, 404)
    assert (await ivan.get(f"{API}/cases/{new}")).json()["parent"] == outer
    for client, expected in ((ivan, 1), (olga, 0)):  # olga does not see the outer one, so nothing is found in it
        await give(ivan, {"kind": "user", "id": site.ids["olga"], "right": "view"})
        within = await client.get(f"{API}/slides", params={"label": f"within:{outer}"})
        assert within.json()["total"] == expected

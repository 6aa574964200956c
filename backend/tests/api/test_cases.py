"""Cases, facets and tags."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from api.asking import API, problem, running_client
from service.world import World


@pytest.fixture
async def client(world: World, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a store of its own."""
    async with running_client(world.copy(tmp_path / "store").store) as client:
        yield client


async def made(client: httpx.AsyncClient, *slides: str, title: str = "Case 1") -> str:
    answer = await client.post(f"{API}/cases", json={"title": title, "slides": slides})
    assert answer.status_code == 201
    assert answer.headers["location"] == f"{API}/cases/{answer.json()['id']}"
    return str(answer.json()["id"])


async def slides_of(client: httpx.AsyncClient, case_id: str) -> list[str]:
    return [slide["id"] for slide in (await client.get(f"{API}/cases/{case_id}")).json()["slides"]]


async def test_a_case_holds_its_slides_in_their_order_wi40_wi42(client: httpx.AsyncClient) -> None:
    case_id = await made(client, "visual", "planes")
    assert await slides_of(client, case_id) == ["visual", "planes"]
    assert (await client.post(f"{API}/cases/{case_id}/slides", json={"slides": ["lossless", "visual"]})).is_success
    assert await slides_of(client, case_id) == ["visual", "planes", "lossless"]
    order = ["lossless", "visual", "planes"]
    assert (await client.put(f"{API}/cases/{case_id}/slides", json={"slides": order})).is_success
    assert await slides_of(client, case_id) == order
    assert (await client.delete(f"{API}/cases/{case_id}/slides/visual")).is_success
    assert await slides_of(client, case_id) == ["lossless", "planes"]
    (listed,) = (await client.get(f"{API}/cases")).json()["cases"]
    assert (listed["id"], listed["slides"], "lossless" in listed["thumbnail"]) == (case_id, 2, True)


async def test_a_case_has_a_description_wi40_wi41(client: httpx.AsyncClient) -> None:
    text = "# Case 12\n\nA *small* biopsy. " + "ä" * 19_960
    made = await client.post(f"{API}/cases", json={"title": "a", "description": f" {text}\n"})
    case = f"{API}/cases/{made.json()['id']}"
    assert made.json()["description"] == (await client.get(case)).json()["description"] == text
    assert (await client.patch(case, json={"title": "b"})).json()["description"] == text
    changed = (await client.patch(case, json={"description": ""})).json()
    assert (changed["title"], changed["description"], changed["revision"]) == ("b", "", 3)
    for refused in ("a" * 20_001, "a\0"):
        answer = await client.patch(case, json={"description": refused})
        assert problem(answer) == (422, "invalid-parameter")
    assert (await client.get(case)).json()["revision"] == 3


async def test_a_slide_keeps_its_place_in_a_case_while_it_is_in_the_trash_wi42(client: httpx.AsyncClient) -> None:
    case_id = await made(client, "visual", "planes")
    await client.delete(f"{API}/slides/visual")
    assert await slides_of(client, case_id) == ["planes"]
    order = ["lossless", "planes"]
    await client.put(f"{API}/cases/{case_id}/slides", json={"slides": order})
    await client.post(f"{API}/trash/visual/restore")
    assert await slides_of(client, case_id) == [*order, "visual"]
    await client.delete(f"{API}/slides/visual")
    await client.delete(f"{API}/trash/visual")
    assert await slides_of(client, case_id) == order


async def test_an_order_made_from_an_older_revision_is_refused_wi43(client: httpx.AsyncClient) -> None:
    case_id = await made(client, "visual", "planes")
    tag = (await client.get(f"{API}/cases/{case_id}")).headers["etag"]
    await client.post(f"{API}/cases/{case_id}/slides", json={"slides": ["lossless"]})
    url, stale = f"{API}/cases/{case_id}/slides", {"if-match": tag}
    late = await client.put(url, json={"slides": ["planes", "visual"]}, headers=stale)
    assert problem(late) == (412, "stale-revision")
    assert await slides_of(client, case_id) == ["visual", "planes", "lossless"]
    assert problem(await client.put(url, json={"slides": []}, headers={"if-match": "*"})) == (422, "invalid-parameter")


async def test_renaming_and_deleting_a_case_leaves_its_slides_wi41(client: httpx.AsyncClient) -> None:
    case_id = await made(client, "visual")
    changed = await client.patch(f"{API}/cases/{case_id}", json={"title": "Teaching", "kind": "collection"})
    assert (changed.json()["title"], changed.json()["kind"], changed.json()["revision"]) == (
        "Teaching",
        "collection",
        2,
    )
    assert (await client.delete(f"{API}/cases/{case_id}")).status_code == 204
    assert problem(await client.get(f"{API}/cases/{case_id}")) == (404, "unknown-case")
    assert (await client.get(f"{API}/slides/visual")).is_success


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"title": " "}, (422, "invalid-parameter")),
        ({"title": "x", "kind": "box"}, (422, "invalid-parameter")),
        ({"title": "x", "slides": ["nobody"]}, (404, "unknown-slide")),
        ({"title": "x", "colour": 1}, (422, "invalid-parameter")),
    ],
)
async def test_a_case_that_makes_no_sense_is_refused(
    client: httpx.AsyncClient, body: dict[str, object], expected: tuple[int, str]
) -> None:
    assert problem(await client.post(f"{API}/cases", json=body)) == expected
    assert (await client.get(f"{API}/cases")).json()["cases"] == []


async def test_tags_are_set_removed_searched_and_counted_wi12_wi39(client: httpx.AsyncClient) -> None:
    for slide, tags in (("visual", {"stain": "H&E", "organ": "Colon"}), ("lossless", {"stain": "PAS"})):
        assert (await client.patch(f"{API}/slides/{slide}", json={"tags": tags})).json()["tags"] == tags
    found = (await client.get(f"{API}/slides", params={"search": "colon h&e"})).json()["slides"]
    assert [slide["id"] for slide in found] == ["visual"]
    assert await counts(client, "tag.stain") == {"H&E": 1, "PAS": 1}
    changed = await client.patch(f"{API}/slides/visual", json={"tags": {"organ": None}})
    assert changed.json()["tags"] == {"stain": "H&E"}
    assert changed.json()["title"] == "The visual one"
    assert await counts(client, "tag.organ") == {}


async def test_a_facet_counts_what_choosing_its_values_would_show_wi39(client: httpx.AsyncClient) -> None:
    case_id = await made(client, "visual", "planes")
    await client.patch(f"{API}/slides/visual", json={"tags": {"stain": "H&E"}})
    assert await counts(client, "profile") == {"visual": 2, "lossless": 1}
    assert await counts(client, "planes") == {"1": 2, "2": 1}
    assert await counts(client, "profile", f"case:{case_id}") == {"visual": 2}
    assert await counts(client, "profile", "profile:lossless") == {"visual": 2, "lossless": 1}
    assert await counts(client, "planes", "profile:lossless") == {"1": 1}
    assert await counts(client, "case", "planes:2") == {case_id: 1}
    chosen = [f"case:{case_id}", "planes:1", "planes:2", "tag.stain:H&E"]
    found = (await client.get(f"{API}/slides", params={"label": chosen})).json()
    assert ([slide["id"] for slide in found["slides"]], found["total"]) == (["visual"], 1)
    assert problem(await client.get(f"{API}/slides", params={"label": "planes"})) == (422, "invalid-parameter")


async def counts(client: httpx.AsyncClient, name: str, *labels: str) -> dict[str, int]:
    facets = (await client.get(f"{API}/facets", params={"label": labels})).json()["facets"]
    return {value["value"]: value["count"] for facet in facets if facet["name"] == name for value in facet["values"]}


@pytest.mark.parametrize(
    "tags",
    [{"a:b": "x"}, {"": "x"}, {"stain": ""}, {"stain": "x" * 101}, {"stain": 1}, {f"k{i}": "v" for i in range(33)}],
)
async def test_tags_that_make_no_sense_are_refused_wi12(client: httpx.AsyncClient, tags: dict[str, object]) -> None:
    answer = await client.patch(f"{API}/slides/visual", json={"tags": tags})
    assert problem(answer) == (422, "invalid-parameter")
    assert (await client.get(f"{API}/slides/visual")).json()["tags"] == {}

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


async def nested(client: httpx.AsyncClient, title: str, parent: str = "", kind: str = "collection") -> str:
    answer = await client.post(f"{API}/cases", json={"title": title, "kind": kind, "parent": parent})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def tree(client: httpx.AsyncClient) -> dict[str, tuple[str, int, int]]:
    """Of each case by its title: the title of what it lies in, slides in it, and in it and below."""
    cases = (await client.get(f"{API}/cases")).json()["cases"]
    titles = {one["id"]: one["title"] for one in cases} | {"": ""}
    return {one["title"]: (titles[one["parent"]], one["slides"], one["below"]) for one in cases}


async def test_collections_lie_in_collections_and_count_what_is_below_wi40_wi41(client: httpx.AsyncClient) -> None:
    year = await nested(client, "2026")
    colon = await nested(client, "Colon", year)
    case = await nested(client, "Case", colon, "case")
    await client.post(f"{API}/cases/{year}/slides", json={"slides": ["planes"]})
    await client.post(f"{API}/cases/{case}/slides", json={"slides": ["visual", "planes"]})
    assert await tree(client) == {"2026": ("", 1, 2), "Colon": ("2026", 0, 2), "Case": ("Colon", 2, 2)}
    assert (await client.get(f"{API}/cases/{case}")).json()["parent"] == colon
    moved = await client.patch(f"{API}/cases/{case}", json={"parent": year})
    assert (moved.json()["parent"], moved.json()["title"]) == (year, "Case")
    assert await tree(client) == {"2026": ("", 1, 2), "Colon": ("2026", 0, 0), "Case": ("2026", 2, 2)}
    assert (await client.patch(f"{API}/cases/{case}", json={"title": "Case 2"})).json()["parent"] == year
    assert (await client.patch(f"{API}/cases/{case}", json={"parent": ""})).json()["parent"] == ""
    await client.patch(f"{API}/cases/{case}", json={"parent": colon})
    assert (await client.delete(f"{API}/cases/{colon}")).status_code == 204
    assert await tree(client) == {"2026": ("", 1, 2), "Case 2": ("2026", 2, 2)}


async def test_slides_are_found_by_a_collection_and_all_below_it_wi39(client: httpx.AsyncClient) -> None:
    year = await nested(client, "2026")
    colon = await nested(client, "Colon", year)
    await client.post(f"{API}/cases/{year}/slides", json={"slides": ["planes"]})
    await client.post(f"{API}/cases/{colon}/slides", json={"slides": ["visual", "planes"]})

    async def found(*labels: str) -> set[str]:
        answer = await client.get(f"{API}/slides", params={"label": labels})
        return {one["id"] for one in answer.json()["slides"]}

    assert await found(f"case:{year}") == {"planes"}
    assert await found(f"within:{year}") == {"planes", "visual"}
    assert await found(f"within:{colon}", f"case:{year}") == {"planes"}
    assert await found("within:nothing") == set()
    facets = (await client.get(f"{API}/facets", params={"label": f"within:{colon}"})).json()["facets"]
    counts = {one["name"]: {value["title"]: value["count"] for value in one["values"]} for one in facets}
    assert counts["case"] == {"2026": 1, "Colon": 2}
    assert sum(counts["profile"].values()) == 2
    assert "within" not in counts


async def test_what_would_lie_in_itself_too_deep_or_in_a_case_is_refused_wi41(client: httpx.AsyncClient) -> None:
    chain = [await nested(client, "1")]
    for depth in range(2, 9):
        chain.append(await nested(client, str(depth), chain[-1]))

    async def cause(change: dict[str, str], case_id: str) -> str:
        answer = await client.patch(f"{API}/cases/{case_id}", json=change)
        assert problem(answer) == (409, "invalid-nesting")
        return str(answer.json()["cause"])

    for inner in (chain[0], chain[1], chain[7]):
        assert await cause({"parent": inner}, chain[0]) == "cycle"
    ninth = await client.post(f"{API}/cases", json={"title": "9", "parent": chain[7]})
    assert (problem(ninth), ninth.json()["cause"]) == ((409, "invalid-nesting"), "depth")
    pair = await nested(client, "pair")
    await nested(client, "of the pair", pair)
    assert await cause({"parent": chain[6]}, pair) == "depth"
    assert (await client.patch(f"{API}/cases/{pair}", json={"parent": chain[5]})).is_success
    case = await nested(client, "case", kind="case")
    assert await cause({"parent": case}, pair) == "kind"
    assert await cause({"kind": "case"}, pair) == "kind"
    assert problem(await client.patch(f"{API}/cases/{case}", json={"parent": "nothing"})) == (404, "unknown-case")
    assert problem(await client.patch(f"{API}/cases/{case}", json={"parent": "a" * 33})) == (422, "invalid-parameter")
    assert (await client.get(f"{API}/cases/{case}")).json()["revision"] == 1

"""The routes of annotations: revisions, changes, classes, documents."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from annotations.shapes import SQUARE, VECTORS, content
from api.asking import API, problem, running_client
from service.world import World
from wavescope.config import Limits
from wavescope.service.slides import annotations as service

ANNOTATIONS = f"{API}/slides/visual/annotations"
POINT = content("point", "Point", [1, 2])
BOX = content("rectangle", "Polygon", [SQUARE], name="A")
FRESH = {"if-none-match": "*"}


@pytest.fixture
async def client(world: World, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A service whose annotations may be changed."""
    async with running_client(world.copy(tmp_path / "store").store) as opened:
        yield opened


def on(revision: int) -> dict[str, str]:
    """The condition that the object is at this revision."""
    return {"if-match": f'"r{revision}"'}


async def batch(client: httpx.AsyncClient, *changes: tuple[str, int, Any]) -> list[dict[str, Any]]:
    """The outcomes of (id, revision, content) changes."""
    wanted = [{"id": one, "revision": revision, "content": made} for one, revision, made in changes]
    answer = await client.post(f"{ANNOTATIONS}:batch", json={"changes": wanted})
    assert answer.status_code == 200, answer.text
    outcomes: list[dict[str, Any]] = answer.json()["outcomes"]
    return outcomes


async def test_an_object_is_made_read_changed_and_deleted_an2_an5(client: httpx.AsyncClient) -> None:
    made = await client.put(f"{ANNOTATIONS}/a", json=BOX, headers=FRESH)
    assert (made.status_code, made.headers["etag"], made.json()["content"]) == (201, '"r1"', BOX)
    moved = await client.put(f"{ANNOTATIONS}/a", json=POINT, headers=on(1))
    assert (moved.status_code, moved.json()["revision"], moved.json()["author"]) == (200, 2, "local user")
    assert (await client.get(f"{ANNOTATIONS}/a")).json() == moved.json()
    assert (await client.delete(f"{ANNOTATIONS}/a", headers=on(2))).status_code == 204
    assert problem(await client.get(f"{ANNOTATIONS}/a")) == (404, "unknown-annotation")


async def test_a_change_of_another_revision_is_refused_with_the_current_object_an5(client: httpx.AsyncClient) -> None:
    await client.put(f"{ANNOTATIONS}/a", json=BOX, headers=FRESH)
    await client.put(f"{ANNOTATIONS}/a", json=POINT, headers=on(1))
    for answer in (
        await client.put(f"{ANNOTATIONS}/a", json=BOX, headers=on(1)),
        await client.put(f"{ANNOTATIONS}/a", json=BOX, headers=FRESH),
        await client.delete(f"{ANNOTATIONS}/a", headers=on(1)),
    ):
        assert problem(answer) == (412, "annotation-conflict")
        assert (answer.json()["current"]["revision"], answer.json()["current"]["content"]) == (2, POINT)
    assert (await client.get(f"{ANNOTATIONS}/a")).json()["content"] == POINT


async def test_a_change_must_say_its_revision_an5(client: httpx.AsyncClient) -> None:
    assert problem(await client.put(f"{ANNOTATIONS}/a", json=BOX)) == (428, "revision-required")
    assert problem(await client.delete(f"{ANNOTATIONS}/a")) == (428, "revision-required")
    assert problem(await client.put(f"{ANNOTATIONS}/a", json=BOX, headers={"if-match": "1"})) == (
        422,
        "invalid-parameter",
    )
    assert problem(await client.put(f"{ANNOTATIONS}/a", json=BOX, headers=on(4))) == (412, "annotation-conflict")


async def test_each_change_of_a_batch_has_its_own_outcome_an6(client: httpx.AsyncClient) -> None:
    await batch(client, ("a", 0, BOX), ("b", 0, BOX))
    outcomes = await batch(client, ("a", 1, POINT), ("b", 7, POINT), ("c", 0, POINT), ("d", 3, POINT))
    assert [one["status"] for one in outcomes] == ["saved", "conflict", "saved", "conflict"]
    assert [one["annotation"] and one["annotation"]["revision"] for one in outcomes] == [2, 1, 1, None]
    assert outcomes[1]["annotation"]["content"] == BOX


async def test_a_faulty_change_refuses_the_whole_batch_an6(client: httpx.AsyncClient) -> None:
    wanted = [{"id": "a", "revision": 0, "content": POINT}, {"id": "b", "revision": 0, "content": {"kind": "point"}}]
    assert problem(await client.post(f"{ANNOTATIONS}:batch", json={"changes": wanted})) == (422, "invalid-parameter")
    assert (await client.get(ANNOTATIONS)).json()["annotations"] == []


async def test_a_change_sent_twice_is_saved_once_an7(client: httpx.AsyncClient) -> None:
    for _ in range(2):
        (outcome,) = await batch(client, ("a", 0, BOX))
        assert (outcome["status"], outcome["annotation"]["revision"]) == ("saved", 1)
    for _ in range(2):
        (outcome,) = await batch(client, ("a", 1, None))
        assert (outcome["status"], outcome["annotation"]["revision"]) == ("saved", 2)


async def test_a_deleted_object_comes_back_under_its_id_an7(client: httpx.AsyncClient) -> None:
    await batch(client, ("a", 0, BOX))
    await batch(client, ("a", 1, None))
    assert [one["status"] for one in await batch(client, ("a", 0, BOX))] == ["conflict"]
    (outcome,) = await batch(client, ("a", 2, POINT))
    assert (outcome["annotation"]["revision"], outcome["annotation"]["deleted"]) == (3, False)


async def test_who_follows_the_sequence_sees_every_change_and_every_end_an8(client: httpx.AsyncClient) -> None:
    await batch(client, ("a", 0, BOX), ("b", 0, POINT), ("c", 0, POINT))
    first = (await client.get(ANNOTATIONS, params={"limit": 2})).json()
    assert ([one["id"] for one in first["annotations"]], first["more"], first["total"]) == (["a", "b"], True, 3)
    await batch(client, ("a", 1, POINT), ("b", 1, None))
    rest = (await client.get(ANNOTATIONS, params={"since": first["sequence"]})).json()
    found = [(one["id"], one["revision"], one["deleted"]) for one in rest["annotations"]]
    assert (found, rest["more"]) == ([("c", 1, False), ("a", 2, False), ("b", 2, True)], False)
    quiet = (await client.get(ANNOTATIONS, params={"since": rest["sequence"]})).json()
    assert (quiet["annotations"], quiet["sequence"]) == ([], rest["sequence"])
    whole = (await client.get(ANNOTATIONS)).json()
    assert [one["id"] for one in whole["annotations"]] == ["c", "a"]
    from_the_first = (await client.get(ANNOTATIONS, params={"since": 0})).json()
    assert [one["id"] for one in from_the_first["annotations"]] == ["c", "a", "b"]


async def test_a_box_and_a_plane_choose_objects_an8(client: httpx.AsyncClient) -> None:
    far = content("point", "Point", [500, 500], plane={"z": 1})
    await batch(client, ("near", 0, BOX), ("far", 0, far))

    async def ids(**query: Any) -> list[str]:
        return [one["id"] for one in (await client.get(ANNOTATIONS, params=query)).json()["annotations"]]

    assert await ids(bbox="5,5,1,1") == ["near"]
    assert await ids(bbox="400,400,200,200") == ["far"]
    assert (await ids(z=1), await ids(z=0), await ids(bbox="50,50,10,10")) == (["far"], ["near"], [])
    assert problem(await client.get(ANNOTATIONS, params={"bbox": "1,2"})) == (422, "invalid-parameter")


async def test_classes_have_colours_an9(client: httpx.AsyncClient) -> None:
    answer = await client.patch(f"{ANNOTATIONS}:classes", json={"classes": {"Tumor": [200, 0, 0], "Stroma": [1, 2, 3]}})
    assert answer.json()["classes"] == {"Stroma": [1, 2, 3], "Tumor": [200, 0, 0]}
    await client.patch(f"{ANNOTATIONS}:classes", json={"classes": {"Stroma": None}})
    assert (await client.get(ANNOTATIONS)).json()["classes"] == {"Tumor": [200, 0, 0]}
    assert problem(await client.patch(f"{ANNOTATIONS}:classes", json={"classes": {" ": [1, 2, 3]}}))[0] == 422


async def test_limits_are_reported_and_nothing_is_half_done_an10(world: World, tmp_path: Path) -> None:
    limits = replace(Limits(), annotations=2, annotation_changes=3, annotation_body=2000, annotation_classes=1)
    async with running_client(world.copy(tmp_path / "store").store, limits=limits) as client:
        for count in (3, 4):
            wanted = [{"id": f"a{n}", "revision": 0, "content": POINT} for n in range(count)]
            assert problem(await client.post(f"{ANNOTATIONS}:batch", json={"changes": wanted})) == (413, "too-large")
        assert (await client.get(ANNOTATIONS)).json()["total"] == 0
        long = content("point", "Point", [1, 2], text="x" * 3000)
        assert problem(await client.put(f"{ANNOTATIONS}/a", json=long, headers=FRESH)) == (413, "too-large")
        colours = {"classes": {"A": [1, 2, 3], "B": [1, 2, 3]}}
        assert problem(await client.patch(f"{ANNOTATIONS}:classes", json=colours)) == (413, "too-large")
        assert problem(await client.get(ANNOTATIONS, params={"limit": 0})) == (422, "invalid-parameter")


async def test_a_slide_or_id_that_is_none_is_named_an4(client: httpx.AsyncClient) -> None:
    nowhere = f"{API}/slides/nowhere/annotations"
    assert problem(await client.get(nowhere)) == (404, "unknown-slide")
    assert problem(await client.post(f"{nowhere}:batch", json={"changes": []})) == (404, "unknown-slide")
    assert problem(await client.get(f"{ANNOTATIONS}/a")) == (404, "unknown-annotation")
    assert problem(await client.put(f"{ANNOTATIONS}/{'a' * 65}", json=POINT, headers=FRESH)) == (
        422,
        "invalid-parameter",
    )


DOCUMENTS = {
    "application/geo+json": ("geojson", "FeatureCollection"),
    'application/ld+json; profile="http://www.w3.org/ns/anno.jsonld"': ("w3c", "AnnotationPage"),
    "text/csv; charset=utf-8": ("csv", "length_"),
}


@pytest.mark.parametrize("media", DOCUMENTS)
async def test_one_address_answers_in_four_formats_an15(client: httpx.AsyncClient, media: str) -> None:
    await batch(client, ("a", 0, BOX))
    name, word = DOCUMENTS[media]
    by_header = await client.get(ANNOTATIONS, headers={"accept": f"text/nothing, {media}, */*;q=0.1"})
    by_name = await client.get(ANNOTATIONS, params={"format": name})
    assert by_header.content == by_name.content
    assert (by_header.headers["content-type"], word in by_header.text) == (media, True)
    assert by_name.headers["content-disposition"].startswith('attachment; filename="visual.annotations.')
    assert problem(await client.get(ANNOTATIONS, headers={"accept": "image/png"})) == (406, "not-acceptable")


async def test_a_document_is_imported_once_and_never_overwrites_an20(client: httpx.AsyncClient) -> None:
    body = (VECTORS / "qupath.geojson").read_bytes()

    ids: list[list[str]] = []  # of what each import added

    async def import_() -> tuple[int, int, int, int]:
        answer = await client.post(
            f"{ANNOTATIONS}:import", content=body, headers={"content-type": "application/geo+json"}
        )
        assert answer.status_code == 200, answer.text
        report = answer.json()
        ids.append(report["ids"])
        return report["created"], report["unchanged"], report["renumbered"], report["skipped"]

    assert await import_() == (7, 0, 0, 0)
    assert await import_() == (0, 7, 0, 0)
    first = (await client.get(ANNOTATIONS)).json()
    assert (sorted(ids[0]), ids[1]) == (sorted(one["id"] for one in first["annotations"]), [])
    assert first["classes"]["Mitosis"] == [0, 0, 255]
    edited, deleted = first["annotations"][0], first["annotations"][1]
    await batch(client, (edited["id"], 1, BOX), (deleted["id"], 1, None))
    assert await import_() == (2, 5, 1, 0)  # the edited one as a copy, the deleted one back under its id
    assert (len(ids[2]), deleted["id"] in ids[2], edited["id"] in ids[2]) == (2, True, False)
    assert (await client.get(f"{ANNOTATIONS}/{edited['id']}")).json()["content"] == BOX
    assert (await client.get(f"{ANNOTATIONS}/{deleted['id']}")).json()["content"] == deleted["content"]
    assert await import_() == (0, 7, 1, 0)


async def test_an_object_says_which_import_added_it_an52(client: httpx.AsyncClient) -> None:
    page = {"type": "Annotation", "target": "http://h/slide#xywh=1,2,3,4", "body": "seen"}

    async def import_(name: str, *bodies: str) -> None:
        items = [{**page, "body": body} for body in bodies]
        answer = await client.post(f"{ANNOTATIONS}:import?format=w3c{name}", json=items)
        assert answer.json()["created"] == len(bodies), answer.text

    await client.put(f"{ANNOTATIONS}/drawn", json=BOX, headers=FRESH)
    await import_("&name=Tumour%20cells.json", "a", "b")
    await import_("", "c")
    drawn, *both, unnamed = (await client.get(ANNOTATIONS)).json()["annotations"]
    assert [one["imported"] for one in (drawn, *both, unnamed)] == ["", *["Tumour cells.json"] * 2, "w3c"]
    assert both[0]["created"] == both[1]["created"] != unnamed["created"]  # one import has one time

    one = both[0]["id"]
    await batch(client, (one, 1, BOX), (one, 2, None), (one, 3, POINT))
    changed = (await client.get(f"{ANNOTATIONS}/{one}")).json()
    assert (changed["imported"], changed["created"]) == ("Tumour cells.json", both[0]["created"])
    refused = await client.post(f"{ANNOTATIONS}:import?format=w3c&name=a%0Ab", json=[page])
    assert problem(refused) == (422, "invalid-parameter")


async def test_an_import_needs_a_format_that_holds_shapes_an20(client: httpx.AsyncClient) -> None:
    assert problem(await client.post(f"{ANNOTATIONS}:import", content=b"[]")) == (422, "invalid-parameter")
    assert problem(await client.post(f"{ANNOTATIONS}:import?format=csv", content=b"[]")) == (422, "invalid-parameter")
    assert problem(await client.post(f"{ANNOTATIONS}:import?format=w3c", content=b"{")) == (422, "invalid-parameter")
    page = {"type": "Annotation", "target": "http://h/slide#xywh=1,2,3,4", "body": "seen"}
    answer = await client.post(f"{ANNOTATIONS}:import?format=w3c", json=page)
    assert answer.json()["created"] == 1


async def test_annotations_end_with_their_slide_and_not_before_an21(client: httpx.AsyncClient, world: World) -> None:
    await batch(client, ("a", 0, BOX))
    await client.patch(f"{API}/slides/visual", json={"title": "Another"})
    assert (await client.get(ANNOTATIONS)).json()["total"] == 1
    other = f"{API}/slides/lossless/annotations"
    assert (await client.get(other)).json()["total"] == 0
    await client.delete(f"{API}/slides/visual")
    assert problem(await client.get(ANNOTATIONS)) == (404, "unknown-slide")


async def test_a_long_answer_is_packed_for_those_who_take_it(client: httpx.AsyncClient) -> None:
    await batch(client, *((f"a{number}", 0, BOX) for number in range(200)))
    answer = await client.get(ANNOTATIONS, headers={"accept-encoding": "gzip"})
    assert (answer.headers["content-encoding"], len(answer.json()["annotations"])) == ("gzip", 200)
    assert "content-encoding" not in (await client.get(ANNOTATIONS, headers={"accept-encoding": "identity"})).headers


HUGE_SHAPES = (
    '<ellipse cx="1e300" cy="5" rx="1e308" ry="2"/>',
    '<ellipse cx="5" cy="5" rx="9e307" ry="1e308"/>',
    '<circle cx="0" cy="0" r="1e12"/>',
    '<rect x="1e308" y="0" width="1e308" height="3"/>',
    '<polygon points="0,0 1e400,0 1e400,1e400"/>',
    '<path d="M 0,0 l 1e308,0 l 1e308,1e308 Z"/>',
    '<path d="M 0,0 L 1e99,0"/>',
)


@pytest.mark.parametrize("shape", HUGE_SHAPES)
async def test_an_imported_shape_beyond_every_slide_is_skipped_with_its_reason_an30(
    client: httpx.AsyncClient, shape: str
) -> None:
    target = {"source": "s", "selector": {"type": "SvgSelector", "value": f"<svg>{shape}</svg>"}}
    page = {"items": [{"type": "Annotation", "target": target}]}
    answer = await client.post(f"{ANNOTATIONS}:import?format=w3c", json=page)
    assert answer.status_code == 200, answer.text
    assert (answer.json()["created"], answer.json()["skipped"]) == (0, 1)
    assert "numbers up to" in answer.json()["reasons"][0]


@pytest.mark.parametrize("fragment", ["xywh=pixel:1,1,9999999999999,4", f"xywh=pixel:{'9' * 400},1,2,3"])
async def test_so_is_a_fragment_an30(client: httpx.AsyncClient, fragment: str) -> None:
    target = {"source": "s", "selector": {"type": "FragmentSelector", "value": fragment}}
    answer = await client.post(f"{ANNOTATIONS}:import?format=w3c", json={"items": [{"target": target}]})
    assert answer.json()["skipped"] == 1, answer.text


@pytest.mark.parametrize(
    "shape", ['<ellipse cx="5" cy="5" rx="0" ry="2"/>', '<rect x="5" y="5" width="4" height="0"/>']
)
async def test_a_flat_ellipse_is_skipped_and_the_slide_can_still_be_exported_an30(
    client: httpx.AsyncClient, shape: str
) -> None:
    target = {"source": "s", "selector": {"type": "SvgSelector", "value": f"<svg>{shape}</svg>"}}
    answer = await client.post(f"{ANNOTATIONS}:import?format=w3c", json={"items": [{"target": target}]})
    assert answer.json()["skipped"] == 1, answer.text
    for form in ("geojson", "w3c", "csv"):
        assert (await client.get(f"{ANNOTATIONS}?format={form}")).status_code == 200


async def test_few_documents_are_made_at_one_time_and_others_are_answered_meanwhile_an31(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, running, most = threading.Event(), 0, 0

    def write(*_: object) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        release.wait(20)
        running -= 1
        return ""

    monkeypatch.setattr(service, "write_csv", write)
    asked = [asyncio.ensure_future(client.get(f"{ANNOTATIONS}?format=csv")) for _ in range(40)]
    async with asyncio.timeout(20):
        while sum(one.done() for one in asked) < 8 or running < 2:
            await asyncio.sleep(0.01)
        assert (await client.get(ANNOTATIONS)).status_code == 200
        release.set()
        answers = [answer.status_code for answer in await asyncio.gather(*asked)]
    assert (most, answers.count(200), answers.count(503)) == (2, 32, 8)

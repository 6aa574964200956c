"""Annotating together: locks, comments with threads, mentions, what is unread (annotations.md, section 10)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest

from annotations.shapes import content
from api.accounts import API, Clinic, clinic
from api.asking import problem
from service.world import World
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.comments import export_comments
from wavescope.catalog.records import Share
from wavescope.catalog.trash import Trash
from wavescope.service.slides import comments as service

S = f"{API}/slides/visual"
POINT = content("point", "Point", [1, 2])
MOVED = content("point", "Point", [3, 4])
NEW = {"if-none-match": "*"}


@pytest.fixture
async def at(world: World, tmp_path: Path) -> AsyncIterator[Clinic]:
    """Ines owns a slide with an annotation of Anna's; Anna and Otto annotate, Vera views."""
    async with clinic(world.copy(tmp_path / "store").without_log().store) as opened:
        opened.add("otto", "annotator")
        opened.add("ines", "instructor")
        opened.own("visual", "ines")
        share(opened, anna="annotate", otto="annotate", vera="view")
        async with signed(opened, "anna") as anna:
            assert (await anna.put(f"{S}/annotations/a", json=POINT, headers=NEW)).status_code == 201
        yield opened


@asynccontextmanager
async def signed(at: Clinic, name: str) -> AsyncIterator[httpx.AsyncClient]:
    client = await at.signed_in(name)
    try:
        yield client
    finally:
        await client.aclose()


def share(at: Clinic, **rights: Literal["view", "annotate"]) -> None:
    shares = [Share("user", at.ids[name], right) for name, right in rights.items()]
    SharingTable(at.service.catalog).share("slide", "visual", False, shares)


async def comment(client: httpx.AsyncClient, comment_id: str, text: str, **more: Any) -> httpx.Response:
    return await client.put(f"{S}/comments/{comment_id}", json={"annotation": "a", "text": text, **more})


async def comments(client: httpx.AsyncClient, **query: Any) -> Any:
    answer = await client.get(f"{S}/comments", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_nobody_changes_or_deletes_a_locked_annotation_an45(at: Clinic) -> None:
    async with signed(at, "otto") as otto, signed(at, "anna") as anna:
        locked = (await otto.put(f"{S}/annotations/a/lock")).json()
        assert (locked["locked"], locked["revision"], locked["content"], locked["editor"]) == ("Otto", 2, POINT, "Anna")
        on = {"if-match": '"r2"'}
        for client in (otto, anna):
            refused = await client.put(f"{S}/annotations/a", json=MOVED, headers=on)
            assert (*problem(refused), refused.json()["by"]) == (423, "annotation-locked", "Otto")
            assert problem(await client.delete(f"{S}/annotations/a", headers=on)) == (423, "annotation-locked")
            changes = [{"id": "a", "revision": 2, "content": None}, {"id": "b", "revision": 0, "content": None}]
            outcomes = (await client.post(f"{S}/annotations:batch", json={"changes": changes})).json()["outcomes"]
            assert [one["status"] for one in outcomes] == ["locked", "saved"]
            assert outcomes[0]["annotation"] == locked
        page = (await anna.get(f"{S}/annotations", params={"since": 1})).json()
        assert page["annotations"] == [locked]
        again = await otto.put(f"{S}/annotations/a/lock")
        assert again.json() == locked
        # what is stored already is saved, locked or not (AN7)
        same = await otto.post(
            f"{S}/annotations:batch", json={"changes": [{"id": "a", "revision": 1, "content": POINT}]}
        )
        assert same.json()["outcomes"][0]["status"] == "saved"


async def test_who_locked_it_its_author_and_the_owner_of_the_slide_unlock_an45(at: Clinic) -> None:
    at.add("omar", "annotator")
    share(at, anna="annotate", otto="annotate", omar="annotate", vera="view")
    async with signed(at, "otto") as otto, signed(at, "omar") as omar:
        for name in ("otto", "anna", "ines"):
            assert (await otto.put(f"{S}/annotations/a/lock")).status_code == 200
            for refused in (await omar.delete(f"{S}/annotations/a/lock"), await omar.put(f"{S}/annotations/a/lock")):
                assert problem(refused) == (423, "annotation-locked")
            async with signed(at, name) as client:
                assert (await client.delete(f"{S}/annotations/a/lock")).json()["locked"] == ""
        assert (await omar.put(f"{S}/annotations/a", json=MOVED, headers={"if-match": '"r7"'})).status_code == 200
        assert problem(await omar.put(f"{S}/annotations/none/lock")) == (404, "unknown-annotation")
    async with signed(at, "vera") as vera:
        assert problem(await vera.put(f"{S}/annotations/a/lock")) == (403, "forbidden")


async def test_comments_are_threads_that_all_who_see_the_slide_read_an46_an47(at: Clinic) -> None:
    async with signed(at, "anna") as anna, signed(at, "otto") as otto:
        first = await comment(anna, "c1", "  Are these mitoses? ")
        assert first.json() | {"created": ""} == {
            "id": "c1", "annotation": "a", "reply_to": None, "sequence": 1, "author": "Anna",
            "text": "Are these mitoses?", "deleted": False, "created": "", "edited": None, "mentions": [], "own": True,
        }  # fmt: skip
        assert (await comment(anna, "c1", "Are these mitoses?")).json() == first.json()  # sent again
        assert (await comment(otto, "c2", "No.", reply_to="c1")).json()["reply_to"] == "c1"
        edited = (await comment(otto, "c2", "No, pyknoses.", reply_to="c1")).json()
        assert (edited["text"], edited["sequence"], edited["edited"] is None) == ("No, pyknoses.", 3, False)
        assert (await anna.get(f"{S}/annotations")).json()["comments"] == 3
    async with signed(at, "vera") as vera:
        page = await comments(vera)
        assert [(one["id"], one["own"]) for one in page["comments"]] == [("c1", False), ("c2", False)]
        assert problem(await comment(vera, "c3", "?")) == (403, "forbidden")
        part = await comments(vera, limit=1)
        assert ([one["id"] for one in part["comments"]], part["more"]) == (["c1"], True)
        rest = await comments(vera, since=part["sequence"])
        assert ([one["id"] for one in rest["comments"]], rest["more"], rest["sequence"]) == (["c2"], False, 3)


async def test_only_its_author_changes_a_comment_and_the_owner_of_the_slide_deletes_it_an46(at: Clinic) -> None:
    async with signed(at, "anna") as anna, signed(at, "otto") as otto:
        await comment(anna, "c1", "one")
        await comment(otto, "c2", "two", reply_to="c1")
        assert problem(await comment(otto, "c1", "mine now")) == (403, "forbidden")
        assert problem(await otto.delete(f"{S}/comments/c1")) == (403, "forbidden")
        async with signed(at, "ines") as ines:
            assert problem(await comment(ines, "c1", "changed")) == (403, "forbidden")
            assert (await ines.delete(f"{S}/comments/c1")).status_code == 204
        page = await comments(anna, since=0)
        assert [(one["id"], one["text"], one["deleted"]) for one in page["comments"]] == [
            ("c2", "two", False),
            ("c1", "", True),
        ]
        assert problem(await comment(anna, "c1", "again")) == (404, "unknown-comment")
        assert problem(await anna.delete(f"{S}/comments/c1")) == (404, "unknown-comment")


async def test_faulty_comments_are_refused_an46(at: Clinic) -> None:
    async with signed(at, "anna") as anna:
        await comment(anna, "c1", "one")
        await comment(anna, "c2", "two", reply_to="c1")
        for text in ("", "  ", "\x00", "a\u202eb"):
            assert problem(await comment(anna, "c9", text)) == (422, "invalid-parameter"), text
        assert problem(await comment(anna, "c9", "x" * (service.TEXT + 1))) == (413, "too-large")
        assert problem(await comment(anna, "-", "x")) == (422, "invalid-parameter")
        assert problem(await comment(anna, "c9", "x", annotation="none")) == (404, "unknown-annotation")
        assert problem(await comment(anna, "c9", "x", reply_to="none")) == (404, "unknown-comment")
        assert problem(await comment(anna, "c9", "x", reply_to="c2")) == (422, "invalid-parameter")
        assert problem(await comment(anna, "c1", "x", reply_to="c2")) == (422, "invalid-parameter")
        assert problem(await anna.get(f"{S}/comments", params={"since": -1})) == (422, "invalid-parameter")
        assert problem(await anna.get(f"{S}/comments", params={"limit": 0})) == (422, "invalid-parameter")


async def test_a_slide_has_a_bounded_number_of_comments_an46(at: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at.service.comments._table, "_max_comments", 1)
    async with signed(at, "anna") as anna:
        assert (await comment(anna, "c1", "one")).status_code == 200
        assert (await comment(anna, "c1", "other")).status_code == 200
        assert problem(await comment(anna, "c2", "two")) == (413, "too-large")


async def test_an_answer_to_an_own_comment_is_news_until_it_is_read_an55(at: Clinic) -> None:
    async def news(client: httpx.AsyncClient) -> list[str]:
        return [one["comment"]["id"] for one in (await client.get(f"{API}/me/mentions")).json()["mentions"]]

    async with signed(at, "anna") as anna, signed(at, "otto") as otto, signed(at, "ines") as ines:
        await comment(anna, "c1", "Is this one?")
        await comment(anna, "c2", "I think so", reply_to="c1")
        assert await news(anna) == [], "an own answer is no news"
        await comment(otto, "c3", "Yes @Anna", reply_to="c1")
        await comment(ines, "c4", "No", reply_to="c1")
        assert sorted(await news(anna)) == ["c3", "c4"], "each once"
        assert await news(otto) == []
        sequence = (await comments(anna))["sequence"]
        await anna.post(f"{S}/comments:read", json={"annotation": "a", "sequence": sequence})
        assert await news(anna) == []


async def test_only_people_who_see_the_slide_are_mentioned_an48(at: Clinic) -> None:
    at.add("stella", "admin")
    at.add("nora", "annotator")
    async with signed(at, "anna") as anna:
        names = (await anna.get(f"{S}/people")).json()["names"]
        assert names == ["Ines", "Otto", "Vera"]
        assert (await anna.get(f"{S}/people", params={"search": "o"})).json()["names"] == ["Otto"]
        saved = (await comment(anna, "c1", "@Otto @Nora @Vera @Stella look")).json()
        assert saved["mentions"] == ["Otto", "Vera"]
        assert (await comment(anna, "c1", "@Vera look")).json()["mentions"] == ["Vera"]
    async with signed(at, "vera") as vera:
        assert problem(await vera.get(f"{S}/people")) == (403, "forbidden")
        (mention,) = (await vera.get(f"{API}/me/mentions")).json()["mentions"]
        assert (mention["slide"], mention["comment"]["text"]) == ("visual", "@Vera look")
        share(at, anna="annotate")
        assert (await vera.get(f"{API}/me/mentions")).json()["mentions"] == []
        assert problem(await vera.get(f"{S}/comments")) == (404, "unknown-slide")


async def test_what_an_account_has_not_read_is_unread_an49(at: Clinic) -> None:
    async with signed(at, "anna") as anna, signed(at, "otto") as otto:
        await comment(anna, "c1", "@Otto one")
        await comment(anna, "c2", "@Otto two")
        assert len((await otto.get(f"{API}/me/mentions")).json()["mentions"]) == 2
        read = {"annotation": "a", "sequence": 1}
        assert (await otto.post(f"{S}/comments:read", json=read)).status_code == 204
        assert (await comments(otto))["read"] == {"a": 1}
        assert [one["comment"]["id"] for one in (await otto.get(f"{API}/me/mentions")).json()["mentions"]] == ["c2"]
        await otto.post(f"{S}/comments:read", json=read | {"sequence": 99})
        assert (await comments(otto))["read"] == {"a": 2}
        await otto.post(f"{S}/comments:read", json=read)
        assert (await comments(otto))["read"] == {"a": 2}  # never back
        assert (await comments(anna))["read"] == {}
        assert problem(await otto.post(f"{S}/comments:read", json=read | {"annotation": "none"})) == (
            404,
            "unknown-annotation",
        )


async def test_comments_go_with_their_slide_and_an_account_takes_its_own_along_an46(at: Clinic) -> None:
    async with signed(at, "anna") as anna, signed(at, "otto") as otto:
        await comment(anna, "c1", "@Otto one")
        await comment(otto, "c2", "two")
        await otto.post(f"{S}/comments:read", json={"annotation": "a", "sequence": 2})
    exported = export_comments(at.service.catalog.engine, at.ids["otto"])
    assert [(one["slide"], one["annotation"], one["text"]) for one in exported] == [("visual", "a", "two")]
    trash = Trash(at.service.catalog)
    trash.put("visual")
    trash.purge("visual")
    with at.service.catalog.engine.connect() as connection:
        for table in ("comments", "mentions", "comments_read"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0

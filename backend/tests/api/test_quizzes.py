"""Quizzes: written, taken, marked, and no key before the end (quizzes.md)."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from sqlalchemy import Connection, event

from api.accounts import API, Clinic, clinic
from api.asking import problem
from service.world import World
from wavescope.api.schemas.quiz_file import SCHEMA, schema
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.records import Share

PLANTED = "PLANTED"
VIEW = {"l0_x": 500, "l0_y": 400, "l0_width": 400, "l0_height": 300}


def choice(name: str = "c", **fields: Any) -> dict[str, Any]:
    options = [{"id": one, "text": f"Option {one}"} for one in "abc"]
    feedback = f"{PLANTED} feedback"
    return {
        "id": name, "kind": "choice", "text": "Which?", "view": VIEW, "options": options, "key": ["b"],
        "feedback": feedback, "hint": "Look at the nuclei.", **fields,
    }  # fmt: skip


def point(name: str = "p", **fields: Any) -> dict[str, Any]:
    key = {"l0_x": 12345.5, "l0_y": 23456.5, "l0_radius": 50}
    return {"id": name, "kind": "point", "text": "Click it", "view": VIEW, "key": key, "points": 3, **fields}


def number(name: str = "n", **fields: Any) -> dict[str, Any]:
    key = {"value": 98765.25, "tolerance": 2}
    return {"id": name, "kind": "number", "text": "How many?", "unit": "per mm2", "view": VIEW, "key": key, **fields}


def quiz(*questions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"format": "wavescope-quiz", "version": 1, "title": "A quiz", "questions": list(questions), **fields}


def chosen(*ids: str) -> dict[str, Any]:
    return {"answer": {"kind": "choice", "chosen": list(ids)}}


class At:
    """A clinic: ivan owns the slide and writes; vera and anna may view it; olga sees nothing."""

    def __init__(self, opened: Clinic) -> None:
        self.clinic = opened
        self.now = 1_000_000.0
        opened.service.quizzes._clock = lambda: self.now
        opened.own("visual", "ivan")
        shares = [Share("user", opened.ids[name], "view") for name in ("vera", "anna")]
        SharingTable(opened.service.catalog).share("slide", "visual", False, shares)

    async def made(self, document: dict[str, Any]) -> str:
        ivan = await self.clinic.signed_in("ivan")
        answer = await ivan.post(f"{API}/quizzes?slide=visual", json=document)
        assert answer.status_code == 201, answer.text
        return f"{API}/quizzes/{answer.json()['id']}"


@pytest.fixture
async def at(world: World, tmp_path: Path) -> AsyncIterator[At]:
    async with clinic(world.copy(tmp_path / "store").store) as opened:
        yield At(opened)


async def begun(client: httpx.AsyncClient, url: str) -> tuple[str, dict[str, Any]]:
    answer = await client.post(f"{url}/attempts")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return f"{API}/attempts/{body['id']}", body


async def test_a_quiz_is_stored_listed_changed_and_deleted_by_its_author_qz5_qz6_qz7(at: At) -> None:
    ivan, vera = await at.clinic.signed_in("ivan"), await at.clinic.signed_in("vera")
    url = await at.made(quiz(choice(), point()))
    for client, may_edit in ((ivan, True), (vera, False)):
        listed = (await client.get(f"{API}/quizzes", params={"slide": "visual"})).json()["quizzes"]
        assert [(one["title"], one["questions"], one["may_edit"]) for one in listed] == [("A quiz", 2, may_edit)]
    file = await ivan.get(f"{url}/file")
    assert "attachment" in file.headers["content-disposition"]
    again = await ivan.post(f"{API}/quizzes?slide=visual", json=file.json())
    assert again.json()["quiz"] == (await ivan.get(url)).json()["quiz"]
    assert problem(await ivan.put(url, json=quiz())) == (428, "revision-required")
    assert (await ivan.put(url, json=quiz(), headers={"if-match": '"r1"'})).headers["etag"] == '"r2"'
    assert problem(await ivan.delete(url, headers={"if-match": '"r1"'})) == (412, "stale-revision")
    assert (await ivan.delete(url, headers={"if-match": '"r2"'})).status_code == 204
    assert problem(await ivan.get(url)) == (404, "unknown-quiz")


async def test_practice_shows_the_key_after_each_answer_and_the_first_answer_counts_qz17_qz21(at: At) -> None:
    vera = await at.clinic.signed_in("vera")
    url = await at.made(quiz(choice(), point()))
    attempt, body = await begun(vera, url)
    assert [question["slide"] for question in body["questions"]] == ["visual", "visual"]
    assert body["results"] == {}
    answered = (await vera.put(f"{attempt}/answers/c", json=chosen("a"))).json()
    assert answered["results"] == {"c": {"share": 0, "key": ["b"], "feedback": f"{PLANTED} feedback", "comment": ""}}
    assert (await vera.put(f"{attempt}/answers/c", json=chosen("a"))).is_success
    assert problem(await vera.put(f"{attempt}/answers/c", json=chosen("b"))) == (409, "answer-given")
    near = {"answer": {"kind": "point", "l0_x": 12340, "l0_y": 23450}}
    assert (await vera.put(f"{attempt}/answers/p", json=near)).json()["results"]["p"]["share"] == 1
    ended = (await vera.post(f"{attempt}/end")).json()
    assert (ended["over"], ended["points"], ended["of_points"]) == (True, 3, 4)


async def test_an_exam_shows_no_key_before_the_last_attempt_is_over_in_any_answer_qz20_qz21(at: At) -> None:
    """Every answer that the person can get is searched for what only the author knows."""
    vera = await at.clinic.signed_in("vera")
    order = {**choice("o", text="Sort"), "kind": "order", "key": ["b", "c", "a"]}
    region = {**point("r"), "kind": "region", "key": {"outline": [[0, 0], [77777.5, 0], [0, 9]], "overlap": 0.5}}
    text = {**number("t"), "kind": "text", "key": f"{PLANTED} model"}
    del text["unit"]
    url = await at.made(quiz(choice(), point(), number(), order, region, text, mode="exam", attempts=2))
    secrets = (PLANTED, "12345.5", "23456.5", "98765.25", "77777.5")
    seen: list[httpx.Response] = []
    last: dict[str, Any] = {}
    for _ in range(2):
        attempt, _ = await begun(vera, url)
        seen += [await vera.get(attempt), await vera.put(f"{attempt}/answers/c", json=chosen("b"))]
        seen += [await vera.get(path) for path in (url, f"{url}/file", f"{API}/quizzes", f"{API}/slides/visual")]
        seen += [await vera.get(f"{API}/slides?search={PLANTED}"), await vera.get(f"{API}/tours")]
        seen += [await vera.get(f"{url}/results"), await vera.get(f"{url}/results/file")]
        archive = zipfile.ZipFile(io.BytesIO((await vera.get(f"{API}/me/export")).content))
        texts = [answer.text for answer in seen] + [archive.read(name).decode() for name in archive.namelist()]
        assert [secret for secret in secrets for text in texts if secret in text] == []
        last = (await vera.post(f"{attempt}/end")).json()
        if last["number"] == 1:
            assert (last["results"], last["points"]) == ({}, 1)
            seen.append(await vera.get(attempt))
    assert last["results"]["c"]["key"] == ["b"]
    assert last["results"]["p"] == {"share": None, "key": point()["key"], "feedback": "", "comment": ""}
    assert problem(await vera.post(f"{url}/attempts")) == (409, "no-attempts-left")


async def test_an_answer_is_replaced_until_the_end_and_the_same_again_changes_nothing_qz17_qz18_qz19(at: At) -> None:
    vera = await at.clinic.signed_in("vera")
    attempt, _ = await begun(vera, await at.made(quiz(choice(), number(), mode="exam", attempts=1)))
    for ids in ("a", "a", "b"):
        assert (await vera.put(f"{attempt}/answers/c", json=chosen(ids))).is_success
    for _ in range(2):
        assert (await vera.post(f"{attempt}/end")).json()["points"] == 1
    assert problem(await vera.put(f"{attempt}/answers/c", json=chosen("a"))) == (409, "attempt-over")
    repeated = await vera.put(f"{attempt}/answers/c", json=chosen("b"))  # its answer was lost on the way
    assert repeated.json()["points"] == 1
    assert problem(await vera.put(f"{attempt}/answers/nothing", json=chosen("a"))) == (404, "unknown-question")


async def test_the_clock_of_the_service_ends_an_attempt_qz16(at: At) -> None:
    vera = await at.clinic.signed_in("vera")
    attempt, body = await begun(vera, await at.made(quiz(choice(), mode="exam", attempts=1, seconds=60)))
    assert (body["now"], body["ends"]) == ("1970-01-12T13:46:40Z", "1970-01-12T13:47:40Z")
    at.now += 59.9
    assert (await vera.put(f"{attempt}/answers/c", json=chosen("b"))).is_success
    at.now += 0.1
    assert problem(await vera.put(f"{attempt}/answers/c", json=chosen("a"))) == (409, "attempt-over")
    body = (await vera.get(attempt)).json()
    assert (body["over"], body["points"]) == (True, 1)


async def test_a_running_attempt_is_resumed_on_any_machine_in_the_same_order_qz15(at: At) -> None:
    questions = [choice(f"q{number}") for number in range(12)]
    url = await at.made(quiz(*questions, shuffled=True))
    first, body = await begun(await at.clinic.signed_in("vera"), url)
    await (await at.clinic.signed_in("vera")).put(f"{first}/answers/q3", json=chosen("a"))
    again, resumed = await begun(await at.clinic.signed_in("vera"), url)
    assert (again, list(resumed["answers"])) == (first, ["q3"])
    assert resumed["questions"] == body["questions"]
    orders = [[one["id"] for one in body["questions"]]]
    for name in ("anna", "ivan"):
        orders.append([one["id"] for one in (await begun(await at.clinic.signed_in(name), url))[1]["questions"]])
    assert len({tuple(order) for order in orders}) > 1


async def test_saving_an_answer_writes_in_three_statements_and_resuming_writes_nothing_qz27(at: At) -> None:
    """The statements while others who write wait."""
    vera = await at.clinic.signed_in("vera")
    url = await at.made(quiz(*(choice(f"q{n}") for n in range(30)), mode="exam"))
    attempt, _ = await begun(vera, url)
    written: list[str] = []

    @event.listens_for(at.clinic.service.catalog.engine, "before_cursor_execute")
    def note(connection: Connection, _cursor: Any, statement: str, *_rest: Any) -> None:
        if connection.get_execution_options().get("writing") and ("answers" in statement or "attempts" in statement):
            written.append(statement.split()[0])

    for given, statements in (("a", "SELECT SELECT INSERT"), ("b", "SELECT SELECT UPDATE"), ("b", "SELECT SELECT")):
        answer = await vera.put(f"{attempt}/answers/q7", json=chosen(given))
        assert answer.json()["answers"]["q7"] == chosen(given)["answer"]
        assert written == statements.split()
        written.clear()
    assert (await begun(vera, url))[0] == attempt
    assert written == []


async def test_an_attempt_belongs_to_one_person_and_is_exported_with_the_account_qz8_qz15(at: At) -> None:
    vera, anna, olga = [await at.clinic.signed_in(name) for name in ("vera", "anna", "olga")]
    url = await at.made(quiz(choice()))
    attempt, _ = await begun(vera, url)
    await vera.put(f"{attempt}/answers/c", json=chosen("a"))
    assert problem(await anna.get(attempt)) == (404, "unknown-attempt")
    assert problem(await olga.post(f"{url}/attempts")) == (404, "unknown-quiz")
    for client, attempts in ((vera, 1), (anna, 0)):
        archive = zipfile.ZipFile(io.BytesIO((await client.get(f"{API}/me/export")).content))
        assert len(json.loads(archive.read("attempts.json"))) == attempts


async def test_a_quiz_goes_with_its_purged_slide_and_stays_when_its_case_is_deleted_qz8(at: At) -> None:
    ivan = await at.clinic.signed_in("ivan")
    of_slide = await at.made(quiz(choice()))
    attempt, _ = await begun(ivan, of_slide)
    case = (await ivan.post(f"{API}/cases", json={"title": "c", "slides": ["visual"]})).json()["id"]
    of_case = (await ivan.post(f"{API}/quizzes?case={case}", json=quiz())).json()["id"]
    await ivan.delete(f"{API}/cases/{case}")
    adam = await at.clinic.signed_in("adam")
    assert (await adam.get(f"{API}/quizzes/{of_case}")).json()["case_id"] is None
    await ivan.delete(f"{API}/slides/visual")
    await ivan.delete(f"{API}/trash/visual")
    assert problem(await adam.get(of_slide)) == (404, "unknown-quiz")
    assert problem(await ivan.get(attempt)) == (404, "unknown-attempt")


async def test_a_point_inside_the_area_of_the_key_is_right_and_the_key_comes_as_it_is_qz11(at: At) -> None:
    vera = await at.clinic.signed_in("vera")
    key = {"outline": [[0, 0], [10, 0], [0, 10]]}
    for x, share in ((2, 1), (9, 0)):
        attempt, _ = await begun(vera, await at.made(quiz(point(key=key))))
        body = (await vera.put(f"{attempt}/answers/p", json={"answer": {"kind": "point", "l0_x": x, "l0_y": 2}})).json()
        assert (body["results"]["p"]["share"], body["results"]["p"]["key"]) == (share, key)


async def test_a_quiz_is_seen_by_those_who_see_all_its_slides_qz4(at: At) -> None:
    at.clinic.own("planes", "ivan")
    vera, ivan = await at.clinic.signed_in("vera"), await at.clinic.signed_in("ivan")
    url = await at.made(quiz(choice(slide="planes")))
    assert problem(await vera.post(f"{url}/attempts")) == (404, "unknown-quiz")
    assert (await vera.get(f"{API}/quizzes?slide=visual")).json()["quizzes"] == []
    assert problem(await vera.get(f"{url}/summary")) == (404, "unknown-quiz")
    seen = await at.made(quiz(choice()))
    summary = (await vera.get(f"{seen}/summary")).json()
    assert summary in (await vera.get(f"{API}/quizzes?slide=visual")).json()["quizzes"]
    assert "key" not in json.dumps(summary)
    assert (await ivan.post(f"{url}/attempts")).is_success
    assert problem(await ivan.post(f"{API}/quizzes?slide=visual", json=quiz(choice(slide="none")))) == (
        404, "unknown-slide",
    )  # fmt: skip


async def test_the_authors_alone_see_results_per_person_and_question_qz22_qz23(at: At) -> None:
    """Names, answers and keys are planted; every other role is refused before any of them."""
    names = ("ivan", "vera", "anna", "olga")
    ivan, vera, anna, olga = [await at.clinic.signed_in(name) for name in names]
    url = await at.made(quiz(choice(), point(), mode="exam", attempts=1))
    for client, option, x in ((vera, "b", 12345), (anna, "a", 11.25)):
        attempt, _ = await begun(client, url)
        await client.put(f"{attempt}/answers/c", json=chosen(option))
        spot = {"answer": {"kind": "point", "l0_x": x, "l0_y": 23456}}
        await client.put(f"{attempt}/answers/p", json=spot)
        await client.post(f"{attempt}/end")
    running, _ = await begun(ivan, url)
    await ivan.put(f"{running}/answers/c", json=chosen("a"))
    results = (await ivan.get(f"{url}/results")).json()
    assert (results["finished"], results["of_points"]) == (2, 4)
    rows = [(one["name"], one["over"], one["points"], one["shares"]) for one in results["attempts"]]
    assert rows == [
        ("Anna", True, 0, {"c": 0, "p": 0}),
        ("Ivan", False, 0, {"c": 0, "p": None}),
        ("Vera", True, 4, {"c": 1, "p": 1}),
    ]
    assert results["attempts"][0]["answers"]["p"]["l0_x"] == 11.25
    items = [(one["answered"], one["difficulty"], one["discrimination"]) for one in results["questions"]]
    assert items == [(2, 0.5, pytest.approx(1)), (2, 0.5, pytest.approx(1))]
    for path in (f"{url}/results", f"{url}/results/file"):
        for client in (vera, anna, olga, at.clinic.client()):
            refused = await client.get(path)
            assert refused.status_code in (401, 403, 404)
            assert [one for one in ("Anna", "Vera", "11.25", PLANTED) if one in refused.text] == []


async def test_results_are_exported_as_csv_that_runs_no_formula_qz24(at: At) -> None:
    ivan, vera, adam = [await at.clinic.signed_in(name) for name in ("ivan", "vera", "adam")]
    await adam.patch(f"{API}/users/{at.clinic.ids['vera']}", json={"title": "=HYPERLINK(1)"})
    url = await at.made(quiz(choice(text="+1"), number(points=2)))
    attempt, _ = await begun(vera, url)
    await vera.put(f"{attempt}/answers/c", json=chosen("b"))
    await vera.post(f"{attempt}/end")
    file = await ivan.get(f"{url}/results/file")
    assert file.headers["content-disposition"].endswith('-results.csv"')
    assert file.content.decode().lstrip("\ufeff").splitlines() == [
        "name,attempt,begun,finished,points,'+1,How many?",
        "'=HYPERLINK(1),1,1970-01-12T13:46:40+00:00,yes,1,1,",
        "difficulty,,,,,1,0",
        "discrimination,,,,,,",
    ]


async def test_a_text_waits_for_the_mark_of_an_author_qz25(at: At) -> None:
    names = ("ivan", "vera", "anna", "olga")
    ivan, vera, anna, olga = [await at.clinic.signed_in(name) for name in names]
    text = {"id": "t", "kind": "text", "text": "Describe it", "view": VIEW, "points": 4, "key": f"{PLANTED} model"}
    url = await at.made(quiz(text, choice(), mode="exam", attempts=1))
    attempt, body = await begun(vera, url)
    await vera.put(f"{attempt}/answers/t", json={"answer": {"kind": "text", "text": "A gland"}})
    await vera.put(f"{attempt}/answers/c", json=chosen("b"))
    mark = f"{url}/attempts/{body['id']}/marks/t"
    assert problem(await ivan.put(mark, json={"points": 3})) == (422, "invalid-parameter")  # not over
    ended = (await vera.post(f"{attempt}/end")).json()
    assert (ended["points"], ended["waiting"], ended["results"]["t"]["share"]) == (None, 1, None)
    results = (await ivan.get(f"{url}/results")).json()
    assert (results["finished"], results["attempts"][0]["waiting"]) == (0, 1)
    for client, status in ((vera, 403), (anna, 403), (olga, 404)):
        assert (await client.put(mark, json={"points": 4})).status_code == status
    assert problem(await ivan.put(mark, json={"points": 5})) == (422, "invalid-parameter")
    assert problem(await ivan.put(mark[:-1] + "c", json={"points": 1})) == (404, "unknown-question")
    for points in (1, 3):
        assert (await ivan.put(mark, json={"points": points, "comment": "No grade"})).status_code == 204
    seen = (await vera.get(attempt)).json()
    assert (seen["points"], seen["waiting"]) == (4, 0)
    assert seen["results"]["t"] == {"share": 0.75, "key": f"{PLANTED} model", "feedback": "", "comment": "No grade"}
    results = (await ivan.get(f"{url}/results")).json()
    assert (results["finished"], results["attempts"][0]["shares"]["t"]) == (1, 0.75)
    assert results["attempts"][0]["comments"] == {"t": "No grade"}


async def test_the_export_of_an_account_has_marks_and_comments_once_they_are_shown_qz8_qz21_qz25(at: At) -> None:
    """The comment may tell the model answer: it is hidden before the last attempt is over, as the key is."""
    ivan, vera, anna = [await at.clinic.signed_in(name) for name in ("ivan", "vera", "anna")]
    text = {"id": "t", "kind": "text", "text": "Describe it", "view": VIEW, "points": 4, "key": "A model"}
    url = await at.made(quiz(text, choice(), mode="exam", attempts=2))
    seen: list[list[dict[str, Any]]] = []
    for _ in range(2):
        attempt, body = await begun(vera, url)
        await vera.put(f"{attempt}/answers/t", json={"answer": {"kind": "text", "text": "A gland"}})
        await vera.post(f"{attempt}/end")
        mark = {"points": 3, "comment": PLANTED}
        assert (await ivan.put(f"{url}/attempts/{body['id']}/marks/t", json=mark)).status_code == 204
        seen.append([one["marks"] for one in await exported_attempts(vera)])
    shown = {"t": {"points": 3, "comment": PLANTED}}
    assert seen == [[{}], [{}, shown]]
    assert await exported_attempts(anna) == []


async def exported_attempts(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    archive = zipfile.ZipFile(io.BytesIO((await client.get(f"{API}/me/export")).content))
    found: list[dict[str, Any]] = json.loads(archive.read("attempts.json"))
    return found


async def test_the_published_schema_is_that_of_the_service_and_accepts_its_files_qz1(at: At) -> None:
    assert SCHEMA.read_text() == schema()
    ivan = await at.clinic.signed_in("ivan")
    url = await at.made(quiz(choice(), point(), number()))
    validator = Draft202012Validator(json.loads(SCHEMA.read_text()))
    validator.validate((await ivan.get(f"{url}/file")).json())
    for name in ("another version (QZ1)", "an unknown member (QZ1)", "too little time (QZ2)", "no radius (QZ11)"):
        assert not validator.is_valid(REFUSED[name]), name


REFUSED: dict[str, dict[str, Any]] = {
    "another version (QZ1)": quiz(version=2),
    "an unknown member (QZ1)": quiz(colour="red"),
    "no title (QZ2)": quiz(title=" "),
    "too little time (QZ2)": quiz(seconds=1),
    "two questions of one id (QZ3)": quiz(choice(), choice()),
    "too many questions (QZ3)": quiz(*(choice(f"q{number}") for number in range(201))),
    "a huge view (QZ3)": quiz(choice(view={"x": "y" * 9000})),
    "a key that is no option (QZ10)": quiz(choice(key=["d"])),
    "two keys of a single choice (QZ10)": quiz(choice(key=["a", "b"])),
    "an area and a radius (QZ11)": quiz(point(key={"outline": [[0, 0], [1, 1], [0, 1]], "l0_radius": 1})),
    "an area of two corners (QZ11)": quiz(point(key={"outline": [[0, 0], [1, 1]]})),
    "no radius (QZ11)": quiz(point(key={"l0_x": 1, "l0_y": 1, "l0_radius": 0})),
    "a region of two corners (QZ12)": quiz(point(kind="region", key={"outline": [[0, 0], [1, 1]]})),
    "a negative tolerance (QZ13)": quiz(number(key={"value": 1, "tolerance": -1})),
    "an order that lacks an option (QZ14)": quiz(choice(kind="order", key=["a", "b"])),
}


@pytest.mark.parametrize("document", REFUSED.values(), ids=REFUSED.keys())
async def test_a_quiz_is_refused_for(at: At, document: dict[str, Any]) -> None:
    ivan = await at.clinic.signed_in("ivan")
    answer = await ivan.post(f"{API}/quizzes?slide=visual", json=document)
    assert problem(answer) == (422, "invalid-parameter")

"""Who of a course has not begun a quiz: names and roles of the platform (lti.md)."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from api.accounts import API
from api.test_quizzes import choice
from lti.conftest import Course, problem
from lti.platform import CLAIM, ROLE
from lti.test_scores import public_quiz, tool_of
from wavescope.catalog.access.accounts import Accounts
from wavescope.service.lti import courses


def learner(subject: str, name: str | None, **others: Any) -> dict[str, Any]:
    return {"user_id": subject, "roles": [f"{ROLE}Learner"], **({} if name is None else {"name": name}), **others}


def join(course: Course) -> None:
    """Ivan, who writes the quizzes, belongs to the course."""
    accounts = Accounts(course.clinic.service.catalog)
    (group,) = [one for one in accounts.groups() if one.name == "Pathology"]
    accounts.change_group(group.id, None, [*group.members, course.clinic.ids["ivan"]])


async def opened(course: Course) -> str:
    """A quiz that the learner 77 has opened and begun; its id."""
    quiz_id = await public_quiz(course, choice())
    browser = course.browser()
    await course.launch(browser, f"/quizzes/{quiz_id}", **course.platform.listing())
    assert (await browser.post(f"{API}/quizzes/{quiz_id}/attempts")).is_success
    return quiz_id


async def read(course: Course, quiz_id: str, name: str = "ivan") -> httpx.Response:
    return await (await course.signed_in(name)).get(f"{API}/lti/courses/{quiz_id}")


async def test_an_author_of_the_course_reads_who_has_not_begun_page_after_page_lt30(course: Course) -> None:
    course.platform.members = [
        learner("77", "Lea L."), learner("1", "Zoe"), learner("2", "anton"), learner("3", None),
        learner("4", "Gone", status="Inactive"), {"user_id": "5", "name": "Tea", "roles": [f"{ROLE}Instructor"]},
    ]  # fmt: skip
    quiz_id = await opened(course)
    assert (await read(course, quiz_id)).json() == {"courses": []}, "the author does not belong to the course"
    assert course.platform.members_read == 0
    join(course)
    expected = {"title": "Pathology", "people": 4, "not_begun": 3, "names": ["anton", "Zoe"]}
    assert (await read(course, quiz_id)).json() == {"courses": [expected]}
    assert course.platform.members_read == 3
    assert problem(await read(course, quiz_id, "vera")) == "forbidden"


async def test_a_list_of_learners_is_in_memory_for_a_while_and_nowhere_else_lt31(course: Course) -> None:
    course.platform.members = [learner("1", "Zoe PLANTED")]
    quiz_id, tool = await opened(course), tool_of(course)
    join(course)
    for _ in range(2):
        assert (await read(course, quiz_id)).json()["courses"][0]["names"] == ["Zoe PLANTED"]
    assert course.platform.members_read == 1
    clock = tool.courses._clock
    tool.courses._clock = lambda: clock() + courses.CACHED_SECONDS + 1
    await read(course, quiz_id)
    assert course.platform.members_read == 2
    store = course.clinic.service.config.store
    assert not [path for path in store.rglob("*") if path.is_file() and b"Zoe PLANTED" in path.read_bytes()]


@pytest.mark.parametrize(
    ("fields", "limits"),
    [
        ({"status": 403}, {}),
        ({"members": "everybody"}, {}),
        ({"members": ["Zoe"]}, {}),
        ({"elsewhere": "https://evil.example"}, {}),
        ({}, {"MAX_PAGES": 2}),
        ({}, {"MAX_PAGE_BYTES": 100}),
    ],
)
async def test_a_platform_that_lists_nobody_or_without_end_is_named_and_asked_again_lt31(
    course: Course, monkeypatch: pytest.MonkeyPatch, fields: dict[str, Any], limits: dict[str, int]
) -> None:
    course.platform.members = [learner(str(number), f"Person {number}") for number in range(6)]
    quiz_id = await opened(course)
    join(course)
    for name, value in fields.items():
        monkeypatch.setattr(course.platform, name, value)
    for name, value in limits.items():
        monkeypatch.setattr(courses, name, value)
    unknown: dict[str, Any] = {"title": "Pathology", "people": None, "not_begun": 0, "names": []}
    assert (await read(course, quiz_id)).json() == {"courses": [unknown]}
    monkeypatch.undo()
    assert (await read(course, quiz_id)).json()["courses"][0]["people"] == 6


async def test_a_launch_that_offers_no_list_or_at_another_kind_of_address_has_none_lt30(course: Course) -> None:
    quiz_id = await public_quiz(course, choice())
    service = next(iter(course.platform.listing()))
    for claim in (
        None, "x", {"context_memberships_url": "ftp://x/members", "service_versions": ["2.0"]},
        {"context_memberships_url": f"{course.platform.url}/members", "service_versions": ["1.0"]},
    ):  # fmt: skip
        await course.launch(course.browser(), f"/quizzes/{quiz_id}", **{service: claim})
    join(course)
    assert (await read(course, quiz_id)).json() == {"courses": []}


async def test_a_course_has_the_title_that_the_platform_states_lt13(course: Course) -> None:
    accounts = Accounts(course.clinic.service.catalog)
    accounts.add_group("Taken")

    async def groups(course_id: str, title: str | None) -> list[str]:
        await course.launch(course.browser(), **{f"{CLAIM}context": {"id": course_id, "title": title}})
        return sorted(one.name for one in accounts.groups())

    assert (await groups("1", None))[0].startswith("Moodle course ")
    assert await groups("1", "Pathology") == ["Pathology", "Taken"], "a better name than the first one"
    assert await groups("1", "Histology") == ["Pathology", "Taken"], "a name stays"
    assert await groups("2", "Taken") == ["Pathology", "Taken", "Taken (Moodle)"], "no group of others is joined"
    assert (await groups("3", "Taken"))[0].startswith("Moodle course ")

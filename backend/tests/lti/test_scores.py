"""Deep links and scores that go back, and platforms (lti.md)."""

from __future__ import annotations

import html
import io
import json
import re
import time
import zipfile
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet
from sqlalchemy import event, update

from api.accounts import API
from api.asking import running_client
from api.test_quizzes import choice, chosen, number, quiz
from lti.conftest import HOST, Course, problem
from lti.platform import CLAIM, CLIENT, DEEP, DEPLOYMENT, ROLE
from service.world import World
from wavescope.catalog.lti.scores import Scores
from wavescope.catalog.lti.tables import ScoreRow
from wavescope.catalog.quizzes import Quizzes
from wavescope.lti.messages import GIVE_UP_SECONDS, LONGEST_WAIT, scores_address, wait_seconds
from wavescope.service.lti import choosing
from wavescope.service.lti.tool import LearningTool


def tool_of(course: Course) -> LearningTool:
    tool = course.clinic.service.lti
    assert tool is not None
    return tool


def counts(course: Course) -> dict[str, int]:
    return Scores(course.clinic.service.catalog).counts()


async def unsent(course: Course) -> tuple[int, int, str]:
    """What an administrator reads of the scores that the platform did not accept."""
    admin = await course.signed_in("adam")
    (found,) = (await admin.get(f"{API}/lti/platforms")).json()["platforms"]
    return found["scores_waiting"], found["scores_lost"], found["fault"]


async def public_quiz(course: Course, *questions: dict[str, Any], **fields: Any) -> str:
    """A quiz on a slide that everyone may see; its id."""
    ivan = await course.signed_in("ivan")
    await ivan.put(f"{API}/slides/visual/sharing", json={"public": True, "shares": []})
    made = await ivan.post(f"{API}/quizzes?slide=visual", json=quiz(*questions, **fields))
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def taken(course: Course, quiz_id: str, *, end: bool = True, graded: bool = True) -> httpx.AsyncClient:
    """A learner who has been launched to the quiz, has answered one question rightly, and has ended."""
    browser = course.browser()
    await course.launch(browser, f"/quizzes/{quiz_id}", **(course.platform.grading() if graded else {}))
    attempt = (await browser.post(f"{API}/quizzes/{quiz_id}/attempts")).json()["id"]
    await browser.put(f"{API}/attempts/{attempt}/answers/c", json=chosen("b"))
    if end:
        assert (await browser.post(f"{API}/attempts/{attempt}/end")).is_success
    return browser


async def test_the_score_of_an_attempt_goes_to_the_line_item_of_its_launch_once_lt24_lt25(course: Course) -> None:
    quiz_id = await public_quiz(course, choice(points=2), number(points=3))
    await taken(course, quiz_id)
    await tool_of(course).scores.send_due()
    await tool_of(course).scores.send_due()
    ((path, score),) = course.platform.scores
    assert path == "/items/3/lineitem/scores"
    assert {name: score[name] for name in ("userId", "scoreGiven", "scoreMaximum", "gradingProgress")} == {
        "userId": "77", "scoreGiven": 2, "scoreMaximum": 5, "gradingProgress": "FullyGraded",
    }  # fmt: skip
    assert score["timestamp"].endswith("Z")
    assert counts(course) == {"sent": 1}


async def test_an_attempt_that_runs_has_no_score_and_the_clock_ends_it_lt24(course: Course) -> None:
    quiz_id = await public_quiz(course, choice(), seconds=60)
    await taken(course, quiz_id, end=False)
    await tool_of(course).scores.send_due()
    assert course.platform.scores == []
    tool_of(course).scores._clock = lambda: time.time() + 61
    await tool_of(course).scores.send_due()
    assert [score["scoreGiven"] for _, score in course.platform.scores] == [1]


async def test_a_score_is_sent_again_until_the_platform_accepts_it_lt26(course: Course) -> None:
    await taken(course, await public_quiz(course, choice()))
    scores, later = tool_of(course).scores, 0.0
    scores._clock = lambda: time.time() + later
    course.platform.status = 500
    await scores.send_due()
    assert counts(course) == {"waiting": 1}
    assert await unsent(course) == (1, 0, "the platform answered 500")
    course.platform.status = 200
    await scores.send_due()
    assert counts(course) == {"waiting": 1}, "not before its time"
    later = wait_seconds(1) + 1
    await scores.send_due()
    assert (counts(course), len(course.platform.scores)) == ({"sent": 1}, 1)
    assert await unsent(course) == (0, 0, "")


async def test_a_score_that_is_never_accepted_is_given_up_after_a_week_lt26(course: Course) -> None:
    await taken(course, await public_quiz(course, choice()))
    scores, later = tool_of(course).scores, 0.0
    scores._clock = lambda: time.time() + later
    course.platform.status = 403
    await scores.send_due()
    later = GIVE_UP_SECONDS + 60
    await scores.send_due()
    assert counts(course) == {"lost": 1}
    assert await unsent(course) == (0, 1, "the platform answered 403")


async def test_a_score_that_the_platform_has_already_is_not_sent_again_lt26(course: Course) -> None:
    await taken(course, await public_quiz(course, choice()))
    scores, later = tool_of(course).scores, 0.0
    scores._clock = lambda: time.time() + later
    outbox = Scores(course.clinic.service.catalog)
    await scores.send_due()
    assert len(course.platform.scores) == 1
    outbox.note_ended(time.time())
    with course.clinic.service.catalog.writing(rights=False) as session:  # as if the service had stopped before it knew
        session.execute(update(ScoreRow).values(state="waiting", next=0.0))
    await scores.send_due()
    assert (len(course.platform.scores), counts(course)) == (1, {"sent": 1})
    assert await unsent(course) == (0, 0, "")


async def test_the_points_of_a_teacher_who_tries_a_quiz_are_not_sent_lt27(course: Course) -> None:
    course.platform.teachers.add("77")
    for roles, sent in ((["Instructor"], {}), (["Instructor", "Learner"], {"waiting": 1})):
        quiz_id, browser = await public_quiz(course, choice()), course.browser()
        stated = {f"{CLAIM}roles": [f"{ROLE}{one}" for one in roles]}
        await course.launch(browser, f"/quizzes/{quiz_id}", **course.platform.grading(), **stated)
        attempt = (await browser.post(f"{API}/quizzes/{quiz_id}/attempts")).json()["id"]
        assert (await browser.post(f"{API}/attempts/{attempt}/end")).is_success
        await tool_of(course).scores.send_due()
        assert counts(course) == sent
    assert await unsent(course) == (1, 0, "the platform answered 400")


async def test_a_score_waits_for_the_marks_of_a_person_and_is_sent_again_when_they_change_lt28(course: Course) -> None:
    text = {**number("t", points=4), "kind": "text", "key": "Model"}
    del text["unit"]
    quiz_id = await public_quiz(course, choice(points=2), text)
    browser = await taken(course, quiz_id, end=False)
    attempt = (await browser.post(f"{API}/quizzes/{quiz_id}/attempts")).json()["id"]
    answer = {"answer": {"kind": "text", "text": "Mine"}}
    assert (await browser.put(f"{API}/attempts/{attempt}/answers/t", json=answer)).is_success
    assert (await browser.post(f"{API}/attempts/{attempt}/end")).is_success
    scores, later = tool_of(course).scores, 0.0
    scores._clock = lambda: time.time() + later
    for wait in (0, GIVE_UP_SECONDS + 60):
        later = wait
        await scores.send_due()
        assert (counts(course), course.platform.scores) == ({"waiting": 1}, [])
    ivan = await course.signed_in("ivan")
    mark = f"{API}/quizzes/{quiz_id}/attempts/{attempt}/marks/t"
    later = 0.0
    for points in (3, 3, 1):
        assert (await ivan.put(mark, json={"points": points, "comment": ""})).status_code == 204
        await scores.send_due()
        await scores.send_due()
    sent = [score for _, score in course.platform.scores]
    assert [score["scoreGiven"] for score in sent] == [5, 5, 3]
    assert [score["timestamp"] for score in sent] == sorted({score["timestamp"] for score in sent})
    assert counts(course) == {"sent": 1}


async def test_a_mark_that_comes_while_a_score_is_sent_sends_it_again_lt28(course: Course) -> None:
    await taken(course, await public_quiz(course, choice()))
    outbox, now = Scores(course.clinic.service.catalog), time.time()
    outbox.note_ended(now)
    (due,) = outbox.due(now, 120)
    outbox.put_off(due.attempt.id, now + 1)
    outbox.settle(due, "sent", "", now)
    assert outbox.counts() == {"waiting": 1}


def test_the_waits_grow_and_have_a_limit_lt26() -> None:
    waits = [wait_seconds(tries) for tries in range(1, 40)]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (30, LONGEST_WAIT)


def test_scores_of_a_line_item_with_a_query_go_before_it_lt25() -> None:
    assert scores_address("https://lms.example/mod/3/lineitem?type_id=4") == (
        "https://lms.example/mod/3/lineitem/scores?type_id=4"
    )


async def test_no_request_can_send_a_score_that_the_service_did_not_compute_lt27(course: Course) -> None:
    """Forged grades: other attempts, other people, launches without a line item, line items of a request."""
    quiz_id = await public_quiz(course, choice(points=2))
    await taken(course, quiz_id, graded=False)
    forger = await course.signed_in("vera")
    attempt = (await forger.post(f"{API}/quizzes/{quiz_id}/attempts")).json()["id"]
    body = {"score": 2, "scoreGiven": 2, "line_item": f"{course.platform.url}/items/3/lineitem", "userId": "77"}
    for method, path in (
        ("POST", f"/attempts/{attempt}/end"),
        ("POST", f"/quizzes/{quiz_id}/attempts"),
        ("POST", "/lti/scores"),
        ("PUT", f"/attempts/{attempt}/answers/c"),
    ):
        await forger.request(method, API + path, json=body)
    await forger.post(f"{API}/attempts/{attempt}/end")
    await tool_of(course).scores.send_due()
    assert course.platform.scores == []
    assert counts(course) == {}


async def test_a_line_item_without_the_scope_or_at_another_kind_of_address_is_none_lt27(course: Course) -> None:
    quiz_id = await public_quiz(course, choice())
    ((name, endpoint),) = course.platform.grading().items()
    for subject, claim in (
        ("1", {**endpoint, "scope": []}),
        ("2", {**endpoint, "lineitem": "file:///etc/passwd"}),
        ("3", {**endpoint, "lineitem": "http://10.0.0.1/lineitem"}),
        ("4", {**endpoint, "lineitem": None}),
        ("5", "text"),
    ):
        browser = course.browser()
        await course.launch(browser, f"/quizzes/{quiz_id}", sub=subject, **{name: claim})
        attempt = (await browser.post(f"{API}/quizzes/{quiz_id}/attempts")).json()["id"]
        await browser.post(f"{API}/attempts/{attempt}/end")
    await tool_of(course).scores.send_due()
    assert counts(course) == {}


async def test_the_export_of_an_account_has_its_own_launches_and_what_came_of_the_scores_lt29(course: Course) -> None:
    quiz_id = await public_quiz(course, choice())
    learner = await taken(course, quiz_id)
    await tool_of(course).scores.send_due()

    async def exported(client: httpx.AsyncClient) -> Any:
        archive = zipfile.ZipFile(io.BytesIO((await client.get(f"{API}/me/export")).content))
        return json.loads(archive.read("launches.json"))

    (launch,) = await exported(learner)
    assert abs(launch.pop("launched") - time.time()) < 60
    assert launch == {
        "platform": "Moodle", "issuer": course.platform.url, "subject": "77", "course": "course-9", "quiz": quiz_id,
        "scores": ["sent"],
    }  # fmt: skip
    assert await exported(await course.signed_in("vera")) == []


async def test_a_score_waits_for_a_removed_platform_no_longer_lt3(course: Course) -> None:
    await taken(course, await public_quiz(course, choice()))
    course.platform.status = 500
    await tool_of(course).scores.send_due()
    admin = await course.signed_in("adam")
    (platform,) = (await admin.get(f"{API}/lti/platforms")).json()["platforms"]
    assert (await admin.delete(f"{API}/lti/platforms/{platform['id']}")).status_code == 204
    assert counts(course) == {}
    assert problem(await course.browser().get(f"{API}/lti/login", params={"iss": "x", "login_hint": "1"})) == (
        "unknown-platform"
    )


async def picked(course: Course, browser: httpx.AsyncClient, **claims: Any) -> str:
    """A teacher who is asked to choose; the launch's id."""
    answer = await course.launch(browser, "/", **course.platform.choosing(), **claims)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].split("/")[-2]


def sent(page: str, course: Course) -> dict[str, Any]:
    """The claims that the page sends to the platform."""
    assert f'action="{course.platform.url}/return"' in page
    token = html.unescape(re.findall(r'name="JWT" value="([^"]*)"', page)[0])
    keys = KeySet.import_key_set(course.platform.tool_keys())  # type: ignore[arg-type]
    return dict(jwt.decode(token, keys, algorithms=["RS256"]).claims)


async def test_a_teacher_chooses_and_the_signed_answer_goes_back_lt20_lt21_lt22(course: Course) -> None:
    quiz_id = await public_quiz(course, choice(points=2), number(points=3))
    browser = course.browser(**{"sec-fetch-dest": "iframe"})
    launch = await picked(course, browser)
    assert (await browser.get(f"{API}/lti/launches/{launch}")).json() == {"platform": "Moodle"}
    page = await browser.get(f"{API}/lti/launches/{launch}/choices?kind=slides")
    assert '<button name="target" value="/slides/visual">' in page.text
    assert "form-action 'self';" in page.headers["content-security-policy"]
    nonces = set[str]()
    for target, title in (("/slides/visual", None), (f"/quizzes/{quiz_id}", "A quiz")):
        url = f"{API}/lti/launches/{launch}/choice"
        answer = await browser.post(url, data={"target": target})
        if title is not None:
            assert problem(answer) in ("forbidden", "unknown-launch"), "an author's quiz, and a launch counts once"
            continue
        assert answer.status_code == 200, answer.text
        policy = answer.headers["content-security-policy"]
        assert f"form-action {course.platform.url};" in policy
        assert f"frame-ancestors {course.platform.url}" in policy
        claims = sent(answer.text, course)
        assert (claims["iss"], claims["aud"]) == (CLIENT, course.platform.url)
        assert claims[f"{CLAIM}message_type"] == "LtiDeepLinkingResponse"
        assert claims[f"{CLAIM}deployment_id"] == DEPLOYMENT
        assert claims[f"{DEEP}data"] == "opaque"
        nonces.add(claims["nonce"])
        (item,) = claims[f"{DEEP}content_items"]
        assert (item["type"], item["url"]) == ("ltiResourceLink", f"{HOST}/slides/visual")
        launch = launch if title else await picked(course, browser)
    assert all(len(nonce) >= 32 for nonce in nonces)


async def test_a_chosen_quiz_has_a_line_item_and_is_shared_with_the_course_lt22(course: Course) -> None:
    teacher = course.browser()
    launch = await picked(course, teacher)
    user = (await teacher.get(f"{API}/account")).json()["user"]["id"]
    course.clinic.ids["teacher"] = user
    course.clinic.own("visual", "teacher")
    made = (await teacher.post(f"{API}/quizzes?slide=visual", json=quiz(choice(points=2), number(points=3)))).json()
    learner = course.browser()
    await course.launch(learner, "/slides/visual", sub="9")
    assert (await learner.get(f"{API}/slides/visual")).status_code == 404
    answer = await teacher.post(f"{API}/lti/launches/{launch}/choice", data={"target": f"/quizzes/{made['id']}"})
    (item,) = sent(answer.text, course)[f"{DEEP}content_items"]
    assert item["lineItem"] == {"scoreMaximum": 5, "label": "A quiz"}
    assert (await learner.get(f"{API}/slides/visual")).status_code == 200
    stranger = course.browser()
    await course.launch(stranger, "/slides/visual", sub="8", **{f"{CLAIM}context": {"id": "another"}})
    assert (await stranger.get(f"{API}/slides/visual")).status_code == 404


async def test_only_the_teacher_of_a_launch_answers_it_with_what_it_sees_lt20(course: Course) -> None:
    browser = course.browser()
    launch = await picked(course, browser)
    url = f"{API}/lti/launches/{launch}/choice"
    for other in (course.browser(), await course.signed_in("olga")):
        assert problem(await other.post(url, data={"target": "/slides/visual"})) == "unknown-launch"
        assert problem(await other.get(f"{API}/lti/launches/{launch}")) == "unknown-launch"
    assert problem(await browser.post(url, data={"target": "/slides/visual"})) == "unknown-slide"
    assert problem(await browser.post(url, data={"target": "https://evil.example/"})) == "invalid-parameter"
    headers = {"origin": course.platform.url}
    assert (await browser.post(url, data={"target": "/slides/visual"}, headers=headers)).status_code == 403


async def test_what_may_be_chosen_is_searched_and_comes_in_pages_lt20(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "OFFERED", 2)
    teacher = course.browser()
    url = f"{API}/lti/launches/{await picked(course, teacher)}/choices"
    course.clinic.ids["teacher"] = (await teacher.get(f"{API}/account")).json()["user"]["id"]
    course.clinic.own("visual", "teacher")
    for title in ("Liver & <kidney>", "Liver two", "Liver three", "Lung"):
        made = await teacher.post(f"{API}/quizzes?slide=visual", json=quiz(choice(), title=title))
        assert made.status_code == 201, made.text

    async def shown(**query: Any) -> tuple[list[str], str]:
        page = await teacher.get(url, params=query)
        assert page.status_code == 200, page.text
        return re.findall(r'value="/quizzes/\w+">(.*?)</button>', page.text), page.text

    first, page = await shown(search="liv")
    assert len(first) == 2
    assert "search=liv&amp;page=2" in page
    second, page = await shown(search="liv", page=2)
    assert {*first, *second} == {"Liver &amp; &lt;kidney&gt;", "Liver two", "Liver three"}
    assert "page=3" not in page
    assert (await shown(search="kidney lIVER"))[0] == ["Liver &amp; &lt;kidney&gt;"]
    assert "No quiz of yours" in (await shown(search='"><script>'))[1]
    assert (await shown(page=9))[0] == []
    apart = {**choice(), "slide": "lossless"}  # of the administrators: the teacher does not see it
    quizzes = Quizzes(course.clinic.service.catalog)
    document = {**quizzes.list("visual")[-1].document, "title": "Lungs apart", "questions": [apart]}
    quizzes.create(document, "visual", None)
    assert (await shown(search="lungs"))[0] == []
    read: list[str] = []
    engine = course.clinic.service.catalog.engine

    @event.listens_for(engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        read.extend([statement] if "quizzes.document" in statement else [])

    assert len((await shown())[0]) == 2
    assert len(read) == 2, "the documents of one page alone"
    for kind in ("cases", "tours", "slides"):
        assert (await teacher.get(url, params={"kind": kind, "search": "liver"})).status_code == 200
    assert problem(await teacher.get(url, params={"kind": "users"})) == "invalid-parameter"


@pytest.mark.parametrize(
    "settings",
    [
        {"accept_types": ["link"]},
        {"deep_link_return_url": "javascript:alert(1)"},
        {"deep_link_return_url": 'https://a.example/"><script>'},
        {"deep_link_return_url": None},
    ],
)
async def test_a_request_to_choose_that_cannot_be_answered_is_refused_lt20(
    course: Course, settings: dict[str, Any]
) -> None:
    claims = course.platform.choosing()
    claims[f"{DEEP}deep_linking_settings"] |= settings
    assert problem(await course.launch(course.browser(), **claims)) == "launch-refused"


async def test_a_learner_is_not_asked_to_choose_lt20(course: Course) -> None:
    claims = course.platform.choosing() | {f"{CLAIM}roles": []}
    assert problem(await course.launch(course.browser(), **claims)) == "launch-refused"


async def test_platforms_are_registered_by_an_administrator_lt1_lt2(course: Course) -> None:
    admin, ivan = await course.signed_in("adam"), await course.signed_in("ivan")
    listed = (await admin.get(f"{API}/lti/platforms")).json()
    assert listed["launch_url"] == f"{HOST}{API}/lti/launch"
    assert [(one["issuer"], one["launched"]) for one in listed["platforms"]] == [(course.platform.url, None)]
    await course.launch(course.browser())
    (platform,) = (await admin.get(f"{API}/lti/platforms")).json()["platforms"]
    assert datetime.now(UTC) - datetime.fromisoformat(platform["launched"]) < timedelta(minutes=1)
    assert problem(await admin.post(f"{API}/lti/platforms", json=course.platform.facts())) == "platform-exists"
    other = course.platform.facts(client_id="other")
    for wrong in (
        {"token_url": "http://10.0.0.1/"}, {"issuer": "moodle"}, {"client_id": "a\nb"}, {"frames": ["x"]},
        {"keys_url": "https://user@evil.example/"}, {"issuer": "https://a.example/;script-src *"},
    ):  # fmt: skip
        assert problem(await admin.post(f"{API}/lti/platforms", json=other | wrong)) == "invalid-parameter"
    assert (await ivan.post(f"{API}/lti/platforms", json=other)).status_code == 403
    assert (await ivan.post(f"{API}/lti/invitations")).status_code == 403


async def test_the_key_set_has_no_private_part_lt4(course: Course) -> None:
    (key,) = (await course.browser().get(f"{API}/lti/keys")).json()["keys"]
    assert (key["kty"], key["alg"]) == ("RSA", "RS256")
    assert not {"d", "p", "q"} & set(key)
    file = course.clinic.service.config.store / "lti-keys.json"
    assert file.stat().st_mode & 0o077 == 0


async def test_a_platform_registers_itself_by_an_invitation_once_lt5(course: Course) -> None:
    admin = await course.signed_in("adam")
    url = (await admin.post(f"{API}/lti/invitations")).json()["url"].removeprefix(HOST)
    query = {"openid_configuration": f"{course.platform.url}/configuration", "registration_token": "r"}
    browser = course.browser()
    answer = await browser.get(url, params={**httpx.URL(url).params, **query})
    assert answer.status_code == 200, answer.text
    assert "org.imsglobal.lti.close" in answer.text
    (registered,) = course.platform.registered
    assert registered["bearer"] == "r"
    assert registered["initiate_login_uri"] == f"{HOST}{API}/lti/login"
    platforms = (await admin.get(f"{API}/lti/platforms")).json()["platforms"]
    assert {(one["client_id"], *one["deployments"]) for one in platforms} == {(CLIENT, DEPLOYMENT), ("given", "d9")}
    assert problem(await browser.get(url, params={**httpx.URL(url).params, **query})) == "launch-refused"
    again = await browser.get(f"{API}/lti/register", params={"invitation": "made up", **query})
    assert problem(again) == "launch-refused"


async def test_without_accounts_there_is_no_tool_lt1(world: World) -> None:
    async with running_client(world.store) as client:
        assert (await client.get(f"{API}/lti/keys")).status_code == 404

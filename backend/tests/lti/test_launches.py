"""Launches from a platform, and what is refused (lti.md)."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from api.accounts import API
from lti.conftest import HOST, Course, problem
from lti.platform import CLAIM, CLIENT, ROLE, new_key
from wavescope.catalog.access.accounts import Accounts


def refused(answer: httpx.Response) -> bool:
    return (answer.status_code, problem(answer)) == (401, "launch-refused") and "set-cookie" not in answer.headers


async def own(browser: httpx.AsyncClient) -> dict[str, Any]:
    account: dict[str, Any] = (await browser.get(f"{API}/account")).json()["user"]
    return account


async def test_a_launch_signs_a_person_in_at_the_page_of_the_link_lt6_lt12_lt14(course: Course) -> None:
    browser = course.browser()
    answer = await course.launch(browser, "/slides/visual")
    assert (answer.status_code, answer.headers["location"]) == (303, "/slides/visual")
    user = await own(browser)
    assert (user["title"], user["role"], user["password"]) == ("Lea L.", "viewer", False)
    again = course.browser()
    for page, shown in (
        ("/cases/c1", "/cases/c1"),
        ("/tours/t1", "/tours/t1"),
        ("/quizzes/q1", "/quizzes/q1"),
        ("/account", "/"),
        ("/slides/../api/v1/users", "/"),
    ):
        assert (await course.launch(again, page)).headers["location"] == shown
    assert (await own(again))["id"] == user["id"]
    foreign = {f"{CLAIM}target_link_uri": "https://evil.example/slides/visual"}
    assert (await course.launch(again, **foreign)).headers["location"] == "/"


async def test_the_login_is_begun_by_a_form_too_and_asks_for_a_signed_form_lt6(course: Course) -> None:
    browser = course.browser()
    form = {"iss": course.platform.url, "login_hint": "77", "lti_message_hint": "m"}
    answer = await browser.post(f"{API}/lti/login", data=form, headers={"origin": course.platform.url})
    assert answer.status_code == 303
    query = httpx.URL(answer.headers["location"]).params
    fixed = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none"}
    assert {name: query[name] for name in fixed} == fixed
    assert (query["redirect_uri"], query["lti_message_hint"]) == (f"{HOST}{API}/lti/launch", "m")


async def test_an_unknown_platform_begins_nothing_lt6(course: Course) -> None:
    query = {"iss": "https://evil.example", "login_hint": "1"}
    answer = await course.browser().get(f"{API}/lti/login", params=query)
    assert (answer.status_code, problem(answer)) == (404, "unknown-platform")
    answer = await course.browser().get(
        f"{API}/lti/login", params={"iss": course.platform.url, "client_id": "another", "login_hint": "1"}
    )
    assert problem(answer) == "unknown-platform"


async def test_a_launch_counts_once_lt7(course: Course) -> None:
    browser = course.browser()
    asked = await course.begin(browser)
    token = course.platform.sign(course.platform.claims(asked["nonce"], HOST))
    secret = browser.cookies["wavescope_launch"]
    assert (await course.send(browser, asked["state"], token)).status_code == 303
    browser.cookies.set("wavescope_launch", secret, domain="slides.example", path=f"{API}/lti")
    assert refused(await course.send(browser, asked["state"], token))
    fresh = await course.begin(browser)
    assert refused(await course.send(browser, fresh["state"], token)), "a token belongs to its nonce"


async def test_a_launch_that_was_refused_cannot_be_tried_again_lt7(course: Course) -> None:
    browser = course.browser()
    asked = await course.begin(browser)
    assert refused(await course.send(browser, asked["state"], "x"))
    token = course.platform.sign(course.platform.claims(asked["nonce"], HOST))
    assert refused(await course.send(browser, asked["state"], token))


async def test_a_browser_reads_why_a_launch_failed_lt11(course: Course) -> None:
    browser = course.browser(accept="text/html,*/*;q=0.8", **{"sec-fetch-dest": "iframe"})
    asked = await course.begin(browser)
    token = course.platform.sign(course.platform.claims(asked["nonce"], HOST))
    await course.send(browser, asked["state"], token)
    answer = await course.send(browser, asked["state"], token)
    assert (answer.status_code, answer.headers["content-type"]) == (401, "text/html; charset=utf-8")
    assert "The launch failed" in answer.text
    assert "used already" in answer.text
    assert f"frame-ancestors {course.platform.url}" in answer.headers["content-security-policy"]
    browser.headers["accept-language"] = "de-CH,de;q=0.9"
    answer = await course.send(browser, asked["state"], token)
    assert (answer.headers["content-language"], '<html lang="de">' in answer.text) == ("de", True)
    assert "Der Start ist fehlgeschlagen" in answer.text
    assert "schon verwendet" in answer.text
    del browser.headers["accept-language"]
    unknown = {"iss": "https://evil.example/<b>", "login_hint": "1"}
    for method, fields in (("GET", {"params": unknown}), ("POST", {"data": unknown})):
        answer = await browser.request(method, f"{API}/lti/login", **fields)  # type: ignore[arg-type]
        assert answer.status_code == 404
        assert "not registered" in answer.text
        assert "<b>" not in answer.text


async def test_a_launch_expires_lt8(course: Course) -> None:
    tool = course.clinic.service.lti
    assert tool is not None
    browser = course.browser()
    asked = await course.begin(browser)
    token = course.platform.sign(course.platform.claims(asked["nonce"], HOST))
    tool.launches._clock = lambda: time.time() + 601
    assert refused(await course.send(browser, asked["state"], token))


async def test_another_browser_cannot_finish_a_launch_lt9(course: Course) -> None:
    """CSRF: an attacker's own launch signs nobody else in."""
    asked = await course.begin(course.browser())
    token = course.platform.sign(course.platform.claims(asked["nonce"], HOST))
    assert refused(await course.send(course.browser(), asked["state"], token))
    victim = course.browser()
    await course.begin(victim)
    other = await course.begin(course.browser())
    token = course.platform.sign(course.platform.claims(other["nonce"], HOST))
    assert refused(await course.send(victim, other["state"], token))


async def test_another_site_changes_nothing_with_the_cookies_of_a_frame_lt9(course: Course) -> None:
    browser = course.browser(**{"sec-fetch-dest": "iframe"})
    await course.launch(browser, **course.platform.teaching())
    headers = {"origin": course.platform.url, "sec-fetch-site": "cross-site"}
    answer = await browser.post(f"{API}/cases", json={"title": "c", "slides": []}, headers=headers)
    assert answer.status_code == 403


NOW = int(time.time())
LIES: dict[str, dict[str, Any]] = {
    "audience": {"aud": "another"},
    "several audiences": {"aud": [CLIENT, "another"]},
    "authorized party": {"aud": [CLIENT, "another"], "azp": "another"},
    "issuer": {"iss": "https://evil.example"},
    "deployment": {f"{CLAIM}deployment_id": "2"},
    "no deployment": {f"{CLAIM}deployment_id": None},
    "expired": {"exp": 1},
    "long": {"exp": NOW + 90000},
    "issued in the future": {"iat": NOW + 9000, "exp": NOW + 9100},
    "old": {"iat": NOW - 9000},
    "nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "no subject": {"sub": None},
    "empty subject": {"sub": ""},
    "long subject": {"sub": "x" * 256},
    "version": {f"{CLAIM}version": "1.1"},
    "message": {f"{CLAIM}message_type": "LtiSubmissionReviewRequest"},
    "no message": {f"{CLAIM}message_type": None},
    "times of another kind": {"iat": "now", "exp": "later"},
}


@pytest.mark.parametrize("lies", LIES.values(), ids=LIES)
async def test_a_token_that_is_not_for_this_launch_is_refused_lt10(course: Course, lies: dict[str, Any]) -> None:
    browser = course.browser()
    assert refused(await course.launch(browser, **lies))
    assert (await browser.get(f"{API}/account")).json()["user"] is None


async def test_only_the_platforms_own_key_signs_lt10(course: Course) -> None:
    browser, platform = course.browser(), course.platform
    forged: tuple[Callable[[dict[str, Any]], str], ...] = (
        lambda claims: platform.sign(claims, new_key()),
        lambda claims: f"{part({'alg': 'none'})}.{part(claims)}.",
        lambda claims: f"{part({'alg': 'HS256', 'kid': 'p1'})}.{part(claims)}.{part('x')}",
        lambda claims: platform.sign(claims)[:-8] + "AAAAAAAA",
        lambda claims: "",
        lambda claims: "a.b.c.d",
        lambda claims: "{}",
    )
    for signed in forged:
        asked = await course.begin(browser)
        assert refused(await course.send(browser, asked["state"], signed(platform.claims(asked["nonce"], HOST))))


def part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


async def test_a_platform_with_a_new_key_is_believed_without_waiting_lt10(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wavescope.service.lti.platform_keys.AGAIN_SECONDS", 0)
    assert (await course.launch(course.browser())).status_code == 303
    course.platform.key = new_key("p2")
    assert (await course.launch(course.browser())).status_code == 303


async def test_a_disabled_account_is_not_let_in_lt12(course: Course) -> None:
    browser = course.browser()
    await course.launch(browser)
    Accounts(course.clinic.service.catalog).change((await own(browser))["id"], disabled=True)
    assert refused(await course.launch(course.browser()))


async def test_roles_of_the_course_raise_the_role_and_never_beyond_instructor_lt12(course: Course) -> None:
    institution = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#"
    for subject, roles, role in (
        ("1", [f"{ROLE}Instructor"], "instructor"),
        ("1", [f"{ROLE}Learner"], "instructor"),
        ("2", [f"{institution}Instructor", f"{ROLE}Learner"], "viewer"),
        ("3", [f"{ROLE}Administrator"], "instructor"),
        ("4", [f"{institution}Administrator"], "viewer"),
        ("5", "Instructor", "viewer"),
        ("6", None, "viewer"),
    ):
        browser = course.browser()
        await course.launch(browser, sub=subject, **{f"{CLAIM}roles": roles})
        assert (await own(browser))["role"] == role


async def test_a_person_without_a_name_and_one_with_the_name_of_another_account_lt12(course: Course) -> None:
    browser = course.browser()
    await course.launch(browser, sub="1", name="adam")
    user = await own(browser)
    assert (user["name"], user["role"]) == ("adam-2", "viewer")
    await course.launch(browser, sub="2", name=None)
    assert (await own(browser))["title"] == "Participant"


async def test_the_people_of_a_course_are_a_group_lt13(course: Course) -> None:
    browser = course.browser()
    await course.launch(browser)
    ids = [(await own(browser))["id"]]
    await course.launch(browser, sub="8")
    ids.append((await own(browser))["id"])
    await course.launch(browser, **{f"{CLAIM}context": {"id": "course-10"}})
    groups = sorted(len(one.members) for one in Accounts(course.clinic.service.catalog).groups())
    assert groups == [1, 2]


async def test_a_frame_has_its_own_cookies_and_a_window_the_ordinary_ones_lt15(course: Course) -> None:
    framed = await course.launch(course.browser(**{"sec-fetch-dest": "iframe"}))
    cookies = [one for one in framed.headers.get_list("set-cookie") if "Max-Age=0" not in one]
    assert len(cookies) == 3
    assert all("SameSite=None; Secure; Partitioned" in one and "HttpOnly" in one for one in cookies)
    window = await course.launch(course.browser(**{"sec-fetch-dest": "document"}))
    cookies = [one for one in window.headers.get_list("set-cookie") if "Max-Age=0" not in one]
    assert len(cookies) == 2
    assert not any("Partitioned" in one or "None" in one for one in cookies)


async def test_a_renewed_sign_in_stays_in_its_frame_lt15(course: Course) -> None:
    browser = course.browser(**{"sec-fetch-dest": "iframe"})
    await course.launch(browser)
    browser.headers["sec-fetch-dest"] = "empty"
    answer = await browser.post(f"{API}/sign-in/renew")
    assert answer.is_success
    assert all("Partitioned" in one for one in answer.headers.get_list("set-cookie"))


async def test_only_registered_platforms_frame_a_page_and_only_after_a_launch_lt16(course: Course) -> None:
    browser = course.browser(**{"sec-fetch-dest": "iframe"})
    assert "frame-ancestors 'none'" in (await browser.get("/")).headers["content-security-policy"]
    await course.launch(browser)
    policy = (await browser.get("/")).headers["content-security-policy"]
    assert f"frame-ancestors {course.platform.url}" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in (await course.browser().get("/")).headers["content-security-policy"]

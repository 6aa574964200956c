"""First passwords and the import of accounts by the API (AC60, AC61)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from api.accounts import API, PASSWORD, Clinic, clinic
from api.asking import problem
from service.world import World
from wavescope.config import Limits

NEW = "my own long password"
FILE = "name,title,role,groups,password\nBob,Bob Byrne,,residents; teachers,\nzoe,,instructor,,a password of zoe\n"


@pytest.fixture
async def site(damaged: World) -> AsyncIterator[Clinic]:
    async with clinic(damaged.store, limits=Limits(imported_accounts=3)) as opened:
        yield opened


async def must_change(site: Clinic, name: str, password: str) -> bool:
    """Whether a sign-in with this password asks for another one, and succeeds with it."""
    given = {"name": name, "password": password}
    answer = await site.client().post(f"{API}/sign-in", json=given)
    if answer.status_code == 200:
        return False
    assert problem(answer) == (403, "password-change-required")
    answer = await site.client().post(f"{API}/sign-in", json=given | {"new_password": NEW})
    return answer.status_code == 200


@pytest.mark.parametrize("asked", [True, False])
async def test_a_new_user_chooses_a_password_if_an_admin_asks_for_it_ac60(site: Clinic, asked: bool) -> None:
    admin = await site.signed_in("adam")
    made = await admin.post(f"{API}/users", json={"name": "nina", "password": PASSWORD, "must_change": asked})
    assert made.json()["must_change"] is asked
    assert await must_change(site, "nina", PASSWORD) is asked
    users = {user["name"]: user for user in (await admin.get(f"{API}/users")).json()["users"]}
    assert users["nina"]["must_change"] is False


async def test_a_reset_password_can_be_for_the_first_sign_in_ac60(site: Clinic) -> None:
    admin = await site.signed_in("adam")
    url = f"{API}/users/{site.ids['ivan']}"
    changed = await admin.patch(url, json={"password": "given by an admin", "must_change": True})
    assert changed.json()["must_change"] is True
    assert await must_change(site, "ivan", "given by an admin")
    await admin.patch(url, json={"password": "given once more"})
    assert not await must_change(site, "ivan", "given once more")


async def test_an_admin_asks_an_existing_user_for_another_password_ac60(site: Clinic) -> None:
    admin, ivan = await site.signed_in("adam"), await site.signed_in("ivan")
    url = f"{API}/users/{site.ids['ivan']}"
    assert (await admin.patch(url, json={"must_change": True})).json()["must_change"] is True
    assert (await admin.patch(url, json={"title": "Ivan"})).json()["must_change"] is True
    assert problem(await ivan.post(f"{API}/sign-in/renew")) == (401, "credentials-expired")
    assert await must_change(site, "ivan", PASSWORD)
    assert (await admin.patch(url, json={"must_change": True})).status_code == 200
    assert (await admin.patch(url, json={"must_change": False})).json()["must_change"] is False


async def test_who_has_no_password_is_not_asked_for_another_one_ac60(site: Clinic) -> None:
    admin = await site.signed_in("adam")
    user = site.service.accounts._accounts.from_provider("issuer x", "xena", "Xena", None, "viewer")
    answer = await admin.patch(f"{API}/users/{user.id}", json={"must_change": True})
    assert problem(answer) == (422, "invalid-parameter")


async def test_a_preview_names_every_problem_and_creates_nothing_ac61(site: Clinic) -> None:
    admin = await site.signed_in("adam")
    text = "\ufeffname,role,password\nbob,,\nIVAN,,\nzoe,boss,short password\nbob,,short\n"
    site.service.user_imports._limit = 4
    answer = (await admin.post(f"{API}/users/import/preview", json={"csv": text})).json()
    assert answer["ok"] is False
    assert [(line["line"], line["password"]) for line in answer["lines"]] == [
        (2, False),
        (3, False),
        (4, True),
        (5, True),
    ]
    problems = [line["problem"] for line in answer["lines"]]
    assert problems[0] is None
    assert "name in line 3 is 'ivan'" in problems[1]
    assert "role in line 4 is 'boss'" in problems[2]
    assert "name in line 5 is 'bob'" in problems[3]
    assert "short" not in str(answer)
    refused = await admin.post(f"{API}/users/import", json={"csv": text})
    assert problem(refused) == (422, "invalid-parameter")
    assert "line 3" in refused.json()["detail"]
    assert {user["name"] for user in (await admin.get(f"{API}/users")).json()["users"]} == set(site.ids)


@pytest.mark.parametrize("text", ["", "mail\n", "name,name2\n", "name,role\nbob,viewer,more\n"])
async def test_a_file_of_other_columns_is_refused_ac61(site: Clinic, text: str) -> None:
    admin = await site.signed_in("adam")
    assert problem(await admin.post(f"{API}/users/import", json={"csv": text})) == (422, "invalid-parameter")


async def test_an_import_creates_all_accounts_in_one_act_ac61(site: Clinic) -> None:
    admin = await site.signed_in("adam")
    preview = (await admin.post(f"{API}/users/import/preview", json={"csv": FILE})).json()
    assert preview["ok"] is True
    assert preview["lines"][0] == {
        "line": 2, "name": "bob", "title": "Bob Byrne", "role": "viewer", "groups": ["residents", "teachers"],
        "password": False, "problem": None,
    }  # fmt: skip
    answer = await admin.post(f"{API}/users/import", json={"csv": FILE})
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    (bob,) = answer.json()["passwords"]
    assert (answer.json()["created"], bob["name"]) == (2, "bob")
    assert await must_change(site, "bob", bob["password"])
    assert await must_change(site, "zoe", "a password of zoe")
    groups = (await admin.get(f"{API}/groups")).json()["groups"]
    assert {group["name"]: len(group["members"]) for group in groups} == {"residents": 1, "teachers": 1}
    again = await admin.post(f"{API}/users/import", json={"csv": FILE})
    assert problem(again) == (422, "invalid-parameter")
    await site.service.audit.stop()
    entries = (await admin.get(f"{API}/audit?action=user%20made")).json()["entries"]
    assert [entry["detail"]["user"] for entry in entries] == ["zoe", "bob"]
    assert bob["password"] not in str(entries)


@pytest.mark.parametrize(
    "text",
    [
        "name;title;role;groups;password\nbob;Bob, Byrne;;residents, teachers;\n",
        'Name;Title;Groups\r\nbob;Bob, Byrne;"residents; teachers"\r\n',
        "name\ttitle\tgroups\nbob\tBob, Byrne\tresidents;teachers\n",
        '"name","title","groups"\nbob,"Bob, Byrne",residents;teachers\n',
    ],
)
async def test_columns_may_be_separated_as_spreadsheets_do_ac61(site: Clinic, text: str) -> None:
    admin = await site.signed_in("adam")
    preview = (await admin.post(f"{API}/users/import/preview", json={"csv": text})).json()
    (line,) = preview["lines"]
    assert (line["name"], line["title"], line["groups"]) == ("bob", "Bob, Byrne", ["residents", "teachers"])
    assert preview["ok"], line


async def test_an_admin_corrects_the_names_of_an_account_ac37(site: Clinic) -> None:
    admin = await site.signed_in("adam")
    url = f"{API}/users/{site.ids['vera']}"
    changed = await admin.patch(url, json={"name": "Vera.M", "title": "Véra M."})
    assert (changed.json()["name"], changed.json()["title"]) == ("vera.m", "Véra M.")
    assert (await site.client().post(f"{API}/sign-in", json={"name": "vera.m", "password": PASSWORD})).is_success
    refused = await site.client().post(f"{API}/sign-in", json={"name": "vera", "password": PASSWORD})
    assert problem(refused) == (401, "wrong-credentials")
    assert problem(await admin.patch(url, json={"name": "ivan"})) == (409, "account-exists")
    assert problem(await admin.patch(url, json={"name": "no spaces"})) == (422, "invalid-parameter")


async def test_an_import_has_a_limit_and_needs_a_sign_in_ac61(site: Clinic) -> None:
    admin = await site.signed_in("adam")
    many = "name\n" + "".join(f"user{number}\n" for number in range(4))
    assert problem(await admin.post(f"{API}/users/import/preview", json={"csv": many})) == (413, "too-large")
    chosen = {"title": "script", "scopes": ["accounts"]}
    token = (await admin.post(f"{API}/account/tokens", json=chosen)).json()["token"]
    script = site.client(headers={"authorization": f"Bearer {token}"})
    assert problem(await script.post(f"{API}/users/import", json={"csv": FILE})) == (403, "not-by-token")

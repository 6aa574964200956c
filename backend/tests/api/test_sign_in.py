"""Signing in, renewing, signing out, personal tokens (AC30 to AC35)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import httpx
import pytest

from api.accounts import API, PASSWORD, Clinic, clinic
from api.asking import problem, running_client
from service.world import World
from wavescope.access.principal import SCOPES, TokenScope


@pytest.fixture
async def site(damaged: World) -> AsyncIterator[Clinic]:
    async with clinic(damaged.store) as opened:
        yield opened


async def test_without_accounts_there_is_nothing_to_sign_in_to_ac1(world: World) -> None:
    async with running_client(world.store) as client:
        body = (await client.get(f"{API}/account")).json()
        assert body == {"mode": "local", "user": None, "held": [], "provider": None, "renew_after": None}


async def test_a_name_and_a_password_sign_a_user_in_ac31(site: Clinic) -> None:
    client = await site.signed_in("ivan")
    body = (await client.get(f"{API}/account")).json()
    assert (body["mode"], body["user"]["name"], body["user"]["role"]) == ("accounts", "ivan", "instructor")
    assert {slide["id"] for slide in (await client.get(f"{API}/slides")).json()["slides"]} == {"visual"}


@pytest.mark.parametrize(("name", "password"), [("ivan", "wrong"), ("nobody", PASSWORD), ("", PASSWORD)])
async def test_a_wrong_name_or_password_is_refused_without_saying_which_ac31(
    site: Clinic, name: str, password: str
) -> None:
    answer = await site.client().post(f"{API}/sign-in", json={"name": name or "-", "password": password})
    assert problem(answer) == (401, "wrong-credentials")
    assert answer.json()["detail"] == "the name or the password is wrong"


async def test_the_cookies_are_out_of_reach_of_scripts_and_other_sites_ac31(site: Clinic) -> None:
    answer = await site.client().post(f"{API}/sign-in", json={"name": "ivan", "password": PASSWORD})
    session, renew = answer.headers.get_list("set-cookie")
    assert session.startswith("wavescope_sign_in=wss_")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(session.split("; "))
    assert renew.startswith("wavescope_renew=wsr_")
    assert {"HttpOnly", "SameSite=strict", "Path=/api/v1/sign-in"} <= set(renew.split("; "))
    https = site.client(base_url="https://127.0.0.1")
    answer = await https.post(f"{API}/sign-in", json={"name": "ivan", "password": PASSWORD})
    assert all("Secure" in cookie for cookie in answer.headers.get_list("set-cookie"))


async def test_no_secret_is_stored_as_it_is_ac31(site: Clinic, damaged: World) -> None:
    client = await site.signed_in("ivan")
    made = await client.post(f"{API}/account/tokens", json={"title": "script"})
    secrets = [*client.cookies.values(), made.json()["token"], PASSWORD]
    stored_bytes = b"".join(path.read_bytes() for path in damaged.store.glob("catalog.sqlite*"))
    assert not any(secret.encode() in stored_bytes for secret in secrets)


async def test_an_expired_sign_in_is_401_and_renewed_quietly_ac32(damaged: World) -> None:
    async with clinic(damaged.store, sign_in_seconds=1e-3) as site:
        client = await site.signed_in("ivan")
        old = client.cookies["wavescope_sign_in"]
        assert problem(await client.get(f"{API}/slides")) == (401, "credentials-expired")
        assert (await client.post(f"{API}/sign-in/renew")).status_code == 204
        assert client.cookies["wavescope_sign_in"] != old


async def test_after_a_renewal_requests_under_way_still_count_ac32(site: Clinic) -> None:
    client = await site.signed_in("ivan")
    old = dict(client.cookies)
    assert (await client.post(f"{API}/sign-in/renew")).status_code == 204
    late = site.client(cookies=old)
    assert (await late.get(f"{API}/slides/visual")).status_code == 200
    assert (await late.post(f"{API}/sign-in/renew")).status_code == 204  # another tab, at the same moment


async def test_signing_out_ends_the_whole_sign_in_ac33(site: Clinic) -> None:
    client = await site.signed_in("ivan")
    before = dict(client.cookies)
    assert (await client.get(f"{API}/slides/visual")).status_code == 200
    assert (await client.post(f"{API}/sign-out")).status_code == 204
    assert "wavescope_sign_in" not in client.cookies
    thief = site.client(cookies=before)
    assert problem(await thief.get(f"{API}/slides/visual")) == (401, "credentials-expired")
    assert problem(await thief.post(f"{API}/sign-in/renew")) == (401, "credentials-expired")


async def with_token(
    site: Clinic, name: str, scopes: Sequence[TokenScope] = SCOPES
) -> tuple[httpx.AsyncClient, httpx.AsyncClient]:
    """A browser in which the user has signed in, and a script with a token of the user's."""
    browser = await site.signed_in(name)
    chosen = {"title": "script", "scopes": list(scopes)}
    token = (await browser.post(f"{API}/account/tokens", json=chosen)).json()["token"]
    return browser, site.client(headers={"authorization": f"Bearer {token}"})


async def test_a_new_password_ends_other_sign_ins_and_tokens_ac34_ac49(site: Clinic) -> None:
    (here, script), there = await with_token(site, "ivan"), await site.signed_in("ivan")
    change = {"old": PASSWORD, "new": "another long one"}
    refusal = await here.put(f"{API}/account/password", json={**change, "old": "wrong"})
    assert problem(refusal) == (401, "wrong-credentials")
    short = await here.put(f"{API}/account/password", json={**change, "new": "short"})
    assert problem(short) == (422, "invalid-parameter")
    assert "short" not in short.json()["detail"]
    assert (await script.get(f"{API}/slides/visual")).status_code == 200
    changed = await here.put(f"{API}/account/password", json=change)
    assert (changed.status_code, changed.json()) == (200, {"sign_ins": 1, "tokens": 1})
    assert (await here.get(f"{API}/slides/visual")).status_code == 200
    for ended in (there, script):
        assert problem(await ended.get(f"{API}/slides/visual")) == (401, "credentials-expired")
    assert (await here.get(f"{API}/account/tokens")).json() == {"tokens": []}


async def test_tokens_go_on_after_a_new_password_if_that_is_chosen_ac49(site: Clinic) -> None:
    here, script = await with_token(site, "ivan")
    change = {"old": PASSWORD, "new": "another long one", "keep_tokens": True}
    assert (await here.put(f"{API}/account/password", json=change)).json() == {"sign_ins": 0, "tokens": 0}
    assert (await script.get(f"{API}/slides/visual")).status_code == 200


@pytest.mark.parametrize("keep", [False, True])
async def test_an_admins_reset_ends_sign_ins_and_unless_kept_tokens_ac49(site: Clinic, keep: bool) -> None:
    (browser, script), admin = await with_token(site, "ivan"), await site.signed_in("adam")
    new = {"password": "another long one", "keep_tokens": keep}
    answer = await admin.patch(f"{API}/users/{site.ids['ivan']}", json=new)
    assert answer.json()["ended"] == {"sign_ins": 1, "tokens": 0 if keep else 1}
    assert "set-cookie" not in answer.headers
    assert problem(await browser.get(f"{API}/slides/visual")) == (401, "credentials-expired")
    assert problem(await browser.post(f"{API}/sign-in/renew")) == (401, "credentials-expired")
    assert (await script.get(f"{API}/slides/visual")).status_code == (200 if keep else 401)
    assert (await admin.patch(f"{API}/users/{site.ids['ivan']}", json={"title": "I"})).json()["ended"] is None


async def test_an_admin_cannot_reset_the_own_password_ac62(site: Clinic) -> None:
    here, there = await site.signed_in("adam"), await site.signed_in("adam")
    own, new = f"{API}/users/{site.ids['adam']}", {"password": "another long one", "title": "changed"}
    refusal = await here.patch(own, json=new)
    assert problem(refusal) == (403, "forbidden")
    assert "with the old one" in refusal.json()["detail"]
    assert (await there.get(f"{API}/users")).status_code == 200
    assert "changed" not in (await here.get(f"{API}/users")).text
    await site.signed_in("adam")  # with the old password
    assert (await here.patch(own, json={"title": "changed"})).json()["title"] == "changed"


async def test_a_token_makes_nothing_that_outlives_it_ac48(site: Clinic) -> None:
    _, script = await with_token(site, "adam")
    accounts = await script.get(f"{API}/users")
    ivan = f"{API}/users/{site.ids['ivan']}"
    assert accounts.status_code == 200
    new: dict[str, object] = {"name": "mallory", "role": "admin", "password": "another long one"}
    asked: list[tuple[str, str, dict[str, object]]] = [
        ("POST", f"{API}/account/tokens", {"title": "more"}),
        ("PUT", f"{API}/account/password", {"old": PASSWORD, "new": "another long one"}),
        ("PATCH", f"{API}/users/{site.ids['adam']}", {"password": "another long one"}),
        ("PATCH", ivan, {"password": "another long one", "title": "I"}),
        ("POST", f"{API}/users", new),
    ]
    for method, url, body in asked:
        assert problem(await script.request(method, url, json=body)) == (403, "not-by-token"), (method, url)
    assert (await script.get(f"{API}/users")).json() == accounts.json()
    assert (await script.patch(ivan, json={"title": "I"})).json()["title"] == "I"


async def test_a_token_has_the_scopes_that_were_chosen_and_no_others_ac65(site: Clinic) -> None:
    browser, script = await with_token(site, "adam", ("read",))
    slide, ivan = f"{API}/slides/visual", f"{API}/users/{site.ids['ivan']}"
    sharing = {"owner": "", "public": True, "shares": []}
    assert (await script.get(slide)).status_code == 200
    for method, url, body in (
        ("PATCH", slide, {"title": "Another"}),
        ("PUT", f"{slide}/sharing", sharing),
        ("POST", f"{slide}/links", {"right": "view", "title": "l", "seconds": 60}),
        ("PATCH", ivan, {"role": "admin"}),
        ("PATCH", ivan, {"disabled": True}),
        ("GET", "/metrics", None),
    ):
        assert problem(await script.request(method, url, json=body)) == (403, "forbidden"), (method, url)
    assert "needs the scope 'share'" in (await script.put(f"{slide}/sharing", json=sharing)).json()["detail"]
    (listed,) = (await browser.get(f"{API}/account/tokens")).json()["tokens"]
    assert listed["scopes"] == ["read"]


async def test_a_new_token_neither_shares_nor_administers_unless_that_is_chosen_ac65(site: Clinic) -> None:
    admin = await site.signed_in("adam")
    made = (await admin.post(f"{API}/account/tokens", json={"title": "script"})).json()
    assert made["scopes"] == ["read", "annotate", "slides"]
    script = site.client(headers={"authorization": f"Bearer {made['token']}"})
    assert (await script.patch(f"{API}/slides/visual", json={"title": "Another"})).status_code == 200
    assert problem(await script.get(f"{API}/users")) == (403, "forbidden")
    for scopes in ([], ["everything"]):
        asked = await admin.post(f"{API}/account/tokens", json={"title": "x", "scopes": scopes})
        assert problem(asked) == (422, "invalid-parameter")


async def test_a_token_for_metrics_sees_nothing_else_ac65(site: Clinic) -> None:
    _, script = await with_token(site, "adam", ("metrics",))
    assert (await script.get("/metrics")).status_code == 200
    assert (await script.get(f"{API}/storage")).status_code == 200
    assert problem(await script.get(f"{API}/slides/visual")) == (404, "unknown-slide")
    assert problem(await script.post(f"{API}/grants", json={"slides": ["visual"]})) == (404, "unknown-slide")
    assert problem(await script.get(f"{API}/slides")) == (403, "forbidden")


@pytest.mark.parametrize("host", ["node1:8000", "10.1.2.3:8000", "127.0.0.1:8000"])
async def test_metrics_answer_under_every_name_to_their_token_alone_op13(damaged: World, host: str) -> None:
    async with clinic(damaged.store, allowed_hosts=("slides.example.org",)) as site:
        browser = site.client(headers={"host": "slides.example.org", "origin": "http://slides.example.org"})
        await browser.post(f"{API}/sign-in", json={"name": "adam", "password": PASSWORD})
        chosen = {"title": "Prometheus", "scopes": ["metrics"]}
        token = (await browser.post(f"{API}/account/tokens", json=chosen)).json()["token"]
        by_address = {"host": host, "authorization": f"Bearer {token}"}
        assert (await site.client().get("/metrics", headers=by_address)).status_code == 200
        assert problem(await site.client().get("/metrics", headers={"host": host})) == (401, "sign-in-required")
        assert problem(await site.client().get(f"{API}/storage", headers=by_address)) == (403, "forbidden")


async def test_a_disabled_account_is_nobody_at_once_ac2(site: Clinic) -> None:
    client, admin = await site.signed_in("ivan"), await site.signed_in("adam")
    token = (await client.post(f"{API}/account/tokens", json={"title": "script"})).json()["token"]
    script = site.client(headers={"authorization": f"Bearer {token}"})
    assert (await script.get(f"{API}/slides/visual")).status_code == 200
    disabled = await admin.patch(f"{API}/users/{site.ids['ivan']}", json={"disabled": True})
    assert disabled.json()["disabled"]
    for one in (client, script):
        assert problem(await one.get(f"{API}/slides/visual")) == (401, "credentials-expired")
    again = await site.client().post(f"{API}/sign-in", json={"name": "ivan", "password": PASSWORD})
    assert problem(again) == (401, "wrong-credentials")


async def test_personal_tokens_are_listed_with_their_last_use_and_revoked_ac35(site: Clinic) -> None:
    client = await site.signed_in("vera")
    made = (await client.post(f"{API}/account/tokens", json={"title": "script", "days": 2})).json()
    script = site.client(headers={"authorization": f"Bearer {made['token']}"})
    assert (await script.get(f"{API}/account")).json()["user"]["name"] == "vera"
    (listed,) = (await client.get(f"{API}/account/tokens")).json()["tokens"]
    assert listed["used"] is not None
    assert "token" not in listed
    other = await site.signed_in("anna")
    assert problem(await other.delete(f"{API}/account/tokens/{made['id']}")) == (404, "unknown-token")
    assert (await client.delete(f"{API}/account/tokens/{made['id']}")).status_code == 204
    assert problem(await script.get(f"{API}/account")) == (401, "credentials-expired")


async def test_at_least_one_admin_remains_ac37(site: Clinic) -> None:
    admin = await site.signed_in("adam")
    for change in ({"role": "viewer"}, {"disabled": True}):
        answer = await admin.patch(f"{API}/users/{site.ids['adam']}", json=change)
        assert problem(answer) == (409, "last-admin")


async def test_names_are_distinguished_ac37(site: Clinic) -> None:
    admin = await site.signed_in("adam")
    new = {"name": "IVAN", "password": PASSWORD}
    assert problem(await admin.post(f"{API}/users", json=new)) == (409, "account-exists")
    assert problem(await admin.post(f"{API}/users", json={**new, "name": "a b"})) == (422, "invalid-parameter")
    made = await admin.post(f"{API}/users", json={**new, "name": "nina"})
    assert (made.status_code, made.json()["role"]) == (201, "viewer")

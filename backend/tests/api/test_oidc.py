"""Signing in at a small OpenID Connect provider that really runs on loopback (AC38, AC39)."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from api.accounts import API, Clinic, clinic
from edge.hostile import raw_origin, silent
from service.world import World
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.audit import AuditLog
from wavescope.logs.faults import LINES, LineBound

CLIENT, SECRET = "wavescope", "the client's secret"


@dataclass
class FakeProvider:
    """Lets ``claims`` in; ``lies`` are claims that it signs instead of the right ones.

    As real providers it may have a ``path``, further ``keys``, ``key_members`` of its own key, and ``parameters`` in
    the address that leads back.
    """

    issuer: str = ""
    path: str = ""
    client: str = CLIENT
    secret: str = SECRET
    keys: tuple[dict[str, Any], ...] = ()
    key_members: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "k1", "use": "sig"}, private=True))
    claims: dict[str, Any] = field(default_factory=dict)
    lies: dict[str, Any] = field(default_factory=dict)
    signer: RSAKey | None = None
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def authorize(self, asked: dict[str, str]) -> str:
        """The address that the browser is sent back to."""
        assert asked["response_type"] == "code"
        assert asked["client_id"] == self.client
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = f"code{len(self.codes)}"
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state'], **self.parameters})}"

    def token(self, asked: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """What a code is good for, once, with its verifier and the client's secret."""
        begun = self.codes.pop(asked["code"], None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(asked["code_verifier"].encode()).digest()).rstrip(b"=")
        known = "Basic " + base64.b64encode(f"{self.client}:{self.secret}".encode()).decode()
        if begun is None or begun["code_challenge"] != challenge.decode() or authorization != known:
            return None
        now = int(time.time())
        right = {"iss": self.issuer, "aud": self.client, "iat": now, "exp": now + 60, "nonce": begun["nonce"]}
        signer = self.signer or self.key
        token = jwt.encode({"alg": "RS256", "kid": "k1"}, {**right, **self.claims, **self.lies}, signer)
        return {"access_token": "a", "token_type": "Bearer", "id_token": token}


@contextmanager
def running(provider: FakeProvider) -> Iterator[None]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = urlsplit(self.path)
            place = url.path.removeprefix(provider.path)
            if place == "/.well-known/openid-configuration":
                ends = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
                self._answer({"issuer": provider.issuer, **{k: provider.issuer + v for k, v in ends.items()}})
            elif place == "/keys":
                (own,) = KeySet([provider.key]).as_dict(private=False)["keys"]
                self._answer({"keys": [*provider.keys, {**own, **provider.key_members}]})
            else:
                asked = {name: values[0] for name, values in parse_qs(url.query).items()}
                self.send_response(302)
                self.send_header("location", provider.authorize(asked))
                self.end_headers()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            asked = {name: values[0] for name, values in parse_qs(body).items()}
            token = provider.token(asked, self.headers.get("authorization", ""))
            self._answer(token or {"error": "invalid_grant"}, 200 if token else 400)

        def _answer(self, body: Any, status: int = 200) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_address[1]}{provider.path}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    made = FakeProvider(claims={"sub": "7", "preferred_username": "Nina", "name": "Nina N.", "groups": ["staff"]})
    with running(made):
        yield made


@pytest.fixture
async def site(damaged: World, provider: FakeProvider) -> AsyncIterator[Clinic]:
    options = {
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SECRET,
        "oidc_roles": ("staff=instructor", "it=admin"),
        "oidc_groups_claim": "groups",
    }
    async with clinic(damaged.store, **options) as opened:
        yield opened


async def leave(client: httpx.AsyncClient, next_page: str = "/slides/visual") -> str:
    """Goes to the provider and back; the address that the browser is sent back to."""
    begun = await client.get(f"{API}/oidc/sign-in", params={"next": next_page})
    assert begun.status_code == 307
    async with httpx.AsyncClient() as outside:
        return (await outside.get(begun.headers["location"])).headers["location"]


async def enter(client: httpx.AsyncClient, next_page: str = "/slides/visual") -> httpx.Response:
    return await client.get(await leave(client, next_page))


async def refused(answer: httpx.Response) -> bool:
    return answer.headers["location"] == "/sign-in?failed=1" and "wavescope_sign_in" not in answer.cookies


async def test_the_provider_signs_a_user_in_with_role_and_groups_ac38_ac39(
    site: Clinic, provider: FakeProvider
) -> None:
    client = site.client()
    answer = await enter(client)
    assert (answer.status_code, answer.headers["location"]) == (303, "/slides/visual")
    user = (await client.get(f"{API}/account")).json()["user"]
    assert {name: user[name] for name in ("name", "title", "role", "password")} == {
        "name": "nina", "title": "Nina N.", "role": "instructor", "password": False,
    }  # fmt: skip
    accounts = Accounts(site.service.catalog)
    (group,) = accounts.groups()
    assert (group.name, group.members) == ("staff", (user["id"],))
    provider.claims |= {"groups": "it", "preferred_username": "Another"}
    again = site.client()
    await enter(again)
    now = (await again.get(f"{API}/account")).json()["user"]
    assert (now["id"], now["name"], now["role"]) == (user["id"], "nina", "admin")
    assert {one.name: one.members for one in accounts.groups()} == {"it": (user["id"],), "staff": ()}


async def test_a_name_takes_over_no_account_ac39(site: Clinic, provider: FakeProvider) -> None:
    provider.claims |= {"preferred_username": "adam", "email": "adam@example.org", "groups": []}
    client = site.client()
    await enter(client)
    user = (await client.get(f"{API}/account")).json()["user"]
    assert (user["name"], user["role"]) == ("adam-2", "viewer")
    assert user["id"] != site.ids["adam"]


@pytest.mark.parametrize("next_page", ["//evil.example", "https://evil.example", "/\\evil.example", "slides"])
async def test_nobody_is_led_to_another_site_ac38(site: Clinic, next_page: str) -> None:
    assert (await enter(site.client(), next_page)).headers["location"] == "/"


@pytest.fixture
def causes(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Why single sign-ons failed, as logged: every line, whatever other tests logged in this minute."""
    monkeypatch.setattr("wavescope.logs.faults._bound", LineBound(LINES))
    return lambda: [getattr(one, "cause", "") for one in caplog.records if one.getMessage() == "single sign-on failed"]


@pytest.mark.parametrize(
    ("lies", "cause"),
    [
        ({"nonce": "another"}, "sso nonce"),
        ({"aud": "another client"}, "sso audience"),
        ({"aud": [CLIENT, "another"], "azp": "another"}, "sso audience"),
        ({"iss": "http://another"}, "sso issuer"),
        ({"exp": 1}, "sso expired"),
        ({"iat": 1 << 40}, "sso clock"),
        ({"sub": None}, "sso sub"),
    ],
)
async def test_a_token_that_is_not_for_us_is_refused_and_the_log_says_why_ac38(
    site: Clinic, provider: FakeProvider, causes: Callable[[], list[str]], lies: dict[str, Any], cause: str
) -> None:
    provider.lies = lies
    assert await refused(await enter(site.client()))
    assert causes() == [cause]


async def test_a_forged_signature_is_refused_ac38(
    site: Clinic, provider: FakeProvider, causes: Callable[[], list[str]]
) -> None:
    provider.signer = RSAKey.generate_key(2048, {"kid": "k1"}, private=True)
    assert await refused(await enter(site.client()))
    assert causes() == ["sso signature"]


async def test_what_the_provider_refuses_is_logged_by_its_code_ac38(
    site: Clinic, provider: FakeProvider, causes: Callable[[], list[str]]
) -> None:
    client = site.client()
    state = parse_qs(urlsplit(await leave(client)).query)["state"][0]
    for error in ("access_denied", "a text\nof an attacker"):
        assert await refused(await client.get(f"{API}/oidc/callback", params={"state": state, "error": error}))
    provider.secret = "another secret"
    assert await refused(await enter(site.client()))
    assert causes() == ["sso provider: access_denied", "sso provider: an unknown error", "sso token: invalid_grant"]


async def test_an_answer_is_good_once_and_in_the_browser_that_asked_ac38(site: Clinic) -> None:
    victim, other = site.client(), site.client()
    back = await leave(victim)
    assert await refused(await other.get(back))
    await leave(other)
    assert await refused(await other.get(back))
    assert await refused(await victim.get(back.replace("state=", "state=x")))
    assert (await victim.get(back)).headers["location"] == "/slides/visual"
    assert await refused(await victim.get(back))


async def test_new_keys_of_the_provider_are_learned_ac38(site: Clinic, provider: FakeProvider) -> None:
    await enter(site.client())
    provider.key = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig"}, private=True)
    assert (await enter(site.client())).headers["location"] == "/slides/visual"


async def test_a_disabled_account_is_not_let_in_ac2(site: Clinic) -> None:
    client = site.client()
    await enter(client)
    user = (await client.get(f"{API}/account")).json()["user"]
    Accounts(site.service.catalog).change(user["id"], disabled=True)
    assert await refused(await enter(site.client()))


async def test_a_provider_that_does_not_answer_is_reported_ac38(
    damaged: World, causes: Callable[[], list[str]]
) -> None:
    async with clinic(damaged.store, oidc_issuer="http://127.0.0.1:9", oidc_client_id=CLIENT) as site:
        assert await refused(await site.client().get(f"{API}/oidc/sign-in"))
        assert causes() == ["sso metadata: ConnectError"]
        assert (await site.client().get(f"{API}/account")).json()["provider"] == "single sign-on"


async def test_signing_in_and_failing_to_are_recorded_without_secrets_pr30(site: Clinic) -> None:
    client, other = site.client(), site.client()
    back = await leave(client)
    assert await refused(await other.get(back))
    await client.get(back)
    user = (await client.get(f"{API}/account")).json()["user"]
    await site.service.audit.stop()  # when all is written
    entries = list(AuditLog(site.service.catalog.engine).all())
    (failed, signed_in) = [one.entry for one in entries if one.entry.action in ("sign-in failed", "signed in")]
    assert (failed.action, failed.kind) == ("sign-in failed", "anonymous")
    assert (signed_in.action, signed_in.principal, signed_in.name) == ("signed in", user["id"], "Nina N.")
    assert failed.detail == signed_in.detail == {"provider": site.service.config.oidc_issuer}
    assert "code0" not in str(entries)


COOKIE = "wavescope_oidc"
ATTEMPT = {"state": "s" * 43, "nonce": "n" * 43, "verifier": "v" * 43, "next": "/"}


def cookie_of(value: Any) -> bytes:
    """The cookie in which a browser keeps an attempt."""
    return base64.urlsafe_b64encode(value if isinstance(value, bytes) else json.dumps(value).encode())


FORGED: dict[str, bytes] = {
    "nothing": b"",
    "bytes beyond ASCII": bytes(range(0x80, 0x100)),
    "no base64": b"%%%",
    "no UTF-8": cookie_of(b"\xff\xfe"),
    "no JSON": cookie_of(b"{"),
    "an integer": cookie_of(1),
    "a list": cookie_of([1]),
    "nothing in it": cookie_of({}),
    "a name too many": cookie_of({**ATTEMPT, "more": 1}),
    "an integer state": cookie_of({**ATTEMPT, "state": 1}),
    "no state": cookie_of({**ATTEMPT, "state": None}),
    "a list for a state": cookie_of({**ATTEMPT, "state": ["s"]}),
    "a state beyond ASCII": cookie_of({**ATTEMPT, "state": "\u00e9" * 43}),
    "half a character": cookie_of({**ATTEMPT, "state": "\ud800" * 43}),
    "an integer nonce": cookie_of({**ATTEMPT, "nonce": 1}),
    "an integer verifier": cookie_of({**ATTEMPT, "verifier": 1}),
    "an integer page": cookie_of({**ATTEMPT, "next": 1}),
    "a huge integer": cookie_of(b'{"state":' + b"9" * 5000 + b"}"),
    "deep JSON": cookie_of(b"[" * 9000),
    "deep objects": cookie_of(b'{"a":' * 5000),
    "much": b"A" * 40_000,
}


STATES = ("", "s" * 43, "\u00e9", "s" * 42 + "\u00e9", "\U0001f600" * 40, "%ff", "\x00")


async def test_a_forged_cookie_leads_to_the_sign_in_page_ac47(site: Clinic) -> None:
    led = {}
    for case, state in product(FORGED, STATES):
        asked = {b"cookie": COOKIE.encode() + b"=" + FORGED[case]}
        url = f"{API}/oidc/callback?{urlencode({'code': 'c', 'state': state})}"
        answer = await site.client().get(url, headers=asked)
        led[case, state] = answer.status_code == 303 and await refused(answer)
    assert [case for case, right in led.items() if not right] == []


async def test_a_state_of_any_bytes_is_refused_ac47(site: Clinic) -> None:
    client = site.client()
    await leave(client)
    for query in [*(urlencode({"code": "c", "state": state}) for state in STATES), "code=%ff&state=%ff%fe"]:
        answer = await client.get(f"{API}/oidc/callback?{query}")
        assert answer.status_code == 303
        assert await refused(answer)


@pytest.mark.slow
async def test_a_forged_cookie_leads_to_no_other_site_ac47(site: Clinic) -> None:
    for page in ("//evil.example", "https://evil.example", "/\\evil", "/\ud800", "", "/\n"):
        client = site.client()
        back = await leave(client)
        (cookie,) = [one for one in client.cookies.jar if one.name == COOKIE]
        real = json.loads(base64.urlsafe_b64decode((cookie.value or "").strip('"')))
        client.cookies.clear()
        forged = cookie_of({**real, "next": page}).decode()
        answer = await client.get(back, headers={"cookie": f"{COOKIE}={forged}"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")


async def test_a_provider_that_is_silent_is_left_after_the_time_of_the_setting_ac38(damaged: World) -> None:
    options = {"oidc_client_id": CLIENT, "oidc_seconds": 0.2}
    async with raw_origin(silent) as server, clinic(damaged.store, oidc_issuer=server.url, **options) as site:
        begun = site.client().get(f"{API}/oidc/sign-in", params={"next": "/"})
        assert await refused(await asyncio.wait_for(begun, 5))

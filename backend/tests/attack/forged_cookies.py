"""Cookies, tokens and states that nobody was given: refused, and never an error of 500 (AC30 to AC39)."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from api.test_oidc import CLIENT, SECRET, FakeProvider, running
from attack.clinic import clinic
from attack.report import Findings, Workspace
from attack.service import API, Service

FAULTS = ("forged cookie or token", "forged link", "forged single sign-on")  # rows of shared/operations/faults.md
OPEN = ("/api/v1/account",)  # what anyone may ask, and learns its own name
CLOSED = (
    "/api/v1/users",
    "/api/v1/audit",
    "/api/v1/slides/good/sharing",
    "/api/v1/account/tokens",
    "/api/v1/me/export",
)


def _encoded(value: Any) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _forged(real: str) -> Iterator[tuple[str, bytes]]:
    """Values in place of a secret: garbage, tokens signed by nobody, and the real one changed."""
    now = int(time.time())
    claims = {"sub": "adam", "role": "admin", "iat": now, "exp": now + 3600, "iss": "wavescope", "aud": "wavescope"}
    for algorithm in ("none", "HS256", "EdDSA", "RS256"):
        yield f"a token of algorithm {algorithm}", f"{_encoded({'alg': algorithm})}.{_encoded(claims)}.".encode()
    yield "an empty value", b""
    yield "letters that are no ASCII", "sésame-ünïcode-\u2603".encode()
    yield "all bytes", bytes(byte for byte in range(33, 256) if byte not in b";,\r\n")
    yield "200 dots", b"." * 200
    yield "30 kB", b"A" * 30_000
    yield "quotes", b'"\\"\\\\"'
    yield "SQL", b"' OR 1=1 --"
    yield "a percent-encoded NUL", b"%00%00"
    if real:
        yield "the real one, cut", real[:-1].encode()
        yield "the real one, longer", f"{real}A".encode()
        swapped = real[:-2] + real[-1] + ("A" if real[-2] != "A" else "B")
        yield "the real one, changed", swapped.encode()
        yield "the real one, in capitals", real.swapcase().encode()


class Refusing(FakeProvider):
    """A provider that nobody has signed in at."""

    def token(self, asked: dict[str, str], authorization: str) -> None:
        """Every code is wrong."""


def attack(workspace: Workspace, findings: Findings) -> None:
    provider = Refusing()
    with running(provider):
        options = {"oidc_issuer": provider.issuer, "oidc_client_id": CLIENT, "oidc_client_secret": SECRET}
        with clinic(workspace.folder, "accounts", **options) as at:
            _secrets(at.service, findings)
            _links_and_guests(at.service, findings)
            _states(at.service, findings)
            findings.check(not at.service.faults(), at.service.faults())


def _secrets(service: Service, findings: Findings) -> None:
    """The sign-in's cookie and the bearer's token."""
    admin = service.signed_in("adam")
    token = admin.post(f"{API}/account/tokens", json={"title": "script"}).json().get("token", "")
    cookie = admin.cookies["wavescope_sign_in"]
    for path in CLOSED:
        answer = service.raw("GET", path, b"authorization", f"Bearer {token}".encode())
        findings.check(answer.status_code < 500, f"GET {path} with a real token: {answer.status_code}")
    carried = {b"cookie": (b"wavescope_sign_in=", cookie), b"authorization": (b"Bearer ", token)}
    for header, (prefix, real) in carried.items():
        for name, value in findings.until_late(list(_forged(real)), 0.4):
            for path in (*OPEN, *CLOSED):
                answer = service.raw("GET", path, header, prefix + value)
                passed = answer.status_code in (400, 401, 403, 404, 431) if path in CLOSED else answer.status_code < 500
                words = f"GET {path}, {header.decode()}: {name}: {answer.status_code}"
                findings.check(passed and not (path in OPEN and answer.user), words)
    for name, value in _forged(cookie):
        answer = service.raw("POST", f"{API}/sign-in/renew", b"cookie", b"wavescope_renew=" + value)
        findings.check(400 <= answer.status_code < 500, f"renewal with {name}: {answer.status_code}")


def _links_and_guests(service: Service, findings: Findings) -> None:
    """An opened link's and a guest's cookie do not open a private slide."""
    for cookie in (b"wavescope_links=", b"wavescope_guest="):
        for name, value in _forged(""):
            answer = service.raw("GET", f"{API}/slides/good", b"cookie", cookie + value)
            findings.check(400 <= answer.status_code < 500, f"{cookie.decode()}{name}: {answer.status_code}")
    with service.client() as stranger:
        for name, value in _forged(""):
            opened = stranger.post(f"{API}/links/open", json={"token": value.decode("latin-1")[:500]})
            findings.check(400 <= opened.status_code < 500, f"a link's token, {name}: {opened.status_code}")


def _states(service: Service, findings: Findings) -> None:
    """The provider's way back with an attempt that nobody began."""
    path = f"{API}/oidc"
    with service.client() as stranger:
        begun = stranger.get(f"{path}/sign-in", follow_redirects=False)
        findings.check(begun.status_code == 307, f"signing in at the provider does not begin: {begun.status_code}")
        cookie = begun.cookies["wavescope_oidc"].strip('"')
    attempt = json.loads(base64.urlsafe_b64decode(cookie + "=" * (-len(cookie) % 4)))
    for name, value in findings.until_late(list(_attempts(attempt))):
        for state in ("x", "", "ä", "7", str(attempt.get("state", ""))):
            asked = f"{path}/callback?{urlencode({'code': 'c', 'state': state})}"
            answer = service.raw("GET", asked, b"cookie", b"wavescope_oidc=" + value)
            words = f"the provider's way back, {name}, state {state!r}: {answer.status_code}"
            findings.check(answer.status_code < 500 and "wavescope_sign_in" not in answer.cookies, words)


def _attempts(attempt: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Cookies of an attempt: each of its members changed, and what is none."""
    strange: dict[str, Any] = {
        "an integer": 7, "null": None, "a list": [1],
        "no ASCII": "ä\u2603", "half a surrogate": "\ud800", "100 kB": "x" * 20_000,
        "another page": "//evil.example", "a line break": "a\r\nset-cookie: x=y",
    }  # fmt: skip
    for member in attempt:
        for name, value in strange.items():
            changed = {**attempt, member: value}
            yield f"{member} is {name}", base64.urlsafe_b64encode(json.dumps(changed).encode())
    yield "deep JSON", base64.urlsafe_b64encode(b"[" * 20_000)
    yield "deep objects", base64.urlsafe_b64encode(b'{"state":' * 3_000)
    yield "no base64", b"****"
    yield "bytes above ASCII", "ä\u2603".encode()
    for value in ("7", "null", "[]", '""', "{}", '{"a":1}', "NaN"):
        yield f"JSON {value}", base64.urlsafe_b64encode(value.encode())

"""What QuPath says where a service cannot give what was requested, and who gets a token."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from api.accounts import PASSWORD, QUICK
from client.conftest import service_of
from qupath.images import ask, get, get_json, opened
from qupath.java import Program, running
from service.world import make_world
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.catalog import Catalog

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


@dataclass
class Stub:
    """A server that answers what a test says, and notes who asks with which token."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    busy: int = 0  # so many answers are 503 before
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    url: str = ""


@contextmanager
def serving(stub: Stub) -> Iterator[Stub]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            stub.asked.append((self.path, self.headers["Authorization"]))
            busy = len(stub.asked) <= stub.busy
            self.send_response(503 if busy else stub.status)
            for name, value in stub.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(stub.body)))
            self.end_headers()
            self.wfile.write(stub.body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        stub.url = f"http://127.0.0.1:{server.server_port}"
        yield stub
        server.shutdown()


def problem(detail: str) -> bytes:
    return json.dumps({"type": "/problems/x", "detail": detail}).encode()


CASES: dict[str, tuple[Stub, str, str]] = {
    "sign in (QP6)": (Stub(401, problem("who?")), "SIGN_IN", "a valid personal token is needed. who?"),
    "no right (QP6)": (Stub(403, problem("not yours")), "FORBIDDEN", "not yours"),
    "no slide (QP6)": (Stub(404, problem("no a")), "UNKNOWN_SLIDE", "There is no such slide"),
    "a new version (QP6)": (Stub(410, problem("gone")), "NEW_VERSION", "open it again"),
    "too busy (QP6)": (Stub(503, problem("full")), "BUSY", "try again later. full"),
    "for too long (QP8)": (Stub(429, problem("slow"), {"Retry-After": "31"}), "BUSY", "slow"),
    "refused (QP6)": (Stub(422, problem("bad")), "REFUSED", "answers 422"),
    "another site (QP6)": (Stub(200, b"<html>"), "BAD_ANSWER", "no answer of Wavescope"),
    "another JSON (QP6)": (Stub(200, b'{"format": "x"}'), "BAD_ANSWER", "no manifest of Wavescope"),
    "a redirect (QP7)": (Stub(302, b"", {"Location": "http://127.0.0.1:9/"}), "BAD_ANSWER", "answers 302"),
    "too large (QP8)": (Stub(200, b" " * (17 << 20)), "BAD_ANSWER", "has more than 16777216 bytes"),
}


@pytest.mark.parametrize(("stub", "kind", "text"), CASES.values(), ids=CASES.keys())
def test_qp6_qp7_qp8_what_a_service_answers_is_said(qupath: Program, stub: Stub, kind: str, text: str) -> None:
    with serving(stub):
        answer = ask(qupath, "open", f"{stub.url}/slides/a")
    assert answer["kind"] == kind
    assert text in answer["error"]
    assert len(stub.asked) == (4 if stub.status == 503 else 1)


def test_qp6_a_service_that_does_not_answer_is_named(qupath: Program) -> None:
    answer = ask(qupath, "open", "http://127.0.0.1:9/slides/a")
    assert answer["kind"] == "UNREACHABLE"
    assert "No service answers at http://127.0.0.1:9" in answer["error"]


def test_qp8_a_busy_service_is_asked_again(qupath: Program, service: str) -> None:
    body = json.dumps(get_json(f"{service}/api/v1/slides/grey")).encode()
    with serving(Stub(body=body, busy=2)) as stub:
        opened(qupath, f"{stub.url}/slides/grey")
        assert len(stub.asked) == 4  # two busy answers, the check whether it is a slide, its opening


@pytest.mark.parametrize("body", [b"", b"\x89PNG\r\n\x1a\n", b"no picture", b"x" * 400_000])
def test_qp8_what_is_no_tile_is_refused(qupath: Program, service: str, body: bytes, tmp_path: Path) -> None:
    manifest = json.dumps(get_json(f"{service}/api/v1/slides/grey")).encode()
    with serving(Stub(body=manifest)) as stub:
        opened(qupath, f"{stub.url}/slides/grey")
        stub.body = body
        answer = ask(qupath, "region", 0, 1, 0, 0, 10, 10, 0, tmp_path / "a")
    assert answer["kind"] == "BAD_ANSWER"


def test_qp8_a_tile_of_another_size_is_refused(qupath: Program, service: str, tmp_path: Path) -> None:
    manifest = get_json(f"{service}/api/v1/slides/grey")
    with serving(Stub(body=json.dumps(manifest).encode())) as stub:
        opened(qupath, f"{stub.url}/slides/grey")
        stub.body = get(f"{service}{manifest['url']}/tiles/0/0/2/1.png")  # the last one
        answer = ask(qupath, "region", 0, 1, 0, 0, 10, 10, 0, tmp_path / "a")
    assert answer["kind"] == "BAD_ANSWER"
    assert "another size" in answer["error"]


def token_of(service: str) -> str:
    """A personal token of Ivan, as he makes it in a browser."""
    with httpx.Client(base_url=f"{service}/api/v1", headers={"origin": service}) as browser:
        assert browser.post("/sign-in", json={"name": "ivan", "password": PASSWORD}).status_code == 200
        return str(browser.post("/account/tokens", json={"title": "QuPath"}).json()["token"])


def test_qp5_qp7_a_service_with_accounts_opens_slides_for_who_has_a_token(qupath: Program, tmp_path: Path) -> None:
    store = make_world(tmp_path).store
    catalog = Catalog.open(store)
    owner = Accounts(catalog).add("ivan", "Ivan", "instructor", QUICK)
    SharingTable(catalog).own("slide", "visual", owner.id)
    catalog.close()
    with service_of(store, access="accounts") as service:
        answer = ask(qupath, "open", f"{service}/slides/visual")
        assert answer["kind"] == "UNKNOWN_SLIDE"
        assert "that is visible without a token" in answer["error"]
        ask(qupath, "token", service, "no-such-token")
        assert ask(qupath, "open", f"{service}/slides/visual")["kind"] == "SIGN_IN"
        token = token_of(service)
        assert ask(qupath, "token", service, token) == "used"
        found = opened(qupath, f"{service}/slides/visual")
        assert ask(qupath, "region", 0, 1, 0, 0, 10, 10, 0, tmp_path / "a") == [10, 10, 3]
        assert token not in json.dumps(found)
        answer = ask(qupath, "open", f"{service}/slides/lossless")
        assert (answer["kind"], token in answer["error"]) == ("UNKNOWN_SLIDE", False)
        with serving(Stub(404)) as other:
            ask(qupath, "open", f"{other.url}/slides/visual")
        assert [given for _, given in other.asked] == [None]


def test_qp7_the_token_of_the_environment_is_for_its_service_alone(classpath: str) -> None:
    with serving(Stub(404)) as own, serving(Stub(404)) as other:
        environment = {"WAVESCOPE_SERVICE": f"{own.url}/", "WAVESCOPE_TOKEN": "t-1"}
        with running(classpath, "Trial", **environment) as program:
            for stub in (own, other):
                ask(program, "open", f"{stub.url}/slides/a")
    assert [given for _, given in own.asked] == ["Bearer t-1"]
    assert [given for _, given in other.asked] == [None]

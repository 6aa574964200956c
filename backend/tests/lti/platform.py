"""A small learning platform that really runs on loopback: it signs launches, issues tokens and stores scores."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, DEPLOYMENT = "wavescope", "1"
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP = "https://purl.imsglobal.org/spec/lti-dl/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"


def new_key(kid: str = "p1") -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": kid, "alg": "RS256", "use": "sig"}, private=True)


@dataclass
class Platform:
    """``tool_keys``: those of the service; ``status``: how scores are answered; ``scores``: paths and bodies."""

    url: str = ""
    key: RSAKey = field(default_factory=new_key)
    tool_keys: Callable[[], dict[str, Any]] = lambda: {"keys": []}
    status: int = 200
    scores: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    teachers: set[str] = field(default_factory=set)  # whose scores it does not store
    tokens: set[str] = field(default_factory=set)
    members: list[dict[str, Any]] = field(default_factory=list)  # of the course
    page: int = 2  # members of one page, whatever is asked for
    elsewhere: str = ""  # where the next page of members is said to be
    members_read: int = 0
    registered: list[dict[str, Any]] = field(default_factory=list)
    next: str = ""  # the link of the answer
    received: threading.Event = field(default_factory=threading.Event)

    def facts(self, **others: Any) -> dict[str, Any]:
        """What an administrator enters."""
        return {
            "title": "Moodle", "issuer": self.url, "client_id": CLIENT, "deployments": [DEPLOYMENT],
            "authorize_url": f"{self.url}/authorize", "token_url": f"{self.url}/token",
            "keys_url": f"{self.url}/keys", **others,
        }  # fmt: skip

    def claims(self, nonce: str, target: str, **others: Any) -> dict[str, Any]:
        """Those of a learner's launch of ``target``; ``others`` by short names."""
        now = int(time.time())
        return {
            "iss": self.url, "aud": CLIENT, "sub": "77", "iat": now, "exp": now + 60, "nonce": nonce, "name": "Lea L.",
            f"{CLAIM}version": "1.3.0", f"{CLAIM}message_type": "LtiResourceLinkRequest",
            f"{CLAIM}deployment_id": DEPLOYMENT, f"{CLAIM}target_link_uri": target,
            f"{CLAIM}resource_link": {"id": "link"}, f"{CLAIM}context": {"id": "course-9", "title": "Pathology"},
            f"{CLAIM}roles": [f"{ROLE}Learner"], **others,
        }  # fmt: skip

    def grading(self, line_item: str = "/items/3/lineitem") -> dict[str, Any]:
        """The claim of a link that has a line item."""
        return {f"{AGS}claim/endpoint": {"scope": [f"{AGS}scope/score"], "lineitem": self.url + line_item}}

    def listing(self) -> dict[str, Any]:
        """The claim of a link whose course the tool may read."""
        service = {"context_memberships_url": f"{self.url}/members", "service_versions": ["2.0"]}
        return {f"{NRPS}claim/namesroleservice": service}

    def teaching(self) -> dict[str, Any]:
        """The claim of a teacher."""
        return {f"{CLAIM}roles": [f"{ROLE}Instructor"]}

    def choosing(self) -> dict[str, Any]:
        """The claims of a teacher who makes a link."""
        settings = {
            "deep_link_return_url": f"{self.url}/return", "accept_types": ["ltiResourceLink"], "data": "opaque",
            "accept_presentation_document_targets": ["iframe"],
        }  # fmt: skip
        kind = {f"{CLAIM}message_type": "LtiDeepLinkingRequest", f"{DEEP}deep_linking_settings": settings}
        return {**self.teaching(), **kind}

    def sign(self, claims: dict[str, Any], key: RSAKey | None = None) -> str:
        signer = key or self.key
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, signer)

    def answer(self, method: str, path: str, body: bytes, bearer: str) -> tuple[int, Any]:
        place = urlsplit(path)
        if place.path == "/keys":
            return 200, KeySet([self.key]).as_dict(private=False)
        if place.path == "/configuration":
            ends = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
            ends |= {"registration_endpoint": "/register"}
            return 200, {"issuer": self.url, **{name: self.url + end for name, end in ends.items()}}
        if place.path == "/register":
            self.registered.append({"bearer": bearer, **json.loads(body)})
            tool = {"https://purl.imsglobal.org/spec/lti-tool-configuration": {"deployment_id": "d9"}}
            return 200, {"client_id": "given", **tool}
        if place.path == "/token":
            return self._token({name: one[0] for name, one in parse_qs(body.decode()).items()})
        if place.path == "/members" and bearer in self.tokens:
            return self._members({name: one[0] for name, one in parse_qs(place.query).items()})
        if method == "POST" and place.path.endswith("/scores") and bearer in self.tokens:
            if self.status == 200:
                return self._score(path, json.loads(body)), {}
            self.received.set()
            return self.status, {}
        return 401, {}

    def _score(self, path: str, score: dict[str, Any]) -> int:
        """The status for a score. Like Moodle, it wants a later second than that of the score that it has."""
        self.received.set()
        known = [one["timestamp"][:19] for at, one in self.scores if (at, one["userId"]) == (path, score["userId"])]
        if score["userId"] in self.teachers:
            return 400
        if known and score["timestamp"][:19] <= max(known):
            return 409
        self.scores.append((path, score))
        return 200

    def _members(self, asked: dict[str, str]) -> tuple[int, Any]:
        """A page of the members; the answer names the next one in a header, which ``Handler`` sends."""
        self.members_read += 1
        assert asked["role"] == f"{ROLE}Learner"
        start = int(asked.get("from", "0"))
        rest = f"{self.elsewhere or self.url}/members?{urlencode({**asked, 'from': start + self.page})}"
        self.next = rest if start + self.page < len(self.members) else ""
        return self.status, {"id": self.url, "members": self.members[start : start + self.page]}

    def _token(self, asked: dict[str, str]) -> tuple[int, Any]:
        """A token for who proves that it is the tool."""
        keys = KeySet.import_key_set(self.tool_keys())  # type: ignore[arg-type]
        claims = jwt.decode(asked["client_assertion"], keys, algorithms=["RS256"]).claims
        assert (claims["iss"], claims["sub"], claims["aud"]) == (CLIENT, CLIENT, f"{self.url}/token")
        assert asked["scope"] in (f"{AGS}scope/score", f"{NRPS}scope/contextmembership.readonly")
        token = f"token-{len(self.tokens)}"
        self.tokens.add(token)
        return 200, {"access_token": token, "token_type": "Bearer", "expires_in": 3600}


@contextmanager
def running(platform: Platform) -> Iterator[Platform]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer("GET", b"")

        def do_POST(self) -> None:
            self._answer("POST", self.rfile.read(int(self.headers["content-length"])))

        def _answer(self, method: str, body: bytes) -> None:
            bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
            status, answer = platform.answer(method, self.path, body, bearer)
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            if platform.next:
                self.send_header("link", f'<{platform.next}>; rel="next"')
                platform.next = ""
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    platform.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield platform
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

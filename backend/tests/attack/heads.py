"""HEAD of every route, several requests on one connection, and heads that are too large or no heads at all."""

from __future__ import annotations

import http.client
import socket

from attack.clinic import Clinic, filled, routes
from attack.report import Findings
from attack.service import Service

FAULTS = (
    "head too large",
    "not HTTP",
    "foreign host",
    "unknown path",
    "unknown method",
    "dropped connection",
)  # rows of shared/operations/faults.md
ENDLESS = "/events"
PATIENCE = 60.0  # seconds for an answer: an estimate starts a process


def attack_clinic(at: Clinic, findings: Findings) -> None:
    _raw(at.service, findings)
    _heads(at, findings)


def _heads(at: Clinic, findings: Findings) -> None:
    """HEAD is answered as GET is, without a body, and the connection goes on."""
    client = at.service.client()
    paths = [filled(path, operation, at.names) for _, path, operation in routes(client, "get")]
    paths += ["/", "/openapi.json", "/nowhere", "/api/v1/nowhere", f"/api/v1/slides/{at.names['slide_id']}/v/0/region"]
    cookies = {}
    if at.access == "accounts":
        cookies = {
            "cookie": "; ".join(f"{name}={value}" for name, value in at.service.signed_in("adam").cookies.items())
        }
    for path in findings.until_late([path for path in paths if not path.endswith(ENDLESS)]):
        right = client.get(path, headers=cookies, follow_redirects=False)
        connection = http.client.HTTPConnection("127.0.0.1", at.service.port, timeout=PATIENCE)
        connection.connect()
        opened = connection.sock
        try:
            connection.request("HEAD", path, headers=cookies)
            head = connection.getresponse()
            head.read()
            connection.request("GET", "/healthz")
            after = connection.getresponse()
            after.read()
            words = f"HEAD {path}: {head.status} (GET: {right.status_code}), then GET /healthz: {after.status}"
            same = head.status == right.status_code or (head.status == 405 and head.getheader("allow") is not None)
            findings.check(same and after.status == 200, words)
            findings.check(connection.sock is opened, f"HEAD {path} ends its connection")
        except (OSError, http.client.HTTPException) as error:
            findings.check(False, f"HEAD {path} breaks its connection: {type(error).__name__} {error}")
        finally:
            connection.close()
    client.close()


HOST = b"Host: 127.0.0.1\r\n"
RAW = {
    "a header of 1 MB": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 1_000_000 + b"\r\n\r\n",
    "100,000 headers": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 100_000 + b"\r\n",
    "a path of 200 kB": b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "a cookie of 60 kB": b"GET /api/v1/account HTTP/1.1\r\n" + HOST + b"Cookie: " + b"a=b; " * 12_000 + b"\r\n\r\n",
    "bytes that are no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) + b"\r\n\r\n",
    "two lengths": b"POST /api/v1/cases HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
    "a length and chunks": b"POST /api/v1/cases HTTP/1.1\r\n"
    + HOST
    + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a negative length": b"POST /api/v1/cases HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n",
    "a chunk that is no number": b"POST /api/v1/cases HTTP/1.1\r\n"
    + HOST
    + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
    "a foreign host": b"GET /api/v1/slides HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    "no host": b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
    "percent signs": b"GET /api/v1/slides/%ff%00%2e%2e%2f HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    "a path out of the page": b"GET /../../../../etc/passwd HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    "an encoded path out of the page": b"GET /..%2f..%2f..%2fetc%2fpasswd HTTP/1.1\r\n"
    + HOST
    + b"Connection: close\r\n\r\n",
    "an unknown method": b"BREW /healthz HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    "ranges without end": b"GET /healthz HTTP/1.1\r\n"
    + HOST
    + b"Range: bytes="
    + b"0-1," * 9_000
    + b"\r\nConnection: close\r\n\r\n",
}


def _raw(service: Service, findings: Findings) -> None:
    """Each is answered below 500 or closed, and the service answers others."""
    for name, data in findings.until_late(list(RAW.items())):
        answer = _said(service.port, data)
        status = int(answer[9:12]) if answer[:5] == b"HTTP/" else 0
        findings.check(status < 500 and b"root:" not in answer, f"{name}: {answer[:120]!r}")
        with service.client() as client:
            findings.check(client.get("/healthz").status_code == 200, f"after {name} the service does not answer")


def _said(port: int, data: bytes) -> bytes:
    """What comes back until the connection ends, or for two seconds without a word."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while len(answer) < 1 << 20 and (part := connection.recv(1 << 16)):
                answer += part
        except OSError:
            return answer
    return answer

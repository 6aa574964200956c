"""JSON made to hurt, to every route that reads JSON: refused below 500, whatever it holds."""

from __future__ import annotations

from contextlib import closing

import httpx

from attack.clinic import Clinic, filled, routes
from attack.report import Findings, Workspace

FAULTS = ("invalid body", "body too large")  # rows of shared/operations/faults.md
DEEP = 100_000
BODIES: dict[str, bytes] = {
    "deep arrays": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "deep arrays inside": b'{"title":' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "an endless number": b'{"title":' + b"9" * 5_000 + b"}",
    "a number out of range": b'{"days":1e999,"title":"x"}',
    "not a number": b'{"days":NaN,"title":"x"}',
    "half a surrogate": b'{"title":"\\ud800","name":"\\udc00","password":"\\ud800password12","nickname":"\\ud800"}',
    "a NUL": b'{"title":"\\u0000","name":"\\u0000","password":"password\\u000012","nickname":"\\u0000"}',
    "bytes that are no UTF-8": b'{"title":"\xff\xfe"}',
    "nothing": b"",
    "null": b"null",
    "a list of what should be an object": b"[{}]",
    "large integers": b'{"days":9223372036854775808,"rows":[18446744073709551616],"slides":[[1]],"stops":[null]}',
    "a body of 2 MB": b'{"title":"' + b"x" * 2_000_000 + b'"}',
}


def attack_clinic(at: Clinic, workspace: Workspace, findings: Findings, share: float) -> None:
    with closing(at.service.signed_in("adam") if at.access == "accounts" else at.service.client()) as client:
        asked = _asked(at)
        workspace.random(f"bodies {at.access}").shuffle(asked)
        _send(client, asked, share, findings)


def _asked(at: Clinic) -> list[tuple[str, str, str]]:
    """Every route that reads JSON with every body."""
    return [
        (method, filled(path, operation, at.names), name)
        for method, path, operation in routes(at.service.client(), "post", "put", "patch")
        if "application/json" in operation.get("requestBody", {}).get("content", {})
        for name in BODIES
    ]


def _send(client: httpx.Client, asked: list[tuple[str, str, str]], share: float, findings: Findings) -> None:
    headers = {"content-type": "application/json", "if-none-match": "*"}
    for method, path, name in findings.until_late(asked, share):
        answer = client.request(method, path, content=BODIES[name], headers=headers)
        findings.check(
            answer.status_code < 500, f"{method} {path} with {name}: {answer.status_code} {answer.text[:150]}"
        )

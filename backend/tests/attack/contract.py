"""Requests that schemathesis draws from the served contract, without accounts and as each kind of user: no answer of
500 or more, and every answer as the contract says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from attack.clinic import Clinic
from attack.report import Findings, Workspace
from attack.service import Service

FAULTS = ("invalid parameter", "unknown query parameter")  # rows of shared/operations/faults.md
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
USERS = {"anonymous": "", "a viewer": "vera", "an admin": "adam"}
ENDLESS = ("--exclude-path-regex", "/events$")  # streams that go on
RELATED, BYTES = "multipart/related", "application/octet-stream"
TESTS = str(Path(__file__).parents[1])
GRACE_SECONDS = 30.0  # beyond its budget of time, in which it writes its report


def attack_clinic(at: Clinic, workspace: Workspace, findings: Findings, share: float) -> None:
    """Without accounts one run; with them one as each kind of user, in the short form as an admin only."""
    users = {"": ""} if at.access == "local" else {"an admin": "adam"} if workspace.short else USERS
    for index, (words, name) in enumerate(users.items()):
        words = f"as {words}" if words else "without accounts"
        _run(workspace, at.service, words, name, findings, share / (len(users) - index))


def _run(workspace: Workspace, service: Service, words: str, name: str, findings: Findings, share: float) -> None:
    """One run; each operation of the contract counts as one case."""
    seconds = max(4.0, share * findings.left)
    report = workspace.folder / f"{words.replace(' ', '-')}.xml"
    headers = ["-H", f"Origin: {service.url}"]
    if name:
        cookies = "; ".join(f"{key}={value}" for key, value in service.signed_in(name).cookies.items())
        headers += ["-H", f"Cookie: {cookies}"]
    program, document = Path(sys.executable).with_name("schemathesis"), _document(workspace, service)
    command = [
        *(str(program), "run", str(document), "--url", service.url, *headers, *ENDLESS),
        *("--checks", CHECKS, "--phases", "coverage,fuzzing", "--max-examples", "20" if workspace.short else "200"),
        *("--seed", str(workspace.seed), "--max-time", str(int(seconds)), "--request-timeout", "15", "--workers", "1"),
        *("--continue-on-failure", "--no-shrink", "--generation-database", "none", "--no-color", "--warnings", "off"),
        *("--report-junit-path", str(report)),
    ]
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": "attack.serializers",
        "PYTHONPATH": TESTS,
        "PYTHONWARNINGS": "ignore",
    }
    limit = min(seconds + GRACE_SECONDS, findings.end - time.monotonic() - 1)
    try:
        done = subprocess.run(
            command, cwd=workspace.folder, env=environment, capture_output=True, text=True, timeout=max(1.0, limit)
        )
    except subprocess.TimeoutExpired:
        findings.add("note", f"{words}: schemathesis was stopped after {limit:.0f} s, before its report")
        return
    if not report.exists():
        findings.check(
            False, f"{words}: schemathesis ended with {done.returncode}: {(done.stdout + done.stderr)[-400:]}"
        )
        return
    _count(report, words, findings)
    findings.check(not service.faults(), f"{words}: {service.faults()}")


def _document(workspace: Workspace, service: Service) -> Path:
    """The served contract; tuples of equal members as arrays: schemathesis reads them by an older draft's rules."""

    def plain(part: Any) -> Any:
        if isinstance(part, list):
            return [plain(item) for item in part]
        if not isinstance(part, dict):
            return part
        first = next(iter(part.get("prefixItems", ())), None)
        if first and all(member == first for member in part["prefixItems"]):
            part = {**{key: value for key, value in part.items() if key != "prefixItems"}, "items": first}
        if RELATED in part.get("requestBody", {}).get("content", {}):  # of which schemathesis makes no bodies
            part = {**part, "requestBody": {"content": {BYTES: part["requestBody"]["content"][RELATED]}}}
        return {key: plain(value) for key, value in part.items()}

    with service.client() as client:
        document = plain(client.get("/openapi.json").json())
    path = workspace.folder / "openapi.json"
    path.write_text(json.dumps(document))
    return path


def _count(report: Path, words: str, findings: Findings) -> None:
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        faults = [found for kind in ("failure", "error") for found in case.findall(kind)]
        said = " ".join(re.sub(r"\s+", " ", found.text or found.get("message") or "")[:600] for found in faults)
        findings.check(not faults, f"{words}: {case.get('name')}: {said}")

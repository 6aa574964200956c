"""What the commands of ``shared/tools`` find and report, tried on planted faults."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "shared" / "tools"
NODE = shutil.which("node") or ""

pytestmark = pytest.mark.skipif(not NODE, reason="node is not installed")


def node(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [NODE, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **environment}
    )


def call(module: str, expression: str, *arguments: Any) -> Any:
    """The value of a JavaScript expression of ``tool``, a module of the tools, and ``given``, these arguments."""
    code = f"""
        const given = JSON.parse(process.argv[1]);
        const tool = await import(process.argv[2]);
        console.log(JSON.stringify({expression}));
    """
    done = node("--input-type=module", "-e", code, json.dumps(arguments), TOOLS / module)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


SPEC = "# A\n\n- **ST1** One.\n- **ST2** Two, as ST3 says.\n- **ST3** Three.\n"
COMPARE = """(() => {
    const defined = tool.definedRules(given[0]);
    const kinds = Object.fromEntries(tool.KINDS.map((kind) => [kind.folder, kind.titles]));
    const tests = given[1].map(([folder, text]) => [folder, tool.citedRules(text, kinds[folder])]);
    return tool.compare(defined, tests).complaints;
})()"""
CITING = {
    "a name in Python": ("backend/tests", "def test_it_holds_st1_st2_st3() -> None:\n    pass\n"),
    "a docstring in Python": (
        "backend/tests",
        'async def test_it(\n    a: int, b: str\n) -> None:\n    """ST1 to ST3: it holds."""\n',
    ),
    "ids in Python": ("backend/tests", 'CASES = {"no title (ST1, ST2)": 1, "no text (ST3)": 2}'),
    "titles in TypeScript": (
        "frontend/app/src",
        'describe("a store", () => {\n  it.each([1, 2])("ST1: %s", f);\n  test(\n    `ST2-ST3`, g);\n});',
    ),
    "a title of Playwright": ("e2e/tests", 'test("it holds (ST1-ST3)", async ({ page }) => {'),
    "a name in C": ("shared/kernel/test", "TEST(ST1_it_holds_st2_st3) {"),
}


@pytest.mark.parametrize(("folder", "text"), CITING.values(), ids=CITING.keys())
def test_a_rule_is_cited_by(folder: str, text: str) -> None:
    assert call("checks/rules.mjs", COMPARE, [["a.md", SPEC]], [[folder, text]]) == []


def test_a_rule_that_no_test_cites_is_found() -> None:
    text = 'def test_st1_and_st2() -> None:\n    rule = "ST3"  # ST3\n'
    found = call("checks/rules.mjs", COMPARE, [["a.md", SPEC]], [["backend/tests", text]])
    assert found == ["ST3 (a.md) is cited by no test"]


def test_a_rule_that_no_document_defines_or_two_define_is_found() -> None:
    documents = [["a.md", SPEC], ["b/c.md", "- **ST3** Again."]]
    text = "def test_st1_st2_st3_st4_utf8() -> None: ...\n"
    assert call("checks/rules.mjs", COMPARE, documents, [["backend/tests", text]]) == [
        "ST3 is defined in a.md and in b/c.md",
        "backend/tests cites ST4, which no document defines",
    ]


JUNIT = """<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4" time="1.0">
<testcase classname="tests.a" name="test_good" time="0.1" />
<testcase classname="tests.a" name="test_bad[&lt;b&gt;]" time="0.1">
<failure message="assert 1 == 2&#10; + where 1 = a">x</failure>
</testcase><testcase classname="tests.a" name="test_lost"><error message="failed on setup">x</error></testcase>
<testcase classname="tests.a" name="test_none"><skipped type="pytest.skip" message="no data">x</skipped></testcase>
</testsuite></testsuites>"""


def test_a_report_of_pytest_names_failed_tests_with_their_reasons(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(JUNIT)
    assert call("reports.mjs", "tool.readJunit(given[0])", str(tmp_path / "report.xml")) == {
        "passed": 1,
        "failed": 2,
        "skips": ["no data"],
        "failures": ["tests.a test_bad[<b>]: assert 1 == 2 | + where 1 = a", "tests.a test_lost: failed on setup"],
    }


def test_a_report_of_playwright_names_failed_tests_with_their_reasons(tmp_path: Path) -> None:
    error = {"message": "Error: \u001b[31mexpect\u001b[39m(1).toBe(2)\n\nExpected: 2\nReceived: 1\n    at a.ts:3:4"}
    failed = {"status": "unexpected", "annotations": [], "results": [{"errors": [error]}]}
    spec = {"file": "a.spec.ts", "line": 3, "title": "it holds", "tests": [failed]}
    report = {"stats": {"expected": 4, "flaky": 0, "unexpected": 1}, "suites": [{"specs": [spec]}], "errors": []}
    (tmp_path / "report.json").write_text(json.dumps(report))
    found = call("reports.mjs", "tool.readPlaywright(given[0])", str(tmp_path / "report.json"))
    assert (found["passed"], found["failed"]) == (4, 1)
    assert found["failures"] == ["a.spec.ts:3 it holds: Error: expect(1).toBe(2) | Expected: 2 | Received: 1"]


@pytest.mark.parametrize(
    ("answer", "outcome", "code"),
    [
        ("1 high severity vulnerability", "failed - 1 high severity vulnerability", 1),
        ("npm error code ENOTFOUND", "skipped - its advisory service cannot be reached: npm error code ENOTFOUND", 0),
    ],
)
def test_a_known_fault_fails_the_audit_and_a_service_that_is_away_does_not_pr60(
    tmp_path: Path, answer: str, outcome: str, code: int
) -> None:
    (tmp_path / "npm").write_text(f"#!/bin/sh\necho '{answer}'\nexit 1\n")
    (tmp_path / "npm").chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = node(TOOLS / "checks" / "audit-dependencies.mjs", PATH=path, PIP_NO_INDEX="1")
    lines = done.stdout.splitlines()
    assert lines[1:] == [f"npm audit of {folder}: {outcome}" for folder in ("frontend", "e2e")]
    assert lines[0] == "pip-audit: skipped - pip-audit could not be installed here"
    assert done.returncode == code


def test_the_code_is_formatted_before_it_is_linted() -> None:
    kinds = [name.split()[-1] for name in call("steps.mjs", "tool.FORMATTING.map(({ name }) => name)")]
    assert kinds == sorted(kinds)
    assert set(kinds) == {"format", "lint"}


CRYPTO = "(await import('node:crypto'))"
CHANGES = "# Changelog\n\n## 0.2.0\n\n### Slides\n\n- New.\n\n## 0.1.0\n\n- Old.\n"


def test_a_release_has_sums_of_all_its_files_signed_and_the_notes_of_its_version_in17(tmp_path: Path) -> None:
    for name in ("wavescope-0.2.0-py3-none-any.whl", "wavescope-0.2.0.tar.gz", "other.txt"):
        (tmp_path / name).write_text(name)
    forms = "{privateKeyEncoding: {type: 'pkcs8', format: 'pem'}, publicKeyEncoding: {type: 'spki', format: 'pem'}}"
    keys = call("repository.mjs", f"{CRYPTO}.generateKeyPairSync('ed25519', {forms})")
    call("release.mjs", "tool.complete(...given) ?? null", str(tmp_path), "0.2.0", CHANGES, keys["privateKey"])
    assert (tmp_path / "wavescope-0.2.0-changes.md").read_text() == "### Slides\n\n- New.\n"
    sums = tmp_path / "wavescope-0.2.0.sha256"
    named = [line.split("  ")[1] for line in sums.read_text().splitlines()]
    assert named == ["wavescope-0.2.0-changes.md", "wavescope-0.2.0-py3-none-any.whl", "wavescope-0.2.0.tar.gz"]
    assert (
        subprocess.run(["sha256sum", "-c", sums.name], cwd=tmp_path, capture_output=True, check=False).returncode == 0
    )
    checked = f"{CRYPTO}.verify(null, Buffer.from(given[0]), given[1], Buffer.from(given[2], 'base64'))"
    signature = base64.b64encode((tmp_path / "wavescope-0.2.0.sha256.sig").read_bytes()).decode()
    assert call("repository.mjs", checked, sums.read_text(), keys["publicKey"], signature)
    assert not call("repository.mjs", checked, sums.read_text() + "x", keys["publicKey"], signature)


@pytest.mark.parametrize("changelog", ["# Changelog\n", "# Changelog\n\n## 0.2.0\n\n## 0.1.0\n\n- Old.\n"])
def test_a_version_without_notes_is_not_released_in17(changelog: str) -> None:
    said = "(() => { try { return tool.notes(...given); } catch (cause) { return cause.message; } })()"
    assert "no section" in call("release.mjs", said, changelog, "0.2.0")


def test_the_changelog_has_a_section_of_this_version_in17() -> None:
    changelog = (TOOLS.parents[1] / "CHANGELOG.md").read_text()
    version = json.loads((TOOLS.parents[1] / "frontend" / "package.json").read_text())["version"]
    assert "### Slides and their import" in call("release.mjs", "tool.notes(...given)", changelog, version)

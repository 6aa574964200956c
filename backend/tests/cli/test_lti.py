"""``wavescope lti`` as an admin types it; everything done stands in the audit log."""

from __future__ import annotations

from pathlib import Path

from cli.test_cli import Capture, refused, run, run_json
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.lti.platforms import Platforms

MOODLE = "https://moodle.example"
FACTS = (
    "--title", "Moodle", "--issuer", MOODLE, "--client-id", "c9", "--authorize-url", f"{MOODLE}/auth",
    "--token-url", f"{MOODLE}/token", "--keys-url", f"{MOODLE}/keys",
)  # fmt: skip


def test_platforms_are_added_listed_and_removed_and_each_is_recorded_lt1_lt3_pr30(
    tmp_path: Path, capsys: Capture
) -> None:
    Catalog.open(tmp_path).close()
    at = ("--store", tmp_path)
    assert "wavescope lti add" in run(capsys, "lti", "list", *at)[2]
    code, made, _ = run(capsys, "lti", "add", *FACTS, "--deployment", "1", "--deployment", "2", *at)
    assert code == 0
    (listed,) = run_json(capsys, "lti", "list", *at)
    assert (listed["id"], listed["deployments"], listed["frames"]) == (made.strip(), ["1", "2"], [])
    assert listed["scores"] == {"waiting": 0, "lost": 0, "fault": ""}
    assert run(capsys, "lti", "list", *at)[1] == f"{made.strip()} Moodle: {MOODLE}, last launch: never\n"
    catalog = Catalog.open(tmp_path)
    Platforms(catalog).note_launch(made.strip(), 0.0)
    catalog.close()
    assert "last launch: 19" in run(capsys, "lti", "list", *at)[1]
    assert run(capsys, "lti", "remove", made.strip(), *at)[1] == "Moodle: removed\n"
    assert run_json(capsys, "lti", "list", *at) == []
    entries = run_json(capsys, "audit", "list", *at)
    assert [(one["action"], one["detail"]["platform"]) for one in entries] == [
        ("platform removed", MOODLE), ("platform added", MOODLE),
    ]  # fmt: skip


def test_a_wrong_platform_is_refused_in_one_line_lt2(tmp_path: Path, capsys: Capture) -> None:
    Catalog.open(tmp_path).close()
    at = ("--store", tmp_path)
    assert "https" in refused(capsys, "lti", "add", *FACTS, "--frame", "moodle", *at)
    run(capsys, "lti", "add", *FACTS, *at)
    assert "c9" in refused(capsys, "lti", "add", *FACTS, *at)
    assert "none" in refused(capsys, "lti", "remove", "none", *at)

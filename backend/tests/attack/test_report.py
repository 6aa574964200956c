"""A suite of attacks that cannot fail would be no suite."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from attack.nursery import Fault, Nursery
from attack.report import Attack, Findings, Outcome, Workspace, run_attack


def outcome(attack: Attack, folder: Path, seconds: float = 60) -> Outcome:
    return run_attack("one", attack, Workspace(folder, True, 1), seconds)


def test_cases_that_held_and_cases_that_failed_are_counted_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def attack(workspace: Workspace, findings: Findings) -> None:
        for number in range(5):
            findings.check(number != 3, f"case {number}")

    assert outcome(attack, tmp_path) == Outcome(4, 1)
    assert "case 3" in capsys.readouterr().out


def test_an_attack_that_ends_early_or_tries_nothing_has_failed(tmp_path: Path) -> None:
    def ends(workspace: Workspace, findings: Findings) -> None:
        raise RuntimeError("the service did not start")

    assert outcome(ends, tmp_path) == Outcome(0, 1)
    assert outcome(lambda workspace, findings: None, tmp_path) == Outcome(0, 1)


@pytest.mark.slow
def test_an_attack_that_does_not_end_is_stopped_with_all_it_started_and_keeps_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def hangs(workspace: Workspace, findings: Findings) -> None:
        child = subprocess.Popen(["sleep", "1000"], process_group=0)  # a group of its own, like a nursery's child
        (tmp_path / "child").write_text(str(child.pid))
        findings.check(True, "")
        findings.check(False, "this\none fell")
        child.wait()

    assert outcome(hangs, tmp_path, 3) == Outcome(1, 1)
    printed = capsys.readouterr().out
    assert "this\none fell" in printed
    assert "the cases after that were not tried" in printed
    child = Path("/proc") / (tmp_path / "child").read_text() / "stat"
    assert not child.exists() or ") Z " in child.read_text()


def test_an_attack_without_time_for_its_first_case_is_said_to_be_late_and_one_that_dies_has_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def hangs(workspace: Workspace, findings: Findings) -> None:
        signal.pause()

    def dies(workspace: Workspace, findings: Findings) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    assert outcome(hangs, tmp_path, 0.5) == Outcome(0, 0, late=True)
    assert "late one: 0 tried" in capsys.readouterr().out
    assert outcome(dies, tmp_path) == Outcome(0, 1)


def test_when_the_time_is_up_one_case_is_tried_and_the_rest_is_noted() -> None:
    findings = Findings(time.monotonic() - 1)
    assert list(findings.until_late([1, 2, 3])) == [1]
    assert findings.notes == ["time for 1 of 3 cases"]


def test_choices_are_the_same_in_every_run(tmp_path: Path) -> None:
    draws = [Workspace(tmp_path, True, 9).random("shards").random() for _ in range(2)]
    assert draws[0] == draws[1] != Workspace(tmp_path, True, 8).random("shards").random()


@pytest.mark.slow
def test_the_chosen_call_fails_in_the_child_or_kills_it(tmp_path: Path) -> None:
    with Nursery() as nursery:
        arguments = ["list", "--json", "--store", str(tmp_path)]
        new = ["ingest", "specimen:64x64", "--id", "s", "--store", str(tmp_path)]
        full = nursery.run("command", tmp_path, Fault(2, "from", errno.ENOSPC), arguments=new)
        killed = nursery.run("command", tmp_path, Fault(2, "kill"), arguments=new)
        assert full.code not in (0, -9)
        assert killed.code == -9
        made = nursery.run("command", tmp_path, arguments=new)
        assert (made.code, made.calls > 20) == (0, True)
        assert [slide["id"] for slide in nursery.run("command", tmp_path, arguments=arguments).said[0]] == ["s"]

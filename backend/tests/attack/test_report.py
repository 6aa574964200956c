"""A suite of attacks that cannot fail would be no suite."""

from __future__ import annotations

import errno
import time
from pathlib import Path

import pytest

from attack.nursery import Fault, Nursery
from attack.report import Attack, Findings, Ground, run_attack


def outcome(attack: Attack, folder: Path) -> tuple[int, int]:
    return run_attack("one", attack, Ground(folder, True, 1), 60)


def test_cases_that_held_and_cases_that_failed_are_counted_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def attack(ground: Ground, findings: Findings) -> None:
        for number in range(5):
            findings.check(number != 3, f"case {number}")

    assert outcome(attack, tmp_path) == (4, 1)
    assert "case 3" in capsys.readouterr().out


def test_an_attack_that_ends_early_or_tries_nothing_has_failed(tmp_path: Path) -> None:
    def ends(ground: Ground, findings: Findings) -> None:
        raise RuntimeError("the service did not start")

    assert outcome(ends, tmp_path) == (0, 1)
    assert outcome(lambda ground, findings: None, tmp_path) == (0, 1)


def test_when_the_time_is_up_one_case_is_tried_and_the_rest_is_noted() -> None:
    findings = Findings(time.monotonic() - 1)
    assert list(findings.until_late([1, 2, 3])) == [1]
    assert findings.notes == ["time for 1 of 3 cases"]


def test_choices_are_the_same_in_every_run(tmp_path: Path) -> None:
    draws = [Ground(tmp_path, True, 9).random("shards").random() for _ in range(2)]
    assert draws[0] == draws[1] != Ground(tmp_path, True, 8).random("shards").random()


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

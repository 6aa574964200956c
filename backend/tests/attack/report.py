"""What an attack tried and what it found, inside a budget of time with a hard end."""

from __future__ import annotations

import json
import os
import selectors
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TypeVar

from attack.session import Session

Case = TypeVar("Case")
Report = Callable[[str, str], None]  # kind of line (passed, failed, note), its text
SHOWN = 12  # failures of one attack that are printed
CALM = 0.75  # of an attack's time: after this share no case begins; at the end of it the attack is stopped


@dataclass
class Findings:
    """One attack's cases, counted; ``failures`` say how to do it again. Times are in monotonic seconds: no case begins
    after ``deadline``, and at ``end`` the attack is stopped, wherever it is. ``report`` gets each line at once."""

    deadline: float
    end: float = float("inf")
    report: Report = lambda kind, text: None
    tried: int = 0
    failures: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def left(self) -> float:
        """Seconds in which cases may begin."""
        return max(0.0, self.deadline - time.monotonic())

    def check(self, passed: bool, failure: str) -> bool:
        """Counts one case."""
        self.add("passed" if passed else "failed", failure)
        return passed

    def add(self, kind: str, text: str) -> None:
        """Counts a case that passed or failed, or adds a note."""
        if kind == "note":
            self.notes.append(text)
        else:
            self.tried += 1
        if kind == "failed":
            self.failures.append(text)
        self.report(kind, text)

    def until_late(self, cases: Sequence[Case], share: float = 1.0) -> Iterator[Case]:
        """The cases one after another for a share of the time left, and a note if it ran out. One is always given."""
        end = time.monotonic() + share * self.left
        for index, case in enumerate(cases):
            if index and time.monotonic() >= end:
                self.add("note", f"time for {index} of {len(cases)} cases")
                return
            yield case


@dataclass(frozen=True)
class Workspace:
    """Where an attack takes place: an empty folder, a seeded choice of cases, and whether it has to be short."""

    folder: Path
    short: bool
    seed: int

    def random(self, name: str) -> Random:
        """The same numbers in every run, whatever ran before."""
        return Random(f"{self.seed} {name}")

    def place(self, name: str) -> Path:
        """A new empty folder."""
        place = self.folder / name
        place.mkdir(parents=True)
        return place


Attack = Callable[[Workspace, Findings], None]


@dataclass(frozen=True)
class Outcome:
    """How many cases of an attack passed and failed; ``late`` if time ran out before it had tried any."""

    passed: int
    failed: int
    late: bool = False


def run_attack(name: str, attack: Attack, workspace: Workspace, seconds: float) -> Outcome:
    """Runs one attack in a session of processes of its own, ends it after ``seconds`` at the latest, and prints what
    it tried, what failed and what was not tried."""
    begin = time.monotonic()
    findings = Findings(begin + CALM * seconds, begin + seconds)
    ended = _run_apart(attack, workspace, findings)
    late = not ended and not findings.tried
    if not ended:
        findings.add("note", f"stopped after {seconds:.0f} s; the cases after that were not tried")
    elif not findings.tried:
        findings.check(False, "nothing was tried")
    _print(name, findings, time.monotonic() - begin, late)
    failed = len(findings.failures)
    return Outcome(findings.tried - failed, failed, late)


def _run_apart(attack: Attack, workspace: Workspace, findings: Findings) -> bool:
    """Whether the attack came to its end by itself; what it reports is added to ``findings`` either way."""
    reading, writing = os.pipe()

    def work() -> None:
        os.close(reading)
        tempfile.tempdir = os.environ["TMPDIR"] = str(workspace.folder)  # removed with it, however the attack ends
        with os.fdopen(writing, "w", buffering=1) as lines:
            own = Findings(
                findings.deadline, findings.end, lambda kind, text: print(kind, json.dumps(text), file=lines)
            )
            try:
                attack(workspace, own)
            except Exception as error:  # what an attack cannot cope with is a finding: the others still run
                own.check(False, f"the attack itself ended: {type(error).__name__}: {error}")
            print("end", file=lines)

    with Session(work):
        os.close(writing)
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            return _collect(pipe.fileno(), findings)


def _collect(pipe: int, findings: Findings) -> bool:
    """Adds lines until the last one (true) or until the time is up (false)."""
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while (left := findings.end - time.monotonic()) > 0:
            if not selector.select(left):
                continue
            part = os.read(pipe, 1 << 16)
            if not part:
                findings.check(False, "the attack's process ended without a word")
                return True
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                kind, _, text = line.decode().partition(" ")
                if kind == "end":
                    return True
                findings.add(kind, json.loads(text))
    return False


def _print(name: str, findings: Findings, took: float, late: bool) -> None:
    failed = len(findings.failures)
    notes = "".join(f"; {note}" for note in findings.notes)
    begin = "FAIL" if failed else "late" if late else "ok  "
    print(f"{begin} {name}: {findings.tried} tried, {failed} failed ({took:.0f} s){notes}", flush=True)
    for failure in findings.failures[:SHOWN]:
        print(f"       {failure}", flush=True)
    if failed > SHOWN:
        print(f"       and {failed - SHOWN} more", flush=True)

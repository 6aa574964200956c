"""What an attack tried and what it found, inside a budget of time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TypeVar

Case = TypeVar("Case")
SHOWN = 12  # failures of one attack that are printed


@dataclass
class Findings:
    """One attack's cases, counted; ``failures`` say how to do it again. ``deadline`` is in monotonic seconds."""

    deadline: float
    tried: int = 0
    failures: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def left(self) -> float:
        """Seconds."""
        return max(0.0, self.deadline - time.monotonic())

    def check(self, held: bool, failure: str) -> bool:
        """Counts one case."""
        self.tried += 1
        if not held:
            self.failures.append(failure)
        return held

    def until_late(self, cases: Sequence[Case], share: float = 1.0) -> Iterator[Case]:
        """The cases one after another for a share of the time left, and a note if it ran out. One is always given."""
        end = time.monotonic() + share * self.left
        for index, case in enumerate(cases):
            if index and time.monotonic() >= end:
                self.notes.append(f"time for {index} of {len(cases)} cases")
                return
            yield case


@dataclass(frozen=True)
class Ground:
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


Attack = Callable[[Ground, Findings], None]


def run_attack(name: str, attack: Attack, ground: Ground, seconds: float) -> tuple[int, int]:
    """Runs one attack and prints what it tried and what failed; (passed, failed)."""
    begin = time.monotonic()
    findings = Findings(begin + seconds)
    try:
        attack(ground, findings)
    except Exception as error:  # what an attack cannot cope with is a finding: the others still run
        findings.check(False, f"the attack itself ended: {type(error).__name__}: {error}")
    if not findings.tried:
        findings.check(False, "nothing was tried")
    failed = min(len(findings.failures), findings.tried)
    took = time.monotonic() - begin
    notes = "".join(f"; {note}" for note in findings.notes)
    print(
        f"{'FAIL' if failed else 'ok  '} {name}: {findings.tried} tried, {failed} failed ({took:.0f} s){notes}",
        flush=True,
    )
    for failure in findings.failures[:SHOWN]:
        print(f"       {failure}", flush=True)
    if len(findings.failures) > SHOWN:
        print(f"       and {len(findings.failures) - SHOWN} more", flush=True)
    return findings.tried - failed, failed

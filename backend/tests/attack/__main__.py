"""Attacks, one after another, each for its share of the time that is left. An attack that does not end in its share is
stopped; what was not tried for want of time is said. Ends with ``N passed, N failed``."""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
import time
from pathlib import Path

from attack.nursery import failing_calls
from attack.report import Workspace, run_attack

# name -> share of the time
ATTACKS = {
    "hostile_files": 4,
    "shards": 2,
    "flipped_bits": 3,
    "kill_points": 5,
    "forged_cookies": 3,
    "watched_folder": 3,
    "routes": 8,
}
NURSED = {"hostile_files", "flipped_bits", "kill_points"}
SECONDS, SHORT_SECONDS = 560.0, 100.0  # what remains of ten and of two minutes is for setup and for ending processes
SEED = 9


def main() -> int:
    parser = argparse.ArgumentParser(prog="npm run attack --", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(ATTACKS)}")
    parser.add_argument("--short", action="store_true", help="fewer cases, at most two minutes")
    parser.add_argument("--seconds", type=float, help="for all attacks together")
    parser.add_argument("--seed", type=int, default=SEED, help="another choice of cases")
    asked = parser.parse_args()
    unknown = set(asked.names) - set(ATTACKS)
    if unknown:
        parser.error(f"no such attack: {', '.join(sorted(unknown))}")
    chosen = asked.names or list(ATTACKS)
    seconds = asked.seconds or (SHORT_SECONDS if asked.short else SECONDS)
    end = time.monotonic() + seconds
    attacks = {name: importlib.import_module(f"attack.{name}").attack for name in chosen}
    if NURSED & set(chosen):
        failing_calls()  # once, not in every attack
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="wavescope-attack-", ignore_cleanup_errors=True) as folder:
        for index, name in enumerate(chosen):
            workspace = Workspace(Path(folder) / name, asked.short, asked.seed)
            workspace.folder.mkdir()
            share = ATTACKS[name] / sum(ATTACKS[later] for later in chosen[index:])
            outcome = run_attack(name, attacks[name], workspace, share * max(0.0, end - time.monotonic()))
            passed, failed = passed + outcome.passed, failed + outcome.failed
            if outcome.late:
                print(f"{name}: skipped - no time for its first case", flush=True)
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

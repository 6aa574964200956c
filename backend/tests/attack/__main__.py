"""Attacks, one after another, each for its share of the time. Ends with ``N passed, N failed``."""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from pathlib import Path

from attack.report import Ground, run_attack

# name -> share of the time
ATTACKS = {
    "hostile_files": 5,
    "shards": 2,
    "flipped_bits": 3,
    "kill_points": 5,
    "forged_cookies": 2,
    "heads": 1,
    "bodies": 1,
    "watched_folder": 2,
    "contract": 6,
}
SECONDS, SHORT_SECONDS = 540.0, 100.0
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
    shares = sum(ATTACKS[name] for name in chosen)
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="wavescope-attack-") as folder:
        for name in chosen:
            attack = importlib.import_module(f"attack.{name}").attack
            ground = Ground(Path(folder) / name, asked.short, asked.seed)
            ground.folder.mkdir()
            held, fell = run_attack(name, attack, ground, seconds * ATTACKS[name] / shares)
            passed, failed = passed + held, failed + fell
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

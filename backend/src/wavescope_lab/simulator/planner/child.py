"""The child process of a simulation: ``python -m wavescope_lab.simulator.planner.child``.

It reads one line of JSON, ``{"points": [{"at", "situation", "equipment"}, ...], "seed", "goal"}``, and prints lines of
JSON; ``met`` if there is a goal:

{"progress": 0.25}
{"at": 40, "metrics": {"response": {"mean": 0.06, "half": 0.001}, ...}, "met": true}

It ends with its standard input: nobody waits for it then.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from typing import Any

from wavescope_lab.planning.search import Goal
from wavescope_lab.planning.situation import checked_equipment, checked_situation
from wavescope_lab.simulator.planner.confirm import missed_by
from wavescope_lab.simulator.planner.simulate import simulate_plan

STEP = 0.01
"""Of the whole: progress is not reported more finely."""


def main(order: dict[str, Any]) -> None:
    """All points, in their order."""
    goal = Goal(**order["goal"]) if order["goal"] else None
    count, reported = len(order["points"]), 0.0
    for number, point in enumerate(order["points"]):

        def progress(share: float, number: int = number) -> None:
            nonlocal reported
            done = (number + share) / count
            if done - reported >= STEP:
                reported = done
                report(progress=round(done, 4))

        situation, equipment = checked_situation(point["situation"]), checked_equipment(point["equipment"])
        found = simulate_plan(situation, equipment, order["seed"], progress)
        metrics = {name: {"mean": mean, "half": found.halves[name]} for name, mean in found.means.items()}
        met = {"met": missed_by(goal, found) <= 1} if goal else {}
        report(at=point["at"], metrics=metrics, **met)


def report(**message: Any) -> None:
    """One line for the service."""
    print(json.dumps(message), flush=True)


def end_with_parent() -> None:
    """Ends the process with its standard input."""
    while os.read(0, 4096):
        pass
    os._exit(1)


if __name__ == "__main__":
    with contextlib.suppress(OSError):
        os.nice(10)  # viewing comes first
    received = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=end_with_parent, daemon=True).start()
    main(received)

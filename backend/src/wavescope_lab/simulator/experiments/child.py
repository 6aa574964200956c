"""The child process of an experiment: ``python -m wavescope_lab.simulator.experiments.child`` (SI28).

It reads one line of JSON, ``{"path"}`` or ``{"text", "folder"}`` (of the component times), ``trials``, ``most_runs``
and ``memory`` (bytes), and prints lines of JSON:

{"refused": {"place": "factors.clients", "reason": "..."}}            and nothing more, or
{"accepted": {"title", "description", "model", "factors"}}
{"progress": 0.25}
{"result": {...}, "finished": 12, "trials": 400}                      with all figures so far, every few seconds
{"failure": "..."}

All runs have their first trial before any has its second, so that the figures so far show everything. The last result
is that of ``wavescope simulate --json``. It ends with its standard input: nobody waits for it then.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from wavescope.errors.simulation import InvalidExperiment
from wavescope_lab.simulator.experiments.experiment import Experiment, load_experiment, parse_text
from wavescope_lab.simulator.experiments.results import results
from wavescope_lab.simulator.experiments.trials import Figures, run_trial

PROGRESS_SECONDS, RESULT_SECONDS, SILENCE_SECONDS = 0.25, 2.0, 5.0
"""Between two reports; the last: of the same progress, during a trial that takes long."""


class Reports:
    """Lines for the service, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._share, self._next_progress, self._next_result = 0.0, 0.0, time.monotonic() + RESULT_SECONDS

    def line(self, **message: Any) -> None:
        text = json.dumps(message)
        with self._lock:
            print(text, flush=True)

    def progress(self, share: float) -> None:
        now = time.monotonic()
        self._share = share
        if now >= self._next_progress:
            self._next_progress = now + PROGRESS_SECONDS
            self.line(progress=round(share, 4))

    def result_is_due(self) -> bool:
        now = time.monotonic()
        if now < self._next_result:
            return False
        self._next_result = now + RESULT_SECONDS
        return True

    def repeat(self) -> None:
        """Says now and then that it still works: what is between it and the client ends silent connections."""
        while True:
            time.sleep(SILENCE_SECONDS)
            if time.monotonic() >= self._next_progress + SILENCE_SECONDS:
                self.progress(self._share)


def main(order: dict[str, Any], reports: Reports) -> None:
    """One order."""
    try:
        experiment = _read(order).with_trials(order["trials"])
        if len(experiment.runs) > order["most_runs"]:
            raise InvalidExperiment("factors", f"more than {order['most_runs']} combinations of levels")
    except InvalidExperiment as error:
        reports.line(refused={"place": error.place, "reason": error.reason})
        return
    except OSError as error:
        reports.line(refused={"place": "times", "reason": f"{error.strerror}: {Path(error.filename or '').name}"})
        return
    reports.line(
        accepted={
            "title": experiment.title,
            "description": experiment.description,
            "model": experiment.model,
            "factors": experiment.factors,
        }
    )
    threading.Thread(target=reports.repeat, daemon=True).start()
    _run(experiment, reports)


def _read(order: dict[str, Any]) -> Experiment:
    if "path" in order:
        return load_experiment(Path(order["path"]))
    return parse_text(order["text"], Path(order["folder"]))


def _run(experiment: Experiment, reports: Reports) -> None:
    figures: list[list[Figures]] = [[] for _ in experiment.runs]
    wanted, finished = experiment.trials * len(experiment.runs), 0
    for trial in range(experiment.trials):
        for run, found in enumerate(figures):
            found.append(run_trial(experiment, (run, trial)))
            finished += 1
            reports.progress(finished / wanted)
            if finished == wanted or reports.result_is_due():
                reports.line(result=results(experiment, figures), finished=finished, trials=wanted)


def end_with_parent() -> None:
    """Ends the process with its standard input."""
    while os.read(0, 4096):
        pass
    os._exit(1)


def limit_memory(size: int) -> None:
    """No more than so many bytes, where the system can limit it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (size, size))


if __name__ == "__main__":
    with contextlib.suppress(OSError):
        os.nice(10)  # viewing comes first
    received = json.loads(sys.stdin.buffer.readline())
    limit_memory(received["memory"])
    threading.Thread(target=end_with_parent, daemon=True).start()
    all_reports = Reports()
    try:
        main(received, all_reports)
    except MemoryError:
        all_reports.line(failure=f"it needs more than {received['memory'] >> 20} MB of memory")

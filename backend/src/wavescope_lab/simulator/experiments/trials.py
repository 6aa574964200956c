"""Runs the trials of an experiment, some of them in other processes; what is finished is not run again (SI7)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TextIO

from wavescope_lab.errors import OtherTrials
from wavescope_lab.simulator.experiments.experiment import Experiment
from wavescope_lab.simulator.models import trial_of

Figures = dict[str, float]
Key = tuple[int, int]
"""The number of a run and of its trial."""
Progress = Callable[[int, int], None]
"""Called after each trial: how many are finished, and of how many."""


def run_trials(
    experiment: Experiment, progress: Progress, state: Path | None = None, workers: int = 1
) -> list[list[Figures]]:
    """The figures of all trials, by run. ``state``: a file of finished trials, read first and continued.

    Raises OtherTrials if it has those of another experiment.
    """
    wanted = [(run, trial) for run in range(len(experiment.runs)) for trial in range(experiment.trials)]
    with ExitStack() as stack:
        finished, log = _open(experiment, state, stack)
        left = [key for key in wanted if key not in finished]
        done = len(wanted) - len(left)
        progress(done, len(wanted))
        for key, figures in _results(experiment, left, workers, stack):
            finished[key] = figures
            if log:
                log.write(json.dumps([*key, figures]) + "\n")
                log.flush()
            done += 1
            progress(done, len(wanted))
    return [[finished[run, trial] for trial in range(experiment.trials)] for run in range(len(experiment.runs))]


def run_trial(experiment: Experiment, key: Key) -> Figures:
    """One trial. Its seed depends on the seed of the experiment and on its number alone: the runs have it in common."""
    run, trial = key
    simulate = trial_of(experiment.model, "parameters", experiment.runs[run].parameters)
    return simulate(f"{experiment.seed}/{trial}")


def _results(experiment: Experiment, keys: list[Key], workers: int, stack: ExitStack) -> Iterator[tuple[Key, Figures]]:
    if workers == 1:
        for key in list(keys):
            yield key, run_trial(experiment, key)
        return
    pool = ProcessPoolExecutor(workers)
    stack.callback(pool.shutdown, cancel_futures=True)
    waiting: dict[Future[Figures], Key] = {}
    queue = iter(list(keys))
    for key in islice(queue, 2 * workers):
        waiting[pool.submit(run_trial, experiment, key)] = key
    while waiting:
        for future in wait(waiting, return_when=FIRST_COMPLETED).done:
            yield waiting.pop(future), future.result()
            for key in islice(queue, 1):
                waiting[pool.submit(run_trial, experiment, key)] = key


def _open(experiment: Experiment, path: Path | None, stack: ExitStack) -> tuple[dict[Key, Figures], TextIO | None]:
    """The finished trials, and the file to continue. A last line that was not written whole is left out."""
    if path is None:
        return {}, None
    first = json.dumps({"experiment": experiment.fingerprint()})
    whole = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
    lines = whole.decode(errors="replace").split("\n") if whole else []
    if lines and lines[0] != first:
        raise OtherTrials(str(path))
    finished = dict(_record(path, line) for line in lines[1:])
    log = stack.enter_context(path.open("a"))
    log.truncate(len(whole) + 1 if whole else 0)
    if not whole:
        log.write(first + "\n")
        log.flush()
    return finished, log


def _record(path: Path, line: str) -> tuple[Key, Figures]:
    try:
        run, trial, figures = json.loads(line)
        return (int(run), int(trial)), {str(name): float(value) for name, value in figures.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise OtherTrials(str(path)) from error

"""An experiment: a model, its parameters, the levels of its factors, seeded trials; read from TOML (SI2)."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from wavescope.errors.simulation import InvalidExperiment
from wavescope_lab.simulator.models import MODELS, trial_of, unread
from wavescope_lab.simulator.tables import Table

MAX_BYTES = 1_000_000
MAX_TRIALS = 10_000
MAX_DESCRIPTION = 2000
MAX_LEVELS = 200
MAX_RUNS = 10_000
TRIALS = 100
CONFIDENCE = 0.95

Level = int | float | str
NONE = "none"
"""The level of a factor that leaves its parameter out."""


@dataclass(frozen=True)
class Expected:
    """A published figure of one run: its value, and half the width of its interval if one was published."""

    metric: str
    value: float
    half: float | None


@dataclass(frozen=True)
class Run:
    """One combination of levels. ``parameters``: those of the model, with these levels."""

    levels: tuple[tuple[str, Level], ...]
    parameters: Mapping[str, object]
    expected: tuple[Expected, ...]


@dataclass(frozen=True)
class Experiment:
    """``factors``: each with its levels in the order of the file; ``runs``: all combinations, the last factor fastest.
    ``factorial``: whether shares of variation are wanted."""

    title: str
    description: str
    model: str
    seed: int
    trials: int
    confidence: float
    factorial: bool
    factors: Mapping[str, tuple[Level, ...]]
    runs: tuple[Run, ...]

    def fingerprint(self) -> str:
        """What the figures of a trial depend on: the model, the seed and the parameters of all runs."""
        text = json.dumps([self.model, self.seed, [run.parameters for run in self.runs]], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def with_trials(self, trials: int | None) -> Experiment:
        """Another number of trials. Raises InvalidExperiment if it is out of bounds."""
        if trials is None:
            return self
        return replace(self, trials=Table("", {"trials": trials}).integer("trials", 1, MAX_TRIALS))


def load_experiment(path: Path) -> Experiment:
    """The experiment of a file, with the component times that it names. Raises InvalidExperiment, OSError."""
    return _with_times(_toml(path), path.parent)


def parse_text(text: str, folder: Path) -> Experiment:
    """The experiment of a text that names component times in ``folder``. Raises InvalidExperiment, OSError."""
    return _with_times(_parsed("experiment", text.encode()), folder)


def _with_times(values: dict[str, object], folder: Path) -> Experiment:
    named = values.pop("times", [])
    times: dict[str, object] = {}
    for name in named if isinstance(named, list) else [named]:
        if not isinstance(name, str) or Path(name).is_absolute() or ".." in Path(name).parts:
            raise InvalidExperiment("times", f"{name!r} is not a path in the folder of the experiment")
        times |= _toml(folder / name)
    return parse_experiment(values, times)


def parse_experiment(values: Mapping[str, object], times: Mapping[str, object]) -> Experiment:
    """The experiment of a table; ``times`` are parameters that it may replace. Raises InvalidExperiment."""
    top = Table("", values)
    model = top.choice("model", tuple(MODELS))
    own = _mapping("parameters", top.has("parameters") and values["parameters"])
    factors = _factors(_mapping("factors", top.has("factors") and values["factors"]))
    factorial = values.get("factorial", False) if top.has("factorial") else False
    if not isinstance(factorial, bool):
        raise InvalidExperiment("factorial", f"{factorial!r} is neither true nor false")
    if factorial and not (factors and all(len(levels) == 2 for levels in factors.values())):
        raise InvalidExperiment("factorial", "needs factors of two levels each")
    expected = values["expected"] if top.has("expected") else []
    experiment = Experiment(
        title=top.text("title"),
        description=top.text("description", MAX_DESCRIPTION) if top.has("description") else "",
        model=model,
        seed=top.integer("seed", 0, 2**63, 1998),
        trials=top.integer("trials", 1, MAX_TRIALS, TRIALS),
        confidence=top.number("confidence", 0.5, 0.999, CONFIDENCE),
        factorial=factorial,
        factors=factors,
        runs=_runs({**times, **own}, factors, _expected(expected, factors)),
    )
    top.done()
    others = times.keys() - own.keys() - factors.keys()
    experiment = replace(experiment, runs=tuple(_used(model, run, others) for run in experiment.runs))
    for run in experiment.runs:
        trial_of(model, "parameters", run.parameters)
    return experiment


def _used(model: str, run: Run, others: Set[str]) -> Run:
    """A run without those component times that its model does not have (SI13)."""
    if not others:
        return run
    unused = unread(model, "parameters", run.parameters) & others
    return replace(run, parameters={key: value for key, value in run.parameters.items() if key not in unused})


def _toml(path: Path) -> dict[str, object]:
    with path.open("rb") as file:
        return _parsed(path.name, file.read(MAX_BYTES + 1))


def _parsed(place: str, data: bytes) -> dict[str, object]:
    if len(data) > MAX_BYTES:
        raise InvalidExperiment(place, f"more than {MAX_BYTES} bytes")
    try:
        return tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidExperiment(place, f"invalid TOML: {error}") from error


def _mapping(place: str, value: object) -> Mapping[str, object]:
    if value is False:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidExperiment(place, "expected a table")
    return value


def _factors(tables: Mapping[str, object]) -> dict[str, tuple[Level, ...]]:
    factors, runs = {}, 1
    for name, levels in tables.items():
        place = f"factors.{name}"
        if not isinstance(levels, list) or not 1 <= len(levels) <= MAX_LEVELS:
            raise InvalidExperiment(place, f"expected a list of 1 to {MAX_LEVELS} levels")
        if not all(isinstance(level, int | float | str) and not isinstance(level, bool) for level in levels):
            raise InvalidExperiment(place, "a level is a number or a text")
        if len(set(levels)) < len(levels):
            raise InvalidExperiment(place, "a level comes twice")
        factors[name] = tuple(levels)
        runs *= len(levels)
        if runs > MAX_RUNS:
            raise InvalidExperiment(place, f"more than {MAX_RUNS} combinations of levels")
    return factors


Combination = tuple[Level, ...]


def _expected(tables: object, factors: Mapping[str, tuple[Level, ...]]) -> dict[Combination, tuple[Expected, ...]]:
    if not isinstance(tables, list):
        raise InvalidExperiment("expected", "expected a list of tables")
    found: dict[Combination, tuple[Expected, ...]] = {}
    for number, values in enumerate(tables):
        place = f"expected[{number}]"
        table = dict(_mapping(place, values))
        levels = []
        for name, choices in factors.items():
            level = table.pop(name, None)
            if level not in choices:
                raise InvalidExperiment(f"{place}.{name}", f"{level!r} is not a level of this factor")
            levels.append(choices[choices.index(level)])
        found[tuple(levels)] = tuple(_figure(f"{place}.{metric}", metric, value) for metric, value in table.items())
    return found


def _figure(place: str, metric: str, value: object) -> Expected:
    numbers = value if isinstance(value, list) else [value]
    found = [float(n) for n in numbers if isinstance(n, int | float) and not isinstance(n, bool)]
    if len(found) != len(numbers) or not 1 <= len(found) <= 2:
        raise InvalidExperiment(place, "expected a number, or a list of a number and half the width of its interval")
    return Expected(metric, found[0], found[1] if len(found) == 2 else None)


def _runs(
    parameters: Mapping[str, object],
    factors: Mapping[str, tuple[Level, ...]],
    expected: Mapping[Combination, tuple[Expected, ...]],
) -> tuple[Run, ...]:
    runs = []
    for levels in product(*factors.values()):
        named = tuple(zip(factors, levels, strict=True))
        values = {**parameters, **dict(named)}
        runs.append(Run(named, {k: v for k, v in values.items() if v != NONE}, expected.get(levels, ())))
    return tuple(runs)

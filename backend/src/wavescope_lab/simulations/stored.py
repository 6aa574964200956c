"""Stored experiments: those of the papers, and those of this service (SI27)."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wavescope.installation import CHECKOUT

MAX_FILES = 200
"""Of a folder; those whose names come later are left out."""
MAX_BYTES = 1_000_000
TRIALS = 100
"""Of an experiment that does not say how many it has."""

Level = float | str


@dataclass(frozen=True)
class StoredExperiment:
    """What a file says of itself. ``own``: it is in the folder of this service, not one of the papers'.
    ``problem``: why it cannot be read; then it has only a name. ``runs``: combinations of levels."""

    name: str
    own: bool
    title: str = ""
    description: str = ""
    model: str = ""
    trials: int = TRIALS
    factors: Mapping[str, list[Level]] = field(default_factory=dict)
    problem: str | None = None

    @property
    def runs(self) -> int:
        return math.prod(len(levels) for levels in self.factors.values())


def papers() -> Path:
    """The folder of the papers' experiments: shared/experiments of this repository."""
    return CHECKOUT / "shared" / "experiments"


class ExperimentFolders:
    """``own``: the folder of this service's own experiments, if it has one. Its files come before the papers'."""

    def __init__(self, own: Path | None) -> None:
        self._own = own
        self.papers = papers()

    def listed(self) -> list[StoredExperiment]:
        """By name, those of this service first. It reads files."""
        return [_read(path, own=own) for path, own in self._files()]

    def path(self, name: str) -> Path | None:
        """Of an experiment that is listed; of two with one name the one of this service."""
        return next((path for path, _ in self._files() if path.stem == name), None)

    def _files(self) -> Iterator[tuple[Path, bool]]:
        for folder, own in ((self._own, True), (self.papers, False)):
            if folder is not None and folder.is_dir():
                yield from ((path, own) for path in sorted(folder.glob("*.toml"))[:MAX_FILES])


def _read(path: Path, *, own: bool) -> StoredExperiment:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            return StoredExperiment(path.stem, own, problem=f"more than {MAX_BYTES} bytes")
        values = tomllib.loads(data.decode())
    except OSError as error:
        return StoredExperiment(path.stem, own, problem=error.strerror or "it cannot be read")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        return StoredExperiment(path.stem, own, problem=f"invalid TOML: {error}"[:300])
    trials, factors = values.get("trials", TRIALS), values.get("factors", {})
    return StoredExperiment(
        path.stem,
        own,
        title=_text(values.get("title")) or path.stem,
        description=_text(values.get("description")),
        model=_text(values.get("model")),
        trials=trials if isinstance(trials, int) else TRIALS,
        factors={name: _levels(levels) for name, levels in factors.items()} if isinstance(factors, dict) else {},
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _levels(levels: Any) -> list[Level]:
    found = levels if isinstance(levels, list) else []
    return [level for level in found if isinstance(level, int | float | str) and not isinstance(level, bool)]

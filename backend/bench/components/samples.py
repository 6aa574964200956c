"""Samples of component times, and the file that the simulator reads."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

MEMORY = Path("/proc/cpuinfo")
QUANTILES = 20
"""Values of a distribution that is stored as it was measured."""


@dataclass
class Samples:
    """Seconds by the name of a component: one value of each round, or all of a distribution."""

    rounds: dict[str, list[float]] = field(default_factory=dict)
    distributions: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, seconds: float) -> None:
        """The value of one round; noise that makes a difference negative counts as 0."""
        self.rounds.setdefault(name, []).append(max(0.0, seconds))

    def add_all(self, name: str, seconds: Sequence[float]) -> None:
        """Values of which the distribution matters."""
        self.distributions.setdefault(name, []).extend(seconds)

    def median(self, name: str) -> float:
        """Of all rounds."""
        return median(self.rounds[name])


def line(small: tuple[int, float], large: tuple[int, float]) -> tuple[float, float]:
    """Seconds of a request and of each of its blocks, from requests with few and with many: (blocks, seconds)."""
    each = (large[1] - small[1]) / (large[0] - small[0])
    return max(0.0, small[1] - small[0] * each), each


def quantiles(values: Sequence[float]) -> list[float]:
    """QUANTILES values that are as probable."""
    ordered = sorted(values)
    return [ordered[int((place + 0.5) / QUANTILES * len(ordered))] for place in range(QUANTILES)]


def machine() -> dict[str, object]:
    """Where it was measured, as far as others may know."""
    lines = MEMORY.read_text().splitlines() if MEMORY.exists() else []
    model = next((text.partition(":")[2].strip() for text in lines if text.startswith("model name")), "unknown")
    return {
        "processor": model,
        "processors": os.cpu_count() or 0,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
    }


def toml(samples: Samples, facts: Mapping[str, float], derived: Mapping[str, str]) -> str:
    """The file. ``facts``: further numbers that models read; ``derived``: further keys as TOML."""
    lines = [
        "# Component times of the real parts in seconds, each measured alone: npm run bench -- profiles",
        "# A value is the median of the rounds; [spread] has the least and the most of them. Models ignore tables.",
        *(f"{name} = {_number(samples.median(name))}" for name in sorted(samples.rounds)),
        *(
            f"{name} = {{ values = [{', '.join(map(_number, quantiles(values)))}] }}"
            for name, values in sorted(samples.distributions.items())
        ),
        *(f"{name} = {_number(value)}" for name, value in sorted(facts.items())),
        *(f"{name} = {value}" for name, value in derived.items()),
        "",
        "[machine]",
        *(
            f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}"
            for name, value in machine().items()
        ),
        "",
        "[spread]",
        *(
            f"{name} = [{_number(min(values))}, {_number(max(values))}]"
            for name, values in sorted(samples.rounds.items())
        ),
    ]
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"

"""What is left out of a file that has more than a slide can have: one time point, and one scene, are imported."""

from __future__ import annotations

from pathlib import Path

from wavescope.errors import UnsupportedSource


def first_of(count: int, name: str) -> tuple[str, ...]:
    """``name``: of several."""
    return (f"it has {count:,} {name}; the first one is imported",) if count > 1 else ()


def largest_of(count: int, name: str) -> tuple[str, ...]:
    return (f"it has {count:,} {name}; the largest one is imported",) if count > 1 else ()


def time_of(count: int, time: int) -> tuple[str, ...]:
    """``time``: the chosen time point, from 0."""
    found = f"it has {count:,} time points; number {time + 1:,} is imported (--time chooses another)"
    return (found,) if count > 1 else ()


def check_time(path: Path, count: int, time: int) -> None:
    """Raises UnsupportedSource unless the file has this time point."""
    if not 0 <= time < max(1, count):
        found = f"{count:,} time points; --time is 1 to {count:,}" if count > 1 else "no time points to choose from"
        raise UnsupportedSource(path, f"it has {found}")

"""What is left out of a file that has more than a slide can have: one time point, and one scene, are imported."""

from __future__ import annotations


def first_of(count: int, name: str) -> tuple[str, ...]:
    """``name``: of several."""
    return (f"it has {count:,} {name}; the first one is imported",) if count > 1 else ()


def largest_of(count: int, name: str) -> tuple[str, ...]:
    return (f"it has {count:,} {name}; the largest one is imported",) if count > 1 else ()

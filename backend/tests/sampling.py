"""Long walks: an ordinary run tries a seeded eighth of their cases, a long one (``npm test -- --long``,
``pytest -m ""``) all of them. Slow tests: ``npm test`` tries an eighth of those of each folder, another one for each
commit; ``pytest`` and a long run try all of them."""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

import pytest
from hypothesis import settings

SHARE = 8
SEED = "TESTS_SEED"  # set by npm test
Case = TypeVar("Case")
_long = False


def begin(long: bool) -> None:
    """What a run does before its tests are collected."""
    global _long
    _long = long
    usual = settings.get_profile(settings.get_current_profile_name())
    # An example may take long on a machine that others use too.
    settings.register_profile("wavescope", usual, deadline=None, max_examples=share(usual.max_examples))
    settings.load_profile("wavescope")


def share(count: int) -> int:
    """How many of so many drawn cases this run tries."""
    return count if _long else -(-count // SHARE)


def sampled(cases: Iterable[Case], seed: int = 0) -> list[Case]:
    """Those cases that this run tries, in their order."""
    every = list(cases)
    chosen = random.Random(seed).sample(range(len(every)), share(len(every)))
    return [every[index] for index in sorted(chosen)]


def left_out(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """The slow tests that this run does not try."""
    seed = os.environ.get(SEED)
    if not seed or _long:
        return set()
    by_folder = defaultdict(list)
    for item in items:
        if item.get_closest_marker("slow"):
            by_folder[item.path.parent].append(item)
    tried = {
        item
        for folder, slow in by_folder.items()
        for item in random.Random(f"{seed} {folder.name}").sample(slow, share(len(slow)))
    }
    return {item for slow in by_folder.values() for item in slow} - tried

"""An ordinary run tries the same eighth of a walk every time and another eighth of the slow tests, a long one all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

import sampling


@pytest.fixture(params=[False, True], ids=["ordinary", "long"])
def long(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(sampling, "_long", request.param)
    return bool(request.param)


def test_a_seeded_eighth_is_tried_in_its_order_or_everything(long: bool) -> None:
    found = sampling.sampled(range(80), seed=3)
    assert found == (list(range(80)) if long else sorted(found))
    assert len(found) == (80 if long else 10)
    assert found == sampling.sampled(range(80), seed=3)


def test_another_seed_tries_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "_long", False)
    assert len({tuple(sampling.sampled(range(80), seed)) for seed in range(5)}) == 5


@pytest.mark.parametrize("count", [1, 7, 8, 9])
def test_every_walk_tries_something(long: bool, count: int) -> None:
    assert len(sampling.sampled(range(count))) == sampling.share(count) == (count if long else 1 + (count > 8))


@dataclass(frozen=True)
class FakeItem:
    path: Path
    name: str

    def get_closest_marker(self, name: str) -> object:
        return name == "slow" and self.name.startswith("slow")


def left_out(files: dict[str, int]) -> set[str]:
    items = [FakeItem(Path(file), f"slow {file} {n}") for file, count in files.items() for n in range(count)]
    items += [FakeItem(Path(file), f"quick {file}") for file in files]
    return {item.name for item in sampling.left_out(cast("list[pytest.Item]", items))}


def test_an_eighth_of_the_slow_tests_of_each_folder_is_tried(long: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a/a.py": 12, "a/b.py": 4, "b/c.py": 1, "c/d.py": 9}
    monkeypatch.delenv(sampling.SEED, raising=False)
    assert left_out(files) == set()
    monkeypatch.setenv(sampling.SEED, "1a2b")
    first = left_out(files)
    assert len(first) == (0 if long else 14 + 0 + 7)
    assert not any(name.startswith("quick") for name in first)
    assert left_out(files) == first


def test_every_slow_test_is_tried_by_some_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "_long", False)
    every = []
    for seed in range(60):
        monkeypatch.setenv(sampling.SEED, str(seed))
        every.append(left_out({"a.py": 16}))
    assert set.intersection(*every) == set()

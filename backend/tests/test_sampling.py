"""An ordinary run tries the same eighth of a walk every time, a long one all of it."""

from __future__ import annotations

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

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from wavescope.source.segment_cache import SegmentCache

Key = TypeVar("Key")


def noted(decoded: list[Key], key: Key, size: int) -> Callable[[], NDArray[np.uint8]]:
    """What decodes a segment of ``size`` bytes, and notes that it did."""

    def decode() -> NDArray[np.uint8]:
        decoded.append(key)
        return np.zeros(size, np.uint8)

    return decode


def test_a_cached_segment_is_not_decoded_again() -> None:
    cache, decoded = SegmentCache(1000), list[str]()
    for _ in range(3):
        cache.get("a", noted(decoded, "a", 10))
    assert decoded == ["a"]


def test_the_cache_stays_within_the_limit_and_the_least_recently_used_goes_first() -> None:
    cache = SegmentCache(100)
    decoded: list[int] = []

    def get(key: int) -> None:
        cache.get(key, noted(decoded, key, 25))

    for key in (1, 2, 3, 4, 1, 5, 1, 2):
        get(key)
    assert decoded == [1, 2, 3, 4, 5, 2]
    assert cache._segments.size <= 100


def test_segments_above_a_quarter_of_the_limit_are_not_cached() -> None:
    cache, decoded = SegmentCache(100), list[str]()
    for _ in range(2):
        cache.get("big", noted(decoded, "big", 26))
    assert decoded == ["big", "big"]


def test_threads_that_want_the_same_segment_share_one_decoding() -> None:
    cache, calls, release, begun = SegmentCache(1000), [], threading.Event(), threading.Event()

    def decode() -> np.ndarray:
        calls.append(1)
        begun.set()
        assert release.wait(10)
        return np.arange(3, dtype=np.uint8)

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(cache.get, "a", decode)
        assert begun.wait(10)
        others = [pool.submit(cache.get, "a", decode) for _ in range(3)]
        release.set()
        results = [future.result(10).tolist() for future in (first, *others)]
    assert results == [[0, 1, 2]] * 4
    assert len(calls) == 1


def test_a_failed_decoding_is_raised_and_tried_again_next_time() -> None:
    cache = SegmentCache(1000)

    def fail() -> np.ndarray:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        cache.get("a", fail)
    assert cache.get("a", lambda: np.ones(1, np.uint8)).tolist() == [1]

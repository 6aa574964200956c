import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from wavescope.source.tiff.segment_cache import SegmentCache


def test_a_cached_segment_is_not_decoded_again() -> None:
    cache, calls = SegmentCache(1000), []
    for _ in range(3):
        cache.get("a", lambda: calls.append(1) or np.zeros(10, np.uint8))
    assert len(calls) == 1


def test_the_cache_stays_within_the_limit_and_the_least_recently_used_goes_first() -> None:
    cache = SegmentCache(100)
    decoded: list[int] = []

    def get(key: int) -> None:
        cache.get(key, lambda: decoded.append(key) or np.zeros(25, np.uint8))

    for key in (1, 2, 3, 4, 1, 5, 1, 2):
        get(key)
    assert decoded == [1, 2, 3, 4, 5, 2]
    assert cache._segments.size <= 100


def test_segments_above_a_quarter_of_the_limit_are_not_cached() -> None:
    cache, calls = SegmentCache(100), []
    for _ in range(2):
        cache.get("big", lambda: calls.append(1) or np.zeros(26, np.uint8))
    assert len(calls) == 2


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

"""Sources that tasks read from: opened once per process, wherever a task runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import NamedTuple

from wavescope.ingest.stored_source import PREFIX, parse, stored_source
from wavescope.source.base import Limits, SlideSource
from wavescope.source.open import open_source
from wavescope.store.reader import StoreReader


class SourceKey(NamedTuple):
    """What ``open_source`` takes, and the content it is expected to have."""

    spec: str
    fingerprint: str
    limits: Limits = Limits()


_open: dict[SourceKey, SlideSource] = {}
_holders: dict[SourceKey, int] = {}
_lock = Lock()


def opened(key: SourceKey) -> SlideSource:
    """The source; it stays open until the last ``held`` of this process ends (elsewhere, until the process ends)."""
    with _lock:
        source = _open.get(key)
        if source is None:
            source = _open[key] = _opened(key)
        return source


def _opened(key: SourceKey) -> SlideSource:
    if key.spec.startswith(PREFIX):
        return stored_source(StoreReader.open(*parse(key.spec)))
    return open_source(key.spec, key.limits)


@contextmanager
def keep_open(key: SourceKey) -> Iterator[SlideSource]:
    """Keep the source open meanwhile."""
    source = opened(key)
    with _lock:
        _holders[key] = _holders.get(key, 0) + 1
    try:
        yield source
    finally:
        with _lock:
            _holders[key] -= 1
            last = not _holders[key]
            if last:
                del _holders[key], _open[key]
        if last:
            source.close()

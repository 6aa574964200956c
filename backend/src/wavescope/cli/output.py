"""How commands speak: results on stdout, everything else on stderr."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

OK, DAMAGED, USER_ERROR, INTERRUPTED = 0, 1, 2, 130
READERS = frozenset({"tifffile", "imagecodecs", "PIL", "pydicom", "wsidicom", "openslide", "zarr", "py.warnings"})
"""Loggers that speak of the inside of slide files; ``py.warnings`` is Python's own for every library's warnings."""


def result(value: Any) -> None:
    """One line of JSON on stdout."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False), flush=True)


def print_line(line: str = "") -> None:
    """A line for people on stdout."""
    print(line, flush=True)


def print_stderr(line: str) -> None:
    """One line on stderr, whatever is in the message."""
    print(f"wavescope: {' '.join(line.split())}", file=sys.stderr, flush=True)


def quantity(count: float) -> str:
    """Bytes as people read them."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(count) < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} TB"


@contextmanager
def library_messages(*, shown: bool) -> Iterator[None]:
    """Logged messages and warnings go to stderr, but those of slide readers only if ``shown``."""
    root = logging.getLogger()
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    if not shown:
        handler.addFilter(lambda record: record.name.partition(".")[0] not in READERS and record.name not in READERS)
    handler.setLevel(logging.WARNING)
    root.addHandler(handler)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.removeHandler(handler)

"""Keeps the output of other libraries off stderr: a command prints its own messages."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

READERS = frozenset({"tifffile", "imagecodecs", "PIL", "pydicom", "wsidicom", "openslide", "zarr", "py.warnings"})
"""Loggers that speak of the inside of slide files; ``py.warnings`` is Python's own for every library's warnings."""


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

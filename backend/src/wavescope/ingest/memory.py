"""A bound on the memory of a process that reads slide files, and how to recognise that it was reached.

The limit is on private memory (RLIMIT_DATA): what is reserved without being used, as wasmtime does, does not count.
Allocations beyond it fail; libraries report that in different ways, and some end the process (see ``NATIVE``).
"""

from __future__ import annotations

import errno
import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager

from wavescope.errors import MemoryLimit

MESSAGES = re.compile(r"insufficient memory|failed to grow memory|can't start new thread|cannot allocate memory", re.I)
NATIVE = re.compile(
    r"failed to allocate \d+ bytes|memory allocation of \d+ bytes failed|bad_alloc|Memory allocation still failed"
    r"|out of memory|MemoryError",
    re.I,
)
"""What libraries print before they end the process: glib (openslide), Rust (wasmtime), C++, OpenBLAS, Python."""


@contextmanager
def limited_memory(limit: int) -> Iterator[None]:
    """Bound this process to ``limit`` bytes meanwhile; MemoryLimit if anything in it fails for lack of memory."""
    before, hard = resource.getrlimit(resource.RLIMIT_DATA)
    bounds = [bound for bound in (before, hard, limit) if bound != resource.RLIM_INFINITY]
    set_limit((min(bounds), hard))
    try:
        yield
    except Exception as error:
        if is_memory_error(error):
            raise MemoryLimit(min(bounds)) from error
        raise
    finally:
        set_limit((before, hard))


def set_limit(soft_and_hard: tuple[int, int]) -> None:
    """Of the private memory of this process, in bytes. Raises ValueError, OSError."""
    resource.setrlimit(resource.RLIMIT_DATA, soft_and_hard)


def is_memory_error(error: BaseException | None) -> bool:
    """Whether this error, or one that caused it, says that no memory was available."""
    while error is not None:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return True
        if isinstance(error, Exception) and MESSAGES.search(str(error)):
            return True
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return False

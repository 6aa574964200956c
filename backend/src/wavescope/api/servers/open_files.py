"""How many connections the system lets a process have."""

from __future__ import annotations

import sys

OWN_FILES = 256  # of this process, beside its connections


def max_connections(wanted: int) -> int:
    """The number that is wanted, at most what the system's limit of open files allows."""
    if sys.platform == "win32":
        return wanted
    import resource

    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return wanted if files == resource.RLIM_INFINITY else min(wanted, max(16, files - OWN_FILES))

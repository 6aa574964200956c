"""How commands speak: results on stdout, everything else on stderr."""

from __future__ import annotations

import json
import sys
from typing import Any

OK, DAMAGED, USER_ERROR, INTERRUPTED = 0, 1, 2, 130


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

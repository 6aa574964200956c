"""The line by which a service says that it has begun."""

from __future__ import annotations

from wavescope.cli.output import print_stderr
from wavescope.logs import lines


def announce(form: str, text: str, event: str, **fields: str) -> None:
    """One line on stderr when a service has begun; where its log (``form``) is JSON, a line of the log (OP50)."""
    if lines.is_text(form):
        print_stderr(text)
    else:
        lines.announce(event, **fields)

"""Child processes that receive Ctrl-C, however the tests were started."""

from __future__ import annotations

import signal


def receive_interrupts() -> None:
    """For ``preexec_fn``: gives SIGINT its default action in the child. Without it a child inherits an ignored SIGINT;
    a shell starts its background jobs with SIGINT ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)

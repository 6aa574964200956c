"""The launcher of children that receive Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys

from interrupts import receive_interrupts


def test_a_child_receives_interrupts_that_its_parent_ignores() -> None:
    asks = [sys.executable, "-c", "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"]
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        inherited = subprocess.run(asks, capture_output=True, text=True, check=True)
        restored = subprocess.run(asks, capture_output=True, text=True, check=True, preexec_fn=receive_interrupts)
    finally:
        signal.signal(signal.SIGINT, before)
    assert [inherited.stdout, restored.stdout] == ["True\n", "False\n"]

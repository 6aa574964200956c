"""Which service the tests run: that of their checkout, in this process and in its children."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import wavescope

TESTS = Path(__file__).resolve().parent
SOURCE = TESTS.parent / "src"


def test_the_service_and_that_of_child_processes_stand_in_this_checkout() -> None:
    child = subprocess.run(
        [sys.executable, "-c", "import wavescope; print(wavescope.__file__)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(wavescope.__file__).is_relative_to(SOURCE)
    assert Path(child.stdout.strip()).is_relative_to(SOURCE)


@pytest.mark.slow
def test_an_environment_that_has_another_service_is_no_obstacle(tmp_path: Path) -> None:
    other = tmp_path / "wavescope"
    other.mkdir()
    (other / "__init__.py").write_text("raise RuntimeError('this is another checkout')\n")
    here = f"{Path(__file__).name}::test_the_service_and_that_of_child_processes_stand_in_this_checkout"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(TESTS / here)],
        cwd=TESTS.parent,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr

"""The tests run the service of the checkout that they stand in, whichever one the environment was installed from."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

SOURCE = Path(__file__).resolve().parents[1] / "src"

sys.path.insert(0, str(SOURCE))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(SOURCE), os.environ.get("PYTHONPATH"))))  # child processes

import wavescope  # noqa: E402

assert Path(wavescope.__file__).is_relative_to(SOURCE), f"{wavescope.__file__} is not the service of {SOURCE}"


SHARED_WORLD = pytest.StashKey[Path]()

usual = settings.get_profile(settings.get_current_profile_name())
settings.register_profile("busy", usual, deadline=None)  # an example may take long on a machine that others use too
settings.load_profile("busy")


def pytest_configure(config: pytest.Config) -> None:
    """The folder of ``service.world.make_world``, made by the process that starts the others."""
    if not hasattr(config, "workerinput"):
        config.stash[SHARED_WORLD] = Path(tempfile.mkdtemp(prefix="wavescope-world-"))
        os.environ["TESTS_SHARED_WORLD"] = str(config.stash[SHARED_WORLD])


def pytest_unconfigure(config: pytest.Config) -> None:
    if SHARED_WORLD in config.stash:
        shutil.rmtree(config.stash[SHARED_WORLD], ignore_errors=True)


@pytest.fixture(autouse=True)
def _loggers_as_before() -> Iterator[None]:
    """A test that starts a service in this process configures all its loggers: the next test starts without that."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)

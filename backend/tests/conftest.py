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
from argon2 import PasswordHasher

import sampling

SOURCE = Path(__file__).resolve().parents[1] / "src"

sys.path.insert(0, str(SOURCE))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(SOURCE), os.environ.get("PYTHONPATH"))))  # child processes

import wavescope  # noqa: E402
from catalog import databases  # noqa: E402
from wavescope.ingest import memory  # noqa: E402
from wavescope.service.access import passwords  # noqa: E402

assert Path(wavescope.__file__).is_relative_to(SOURCE), f"{wavescope.__file__} is not the service of {SOURCE}"


LONG_SECONDS = 1200
SHARED_WORLD = pytest.StashKey[Path]()

passwords._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)  # a real one takes a quarter of a second
passwords.NO_ACCOUNT = passwords.no_account(passwords._hasher)
databases.from_template()


def pytest_configure(config: pytest.Config) -> None:
    """The folder of what a run makes once, made by the process that starts the others: see ``service.world.make_world``
    and ``catalog.databases``.
    """
    sampling.begin(long="not long" not in config.option.markexpr)
    if not hasattr(config, "workerinput"):
        config.stash[SHARED_WORLD] = folder = Path(tempfile.mkdtemp(prefix="wavescope-world-"))
        os.environ["TESTS_SHARED_WORLD"] = str(folder)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A long test has more time; some slow ones are left out."""
    left_out = sampling.left_out(items)
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.timeout(LONG_SECONDS))


@pytest.fixture(autouse=True, scope="session")
def unlimited_memory() -> Iterator[None]:
    """An import limits the memory of its process. That of the tests holds far more: a thread that is started meanwhile
    would end before it says that it runs, and who started it would wait for ever, with a lock that all executors share.
    Of all tests: fixtures of modules and sessions import, too.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "set_limit", lambda _limit: None)
        yield


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

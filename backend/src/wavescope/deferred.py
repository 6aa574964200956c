"""How modules are imported: those that only some commands and settings need when they are first used, all others
without the garbage collector.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


class _Deferred(ModuleType):
    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


def deferred(name: str) -> Any:
    """A module that is imported when something of it is used. For type checkers it is imported as usual, beside this,
    under TYPE_CHECKING.
    """
    return _Deferred(name)


@contextmanager
def permanent() -> Iterator[None]:
    """What is made within stays until the process ends: the garbage collector looks at it neither now nor later. It
    took a third of the time of a short command, half of that at the end.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()

"""Modules that only some commands and settings need: imported when they are first used."""

from __future__ import annotations

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

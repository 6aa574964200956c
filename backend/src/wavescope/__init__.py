"""Wavescope: a wavelet tile service for whole slides. ``wavescope.show(slide)`` shows one in a notebook."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name != "show":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # a notebook's parts are imported where they are used

    return import_module("wavescope.notebook").show

"""Errors of the commands that start and change a cluster. No route raises them."""

from __future__ import annotations

from wavescope.errors.base import WavescopeError


class MissingProgram(WavescopeError):
    """A program that a part of a cluster needs is not installed. ``package``: Debian's package that contains it."""

    def __init__(self, what: str, name: str, package: str) -> None:
        super().__init__(f"{what} needs {name}, which is not installed (Debian: apt-get install {package})")
        self.what, self.name, self.package = what, name, package


class RefusedConfiguration(WavescopeError):
    """A configuration that HAProxy does not accept: it goes on with the previous one. ``reason``: its own lines."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"HAProxy refuses the configuration: {reason}")
        self.reason = reason

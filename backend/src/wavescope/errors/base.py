"""Errors of any part: a wrong value, a limit, a conflict, something that does not answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class WavescopeError(Exception):
    """Any error that a user or a client may see. It can be pickled, so that it comes back from another process.

    ``retry_after``: seconds after which another attempt may succeed, where a service has stated them.
    """

    retry_after: float | None = None

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
        return rebuild_error, (type(self), self.args), self.__dict__.copy()


def rebuild_error(cause: type[WavescopeError], arguments: tuple[Any, ...]) -> WavescopeError:
    """An error without its own constructor, which takes other arguments than the message."""
    error = cause.__new__(cause, *arguments)
    error.args = arguments
    return error


class InvalidParameter(WavescopeError):
    """A value that is not allowed."""

    def __init__(self, name: str, value: object, expected: str) -> None:
        super().__init__(f"{name} is {value!r}; expected {expected}")
        self.name, self.value, self.expected = name, value, expected


class OutOfRange(WavescopeError):
    """A well-formed position outside the slide, its levels, planes, pages or layers."""

    def __init__(self, name: str, value: object, limits: str) -> None:
        super().__init__(f"{name} {value} is out of range: {limits}")
        self.name, self.value, self.limits = name, value, limits


class TooLarge(WavescopeError):
    """More than a configured limit allows."""

    def __init__(self, what: str, size: int, limit: int) -> None:
        super().__init__(f"{what} is {size}, the limit is {limit}")
        self.what, self.size, self.limit = what, size, limit


class TooManyRequests(WavescopeError):
    """More requests than a client may make. ``seconds``: after which the client may try again."""

    def __init__(self, what: str, seconds: int) -> None:
        super().__init__(f"too many requests for {what}; try again in {seconds} s")
        self.what, self.seconds = what, seconds


class Conflict(WavescopeError):
    """A change made from a revision that is not the newest any more."""

    def __init__(self, what: str, given: int, newest: int) -> None:
        super().__init__(f"{what} was changed by another request: revision {given} was sent, {newest} is the newest")
        self.what, self.given, self.newest = what, given, newest


class Unavailable(WavescopeError):
    """Something this service needs does not answer now; another attempt later may succeed."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"{what} is unavailable: {reason}")
        self.what, self.reason = what, reason


class MissingPackage(WavescopeError):
    """A package of an optional part is not installed. ``extra``: the extra of ``wavescope`` that contains it."""

    def __init__(self, package: str, what: str, extra: str) -> None:
        super().__init__(f"{what} needs {package}, which is not installed: pip install 'wavescope[{extra}]'")
        self.package, self.what, self.extra = package, what, extra


class NotAnEdge(WavescopeError):
    """A question about a cache to a service that has none in front of other services."""

    def __init__(self) -> None:
        super().__init__("this service is not an edge: it holds the slides itself")

"""Errors of the workload driver: a trace that cannot be read, a server that cannot be measured.

No route raises them.
"""

from __future__ import annotations

from wavescope.errors.base import WavescopeError


class InvalidTrace(WavescopeError):
    """A trace file with a line that is not a request. ``line`` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line} of the trace: {reason}")
        self.line, self.reason = line, reason


class ServerUnreachable(WavescopeError):
    """A server that does not accept connections, or that stops in the middle of an answer."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url} does not answer: {reason}")
        self.url, self.reason = url, reason


class UnexpectedAnswer(WavescopeError):
    """An answer that this kind of server does not give: a status, or content that cannot be read."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url, self.reason = url, reason


class MissingExtra(WavescopeError):
    """A function that needs an optional package. ``extra``: the extra of this project that installs it."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs {package}: pip install 'wavescope[{extra}]'")
        self.what, self.package, self.extra = what, package, extra

"""What an error of one origin means for it and for the request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from wavescope.errors import (
    CodecError,
    CorruptBlock,
    CorruptStore,
    InvalidParameter,
    OutOfRange,
    StaleVersion,
    Unavailable,
    UnknownSlide,
    UnsupportedVersion,
    WavescopeError,
)

ErrorKind = Literal["final", "missing", "corrupt", "failed", "refused"]
"""``final``: every origin would answer so. ``missing``: the origin does not have the version. ``corrupt``: its bytes
are damaged. ``failed``: it does not work now. ``refused``: it works and does not give this."""

FAILURES = (WavescopeError, OSError, EOFError)
"""The exceptions of one origin that another origin may make good. Any other one is a programmer's mistake."""

ORDER: tuple[ErrorKind, ...] = ("final", "failed", "corrupt", "refused", "missing")


def classify(error: Exception) -> ErrorKind:
    """The meaning of an error."""
    match error:
        case OutOfRange() | InvalidParameter():
            return "final"
        case StaleVersion() | UnknownSlide():
            return "missing"
        case UnsupportedVersion():
            return "refused"
        case CorruptBlock() | CorruptStore() | CodecError():
            return "corrupt"
        case Unavailable() | OSError() | EOFError():
            return "failed"
        case _:
            return "refused"


def error_for_caller(errors: Sequence[Exception]) -> WavescopeError:
    """The error for the caller when no origin has answered: the one that another attempt is most likely to overcome."""
    if not errors:
        return Unavailable("the slide", "no origin has joined")
    chosen = min(errors, key=lambda error: ORDER.index(classify(error)))
    if isinstance(chosen, WavescopeError):
        return chosen
    unavailable = Unavailable("the origin", "its connection failed")
    unavailable.__cause__ = chosen
    return unavailable

"""What of names, paths and errors may stand in a line of the log: no secret, no text of a user or of a file (OP52)."""

from __future__ import annotations

import hashlib
import re
import traceback
from pathlib import PurePath

from wavescope import errors

MADE = re.compile(r"[0-9a-f]{32}([0-9a-f]{32})?")  # digests and ids that the service makes; no number of a patient
ABSOLUTE = re.compile(
    r"""(?<![\w.:/\\])(?:/|[A-Za-z]:\\)(?:[^/\\\s'":;,()]+(?:\ [^/\\\s'":;,()]+)*[/\\])+([^/\\\s'":;,()]*)"""
)
HASH = 12  # characters
FRAMES = 12  # of a traceback, the innermost
CAUSES = 4  # of a chain of errors

TELLING = (
    errors.CorruptBlock,
    errors.CodecError,
    errors.Unavailable,
    errors.TooLarge,
    errors.TooManyRequests,
    errors.MemoryLimit,
    errors.StoreBusy,
)
"""Errors whose text is made by the program alone."""


def name_of(text: str) -> str:
    """An identifier as it may be logged: ids made at random as they are, names that people give as a hash.

    The id of a slide is often made from a file's name, and a file's name may name a patient.
    """
    if not text or MADE.fullmatch(text):
        return text
    return "~" + hashlib.sha256(text.encode(errors="replace")).hexdigest()[:HASH]


def file_name_of(path: PurePath | str) -> str:
    """A file's name as a hash with its suffix."""
    path = PurePath(path)
    suffix = path.suffix.lower()
    return name_of(path.name) + (suffix if re.fullmatch(r"\.[a-z0-9]{1,6}", suffix) else "")


def without_paths(text: str) -> str:
    """A message with the last component of every absolute path in it (OP60)."""
    return ABSOLUTE.sub(lambda found: found[1] or "the folder", text)


def reason_of(error: BaseException) -> str:
    """What an error says, without any text of a user or of a file; empty if nothing is left of it."""
    if isinstance(error, errors.CatalogAway):
        return " ".join(error.cause.split())
    if isinstance(error, errors.CorruptStore):
        return f"{error.part}: {error.reason}"
    if isinstance(error, TELLING):
        return str(error)
    if isinstance(error, OSError):
        return error.strerror or ""
    state = getattr(getattr(error, "orig", error), "sqlstate", None)
    return f"SQLSTATE {state}" if state else ""


def failure_of(error: BaseException) -> dict[str, str]:
    """The fields of an error: its class, what it may say, its causes, and where it was raised."""
    chain = list(_chain(error))
    named = [type(one).__name__ + (f" ({reason})" if (reason := reason_of(one)) else "") for one in chain[1:]]
    fields = {"error": type(error).__name__, "reason": reason_of(error), "caused_by": " < ".join(named)}
    fields["trace"] = " < ".join(next((found for one in reversed(chain) if (found := _frames(one))), ()))
    return {name: value for name, value in fields.items() if value}


def _chain(error: BaseException) -> list[BaseException]:
    chain = [error]
    while len(chain) <= CAUSES:
        last = chain[-1]
        if isinstance(last, BaseExceptionGroup):
            cause: BaseException | None = last.exceptions[0]
        else:
            cause = last.__cause__ or (None if last.__suppress_context__ else last.__context__)
        if cause is None or cause in chain:
            break
        chain.append(cause)
    return chain


def _frames(error: BaseException) -> list[str]:
    """The innermost first."""
    found = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    return [f"{PurePath(one.filename).name}:{one.lineno} {one.name}" for one in reversed(found)]

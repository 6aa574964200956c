"""Numbers and words in paths and queries (WI2), read without a framework, for the fast routes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar
from urllib.parse import parse_qsl

from wavescope.errors import InvalidParameter, OutOfRange

Choice = TypeVar("Choice", bound=str)
INTEGER = re.compile(r"-?[0-9]+")
LONGEST = 18  # digits; whatever is longer lies outside of every slide


def integer(name: str, text: str) -> int:
    """The number. Raises InvalidParameter for what is none, OutOfRange for one that no slide can have."""
    if len(text) <= LONGEST and text.isascii() and text.isdigit():
        return int(text)
    if not INTEGER.fullmatch(text):
        raise InvalidParameter(name, text[:80], "an integer in decimal digits")
    if len(text) > LONGEST:
        raise OutOfRange(name, f"{text[:LONGEST]}…", f"at most {LONGEST} digits")
    return int(text)


def one_of(name: str, text: str, values: Sequence[Choice]) -> Choice:
    """The value that is written so. Raises InvalidParameter."""
    for value in values:
        if value == text:
            return value
    raise InvalidParameter(name, text[:80], " or ".join(values))


def parameter_integer(value: object) -> object:
    """``integer`` for declared parameters: pydantic itself would take ``1.0`` and `` 1 `` too."""
    if not isinstance(value, str):
        return value
    try:
        return integer("a number", value)
    except InvalidParameter as fault:
        raise ValueError(f"expected {fault.expected}") from fault


@lru_cache(maxsize=1024)
def query_text(query: bytes, name: str) -> str | None:
    """The named text of a query string, None if it is not there."""
    return dict(parse_qsl(query.decode("latin-1"), keep_blank_values=True)).get(name) if query else None


@lru_cache(maxsize=1024)
def query_integers(query: bytes, names: tuple[str, ...]) -> Sequence[int | None]:
    """The named numbers of a query string, None for one that is not there."""
    if not query:
        return (None,) * len(names)
    values = dict(parse_qsl(query.decode("latin-1"), keep_blank_values=True))
    return tuple(integer(name, values[name]) if name in values else None for name in names)

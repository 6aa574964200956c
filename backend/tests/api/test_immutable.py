"""Conditional requests and byte ranges (WI8)."""

from __future__ import annotations

import pytest

from wavescope.api.http.immutable import byte_range, matches
from wavescope.api.problems import RangeNotSatisfiable

TAGS = {b'"a"': True, b'W/"a"': True, b'"b", "a"': True, b"*": True, b'"b"': False, b"": False, b"a": False}
RANGES = {
    b"bytes=0-3": range(4),
    b"bytes=4-": range(4, 10),
    b"bytes=-3": range(7, 10),
    b"bytes=-30": range(10),
    b"bytes=8-99": range(8, 10),
    b"bytes=0-0,2-3": None,
    b"bytes=3-2": None,
    b"bytes=-": None,
    b"bytes=a-b": None,
    b"items=0-3": None,
    b"bytes=" + b"9" * 40 + b"-": None,
}


@pytest.mark.parametrize(("condition", "same"), TAGS.items())
def test_a_list_of_entity_tags_matches_one_of_them(condition: bytes, same: bool) -> None:
    assert matches(condition, b'"a"') is same


@pytest.mark.parametrize(("wanted", "span"), RANGES.items())
def test_a_single_range_is_cut_and_anything_else_answered_whole(wanted: bytes, span: range | None) -> None:
    assert byte_range(wanted, 10) == span


@pytest.mark.parametrize("wanted", [b"bytes=10-", b"bytes=11-12", b"bytes=-0"])
def test_a_range_outside_is_not_satisfiable(wanted: bytes) -> None:
    with pytest.raises(RangeNotSatisfiable):
        byte_range(wanted, 10)

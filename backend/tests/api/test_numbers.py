"""Numbers in paths and queries (WI2)."""

from __future__ import annotations

import pytest

from wavescope.api.http.numbers import integer, query_integers
from wavescope.errors import InvalidParameter, OutOfRange


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("-3", -3), ("9" * 18, 10**18 - 1)])
def test_decimal_digits_are_a_number_wi2(text: str, number: int) -> None:
    assert integer("x", text) == number


@pytest.mark.parametrize(
    "text", ["", "-", "1.0", "1e3", "NaN", "+1", " 1", "1 ", "1_0", "٣", "²", "0x1", "\x00", "\ufffd"]
)
def test_anything_else_is_invalid_wi2(text: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        integer("x", text)
    assert caught.value.name == "x"


@pytest.mark.parametrize("text", ["9" * 19, "9" * 100_000, "-" + "9" * 30])
def test_a_number_beyond_every_slide_is_out_of_range_wi2(text: str) -> None:
    with pytest.raises(OutOfRange) as caught:
        integer("x", text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("query", "numbers"),
    [(b"", (None, None)), (b"to=2", (None, 2)), (b"from=1&to=2&x=y", (1, 2)), (b"to=3&to=4", (None, 4))],
)
def test_a_query_gives_its_named_numbers(query: bytes, numbers: tuple[int | None, ...]) -> None:
    assert query_integers(query, ("from", "to")) == numbers


@pytest.mark.parametrize("query", [b"from=", b"from=a", b"to=%ff", b"to=1.5", b"from=\xff"])
def test_a_query_with_anything_else_is_invalid(query: bytes) -> None:
    with pytest.raises(InvalidParameter):
        query_integers(query, ("from", "to"))

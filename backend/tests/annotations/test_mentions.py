"""Whom a comment names (AN48)."""

from __future__ import annotations

import pytest

from wavescope.annotations.mentions import MENTIONS, mentioned

PEOPLE = {"1": "Anna", "2": "Anna Weber", "3": "Émile", "4": ""}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("@Anna look", {"1"}),
        ("@anna weber, look", {"2"}),
        ("(@ANNA) and @émile!", {"1", "3"}),
        ("@Annabel", set()),
        ("anna@anna.example", set()),
        ("@ @@ @", set()),
        ("", set()),
        ("@Anna @Anna", {"1"}),
        ("@@Anna", {"1"}),
    ],
)
def test_a_name_after_an_at_sign_is_a_mention_an48(text: str, named: set[str]) -> None:
    assert mentioned(text, PEOPLE) == {one: PEOPLE[one] for one in named}


def test_a_comment_names_a_bounded_number_an48() -> None:
    people = {str(number): f"p{number:03}" for number in range(50)}
    assert len(mentioned(" ".join(f"@{name}" for name in people.values()), people)) == MENTIONS

"""What a person sees of a quiz while taking it (quizzes.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wavescope.quizzes.paper import paper, shows_key

OPTIONS = [{"id": name, "text": name} for name in "abcdefgh"]
BASE: dict[str, Any] = {"text": "", "view": {}, "slide": None, "points": 1, "hint": "", "feedback": "SECRET"}
ORDER = BASE | {"id": "o", "kind": "order", "options": OPTIONS, "key": list("abcdefgh")}
POINT = BASE | {"id": "p", "kind": "point", "key": {"secret": "SECRET"}, "slide": "other"}


def test_a_paper_has_no_key_and_no_feedback_and_names_each_slide_qz20() -> None:
    shown = paper({"shuffled": False, "questions": [ORDER, POINT]}, "own", 7)
    assert "SECRET" not in json.dumps(shown)
    assert [question["slide"] for question in shown] == ["own", "other"]
    assert not any("key" in question for question in shown)


def test_an_order_is_shuffled_always_and_questions_by_the_seed_alone_qz2_qz14() -> None:
    quiz = {"shuffled": True, "questions": [{**POINT, "id": f"p{number}"} for number in range(9)] + [ORDER]}
    assert paper(quiz, None, 1) == paper(quiz, None, 1)
    assert [one["id"] for one in paper(quiz, None, 1)] != [one["id"] for one in paper(quiz, None, 2)]
    (order,) = paper({"shuffled": False, "questions": [ORDER]}, None, 1)
    assert order["options"] != OPTIONS
    assert sorted(order["options"], key=lambda one: one["id"]) == OPTIONS


@pytest.mark.parametrize(
    ("mode", "attempts", "number", "over", "answered", "shown"),
    [
        ("practice", None, 1, False, True, True),
        ("practice", None, 1, False, False, False),
        ("practice", None, 1, True, False, True),
        ("exam", 1, 1, False, True, False),
        ("exam", 1, 1, True, True, True),
        ("exam", 2, 1, True, True, False),
        ("exam", None, 9, True, True, False),
    ],
)
def test_a_key_is_shown_when_it_can_help_no_more_qz21(
    mode: str, attempts: int | None, number: int, over: bool, answered: bool, shown: bool
) -> None:
    assert shows_key({"mode": mode, "attempts": attempts}, number, over, answered) is shown

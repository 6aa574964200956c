"""Marking is a pure function of question and answer (quizzes.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wavescope.quizzes.marking import mark, overlap

VECTORS = Path(__file__).parents[3] / "shared" / "vectors" / "quizzes" / "marking.json"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_bytes())["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_share_of_an_answer_is_that_of_the_vectors_qz9_qz10_qz11_qz12_qz13_qz14(case: dict[str, Any]) -> None:
    assert mark(case["question"], case["answer"]) == case["share"]


def test_the_overlap_is_right_to_a_hundredth_at_any_size_qz12() -> None:
    for size in (1e-3, 1.0, 1e6):
        left = [[x * size, y * size] for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
        right = [[x + 0.5 * size, y] for x, y in left]
        assert overlap(left, right) == pytest.approx(1 / 3, abs=0.01)

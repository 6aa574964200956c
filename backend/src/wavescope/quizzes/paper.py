"""What a person sees of a quiz while taking it: never a key (QZ20)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

Part = Mapping[str, Any]
SHOWN = ("id", "kind", "text", "view", "points", "hint", "multiple", "unit")  # members of a question before the end


def paper(quiz: Part, slide_id: str | None, seed: int) -> list[dict[str, Any]]:
    """The questions without keys and feedback, in the order of this attempt; ``slide_id``: of the quiz."""
    questions = [_shown(question, slide_id, quiz["shuffled"], seed) for question in quiz["questions"]]
    return _shuffled(questions, f"{seed}") if quiz["shuffled"] else questions


def _shown(question: Part, slide_id: str | None, shuffled: bool, seed: int) -> dict[str, Any]:
    shown = {name: question[name] for name in SHOWN if name in question}
    shown["slide"] = question["slide"] or slide_id
    options = question.get("options", [])
    mixed = shuffled or question["kind"] == "order"  # the written order may be the right one
    shown["options"] = _shuffled(options, f"{seed} {question['id']}") if mixed else list(options)
    return shown


def _shuffled(parts: Sequence[Any], seed: str) -> list[Any]:
    parts = list(parts)
    random.Random(seed).shuffle(parts)
    return parts


def shows_key(quiz: Part, number: int, over: bool, answered: bool) -> bool:
    """Whether the person of the ``number``-th attempt may see a question's key (QZ21)."""
    if quiz["mode"] == "practice":
        return over or answered
    return over and quiz["attempts"] is not None and number >= quiz["attempts"]

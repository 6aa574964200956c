"""A quiz file as JSON Schema: ``python -m wavescope.api.schemas.quiz_file`` writes shared/wire/quiz.schema.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from wavescope.api.schemas.quizzes import Quiz

SCHEMA = Path(__file__).resolve().parents[5] / "shared" / "wire" / "quiz.schema.json"


def schema() -> str:
    """The schema as canonical JSON text."""
    return json.dumps(Quiz.model_json_schema(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else SCHEMA
    target.write_text(schema())

"""The one table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wavescope import errors
from wavescope.api.problems import PROBLEMS, job_problem, problem_of

SPEC = Path(__file__).parents[3] / "shared" / "spec" / "wire" / "index.md"
CLASSES = [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.WavescopeError)]


@pytest.mark.parametrize("cls", [cls for cls in CLASSES if cls is not errors.WavescopeError])
def test_every_error_class_has_a_row(cls: type[errors.WavescopeError]) -> None:
    assert cls in PROBLEMS


def test_a_class_that_is_unknown_takes_the_row_of_its_base() -> None:
    class Special(errors.UnreadableSource):
        pass

    assert problem_of(Special("a", "b")).name == "unreadable-source"
    assert problem_of(ZeroDivisionError()).name == "internal"


def test_the_document_lists_every_problem_with_its_status_wi30() -> None:
    rows = re.findall(r"^\| ([a-z, -]+) \| (\d+) \|", SPEC.read_text(), re.MULTILINE)
    listed = {(name, int(status)) for names, status in rows for name in names.split(", ")}
    assert {(problem.name, problem.status) for problem in PROBLEMS.values()} <= listed


def test_a_jobs_error_has_the_form_of_a_problem_wi26() -> None:
    assert job_problem(None) is None
    error = job_problem({"cause": "UnsupportedSource", "detail": "why"})
    assert error == {
        "type": "/problems/unsupported-source",
        "title": "Unsupported kind of file",
        "detail": "why",
    }
    assert job_problem({"cause": "Nonsense", "detail": "x"}) == {
        "type": "/problems/internal",
        "title": "Something went wrong in the service",
        "detail": "x",
    }

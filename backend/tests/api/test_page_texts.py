"""LG8: the pages that the service writes itself, in the language of the browser."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from starlette.requests import Request

import wavescope
from wavescope.api.http.page_texts import GERMAN, Texts, texts_for
from wavescope.api.problems import problem_of
from wavescope.api.routes.access.lti import NOTHING
from wavescope.errors import LaunchRefused, UnknownPlatform


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-CH,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,de;q=0.9", "en"),
        ("en;q=0.1, DE ; Q=0.5", "de"),
        ("fr,de;q=0.3", "de"),
        ("fr,*;q=0.5", "en"),
        ("de;q=0", "en"),
        ("de;q=nan", "en"),
        ("de;q=", "en"),
        ("deutsch", "en"),
        (";,;,=;q=1,\xfc", "en"),
        ("fr," * 100_000 + "de", "en"),
    ],
)
def test_lg8_the_best_language_that_is_known(accepted: str, language: str) -> None:
    headers = [(b"accept-language", accepted.encode("latin-1"))]
    assert texts_for(Request({"type": "http", "headers": headers})).language == language


def test_lg8_values_stand_in_both_languages() -> None:
    assert Texts("en")("Page {page} of {pages}", page=2, pages=3) == "Page 2 of 3"
    assert Texts("de")("Page {page} of {pages}", page=2, pages=3) == "Seite 2 von 3"
    for english, german in GERMAN.items():
        assert names_in(english) == names_in(german)


def test_lg8_every_text_of_these_pages_has_a_german_one() -> None:
    titles = {problem_of(error).title for error in (LaunchRefused("", ""), UnknownPlatform(""))}
    missing = {*reasons(), *texts(), *titles, *NOTHING.values(), *(one.capitalize() for one in NOTHING)} - {*GERMAN}
    assert missing == set()


def names_in(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text)} - {None}


def calls(name: str) -> Iterator[ast.Call]:
    for file in Path(wavescope.__file__).parent.rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        if f"{name}(" not in source or (name == "t" and "texts_for" not in source):
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def literals(name: str) -> set[str]:
    first = (call.args[0] for call in calls(name))
    return {one.value for one in first if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def reasons() -> set[str]:
    """Why launches fail."""
    found = literals("LaunchRefused")
    assert len(found) > 10
    return found


def texts() -> set[str]:
    found = literals("t")
    assert len(found) > 8
    return found

"""The commands of the tutorials are commands of this version (IN7)."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from wavescope.cli.app import _parser

TUTORIALS = Path(__file__).resolve().parents[3] / "shared" / "tutorials"
COMMAND = re.compile(r"(?:^    |`|/)wavescope (\w[^`\n]*)", re.MULTILINE)
FOUND = [(page.name, words) for page in sorted(TUTORIALS.glob("*.md")) for words in COMMAND.findall(page.read_text())]


def test_in7_there_are_commands_in_the_tutorials() -> None:
    assert {page for page, _ in FOUND} >= {"first-slide.md", "teach-a-class.md", "behind-a-proxy.md"}
    assert ("first-slide.md", "open slide.svs") in FOUND


@pytest.mark.parametrize(("page", "words"), FOUND)
def test_in7_a_command_of_a_tutorial_is_understood(page: str, words: str) -> None:
    parsed = _parser(shlex.split(words)).parse_args(shlex.split(words))
    assert parsed.run

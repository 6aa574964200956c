"""The check of words: a banned word is named with its file, its line and what to use, in code and in documents."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[2] / "shared" / "tools" / "checks/words.mjs"
NODE = shutil.which("node") or ""

pytestmark = pytest.mark.skipif(not NODE, reason="node is not installed")

PLANTED = {
    "names.py": ("def find(house: str) -> None:\n    pass\n", "names.py:1", "house"),
    "camel.ts": ("const a = 1;\nconst openHouse = () => a;\n", "camel.ts:2", "house"),
    "comment.c": ("/* ok\n * of the house */\nint a;\n", "comment.c:2", "house"),
    "text.md": ("# Title\n\nWhat was foretold.\n", "text.md:3", "foretold"),
    "sequence.py": ('MESSAGE = "it was thrown away"\n', "sequence.py:1", "thrown away"),
}


def checked(*files: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([NODE, CHECK, *files], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("name", PLANTED)
def test_a_banned_word_fails_with_its_place_and_what_to_use(tmp_path: Path, name: str) -> None:
    content, place, word = PLANTED[name]
    (tmp_path / name).write_text(content)
    done = checked(tmp_path / name)
    assert done.returncode == 1
    assert place in done.stderr
    assert f'"{word}"' in done.stderr
    assert "use: " in done.stderr


def test_a_file_name_is_checked_too(tmp_path: Path) -> None:
    (tmp_path / "house_rules.py").write_text("")
    assert checked(tmp_path / "house_rules.py").returncode == 1


def test_a_word_banned_as_a_name_may_stand_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("# Members carry out what they asked for.\nexecute = 1\n")
    assert checked(tmp_path / "good.py").returncode == 0
    (tmp_path / "bad.py").write_text("carry_out = 1\n")
    assert checked(tmp_path / "bad.py").returncode == 1

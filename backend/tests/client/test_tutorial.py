"""The code of the tutorial of the client, as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

TUTORIAL = Path(__file__).resolve().parents[3] / "shared" / "tutorials" / "client.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_pc5_the_tutorial_runs(slide_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAVESCOPE_TOKEN", raising=False)
    text = TUTORIAL.read_text()
    names: dict[str, Any] = {"url": slide_url}
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) > 10
    for block in blocks:
        lines = "\n" * text.count("\n", 0, block.start(1))  # so that a traceback names the line of the document
        exec(compile(lines + block[1], str(TUTORIAL), "exec"), names)

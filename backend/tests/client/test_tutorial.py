"""The code of the tutorial of the client, as it stands there, and the notebook that is made of it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from test_tools import call

pytestmark = pytest.mark.slow

TUTORIAL = Path(__file__).resolve().parents[3] / "shared" / "tutorials" / "client.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8000/api/v1/slides/biopsy-7"


def run(blocks: Sequence[str], **names: Any) -> None:
    for block in blocks:
        exec(compile(block, str(TUTORIAL), "exec"), names)


@pytest.mark.parametrize("slide", ["lossless", "planes"])
def test_pc5_the_tutorial_runs_with_any_slide(service: str, slide: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAVESCOPE_TOKEN", raising=False)
    text = TUTORIAL.read_text()
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) > 10
    # so that a traceback names the line of the document
    run(
        ["\n" * text.count("\n", 0, block.start(1)) + block[1] for block in blocks],
        url=f"{service}/api/v1/slides/{slide}",
    )


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_in8_the_notebook_of_the_tutorial_runs(slide_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAVESCOPE_TOKEN", raising=False)
    text = TUTORIAL.read_text()
    made = json.loads(call("docs/notebook.mjs", "tool.notebook(given[0])", text))
    assert (made["nbformat"], made["nbformat_minor"]) == (4, 5)
    cells = made["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    of = {
        kind: ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind] for kind in ("markdown", "code")
    }
    first, *others = of["code"]
    assert [f"{code}\n" for code in others] == [block[1] for block in BLOCK.finditer(text)]
    assert first == f'url = "{ADDRESS}"'
    assert sum(words.count("## ") for words in of["markdown"]) == text.count("\n## ")
    assert "](" not in "".join(of["markdown"]).replace("](http", "")
    run([first.replace(ADDRESS, slide_url), *others])

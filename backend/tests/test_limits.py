"""The check of what can be measured: planted violations are found, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[2] / "shared" / "tools" / "checks" / "limits.mjs"
NODE, GIT = shutil.which("node") or "", shutil.which("git") or ""

pytestmark = pytest.mark.skipif(not (NODE and GIT), reason="node or git is not installed")

NINE = ", ".join(f"int a{i}" for i in range(9))
EIGHT = ", ".join(f"int (*a{i})(int, int)" for i in range(8))


def check(folder: Path, files: Mapping[str, str]) -> list[str]:
    """What the check says of a repository with these files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    subprocess.run([GIT, "init", "--quiet"], cwd=folder, check=True)
    subprocess.run([GIT, "add", "."], cwd=folder, check=True)
    done = subprocess.run([NODE, CHECK, folder], capture_output=True, text=True, timeout=60, check=False)
    said = done.stderr.splitlines()
    assert done.returncode == (1 if said else 0)
    return said


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("backend/src/long.py", "\n" * 601, "backend/src/long.py: 601 lines, the limit is 600"),
        ("frontend/src/long.test.ts", "\n" * 601, "frontend/src/long.test.ts: 601 lines, the limit is 600"),
        ("frontend/src/long.module.css", "\n" * 601, "frontend/src/long.module.css: 601 lines, the limit is 600"),
        ("shared/kernel/src/a.c", f"int f({NINE}) {{\n}}\n", "f has 9 parameters, the limit is 8"),
        ("shared/kernel/include/a.h", f'#ifdef X\nextern "C" {{\n#endif\nint f({NINE});\n', "f has 9 parameters"),
        ("shared/tools/a.py", "from wavescope import kernel\n", "imports from wavescope import kernel"),
        ("shared/tools/a.mjs", 'import { a } from "../../frontend/src/a.mjs";\n', "imports ../../frontend/src/a.mjs"),
        ("shared/tools/a.mjs", 'await import("../../backend/a.mjs");\n', "imports ../../backend/a.mjs"),
        ("shared/kernel/src/a.c", '#include "../../../backend/a.h"\n', "imports ../../../backend/a.h"),
    ],
)
def test_a_violation_is_named(tmp_path: Path, file: str, text: str, complaint: str) -> None:
    (said,) = check(tmp_path, {file: text})
    assert complaint in said


def test_what_is_inside_the_limits_passes(tmp_path: Path) -> None:
    files = {f"frontend/src/a/m{i}{end}": "" for i in range(2) for end in (".ts", ".test.ts", ".css")}
    files |= {
        "backend/src/a.py": "\n" * 600,
        "backend/tests/a.py": "\n" * 600,
        "shared/kernel/src/a.c": f"int f({EIGHT}) {{\n    g({NINE}); /* f({NINE}) */\n}}\n",
        "shared/kernel/src/tables.c": "\n" * 700,
        "shared/tools/a.mjs": 'createRequire(at("frontend/package.json"))("vite"); import "./b.mjs";\n',
    }
    assert check(tmp_path, files) == []

"""What the benches need: reported at once, and enough for the user who starts them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "shared" / "tools"
NODE = shutil.which("node") or ""

pytestmark = pytest.mark.skipif(not NODE, reason="node is not installed")

SERVED = """
const { startNginx } = await import(process.argv[1]);
const { endChildren } = await import(process.argv[2]);
try {
  const answer = await fetch(await startNginx(process.argv[3]));
  console.log(answer.status, await answer.text());
} catch (cause) {
  console.log(cause.message);
} finally {
  endChildren();
}
"""


def node(*arguments: str | Path, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": path or os.environ["PATH"]}
    command = [NODE, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)


def nginx(folder: Path) -> str:
    done = node("--input-type=module", "-e", SERVED, TOOLS / "bench" / "nginx.mjs", TOOLS / "repository.mjs", folder)
    return done.stdout


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_serves_a_folder_that_is_closed_to_others_for_any_user(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "www").mkdir()
    (tmp_path / "www" / "index.html").write_text("a page")
    assert nginx(tmp_path) == "200 a page\n"


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_an_nginx_that_refuses_its_files_is_named_with_its_status(tmp_path: Path) -> None:
    (tmp_path / "www").mkdir()
    assert "answers 403" in nginx(tmp_path)


def test_the_viewer_bench_says_at_once_which_programs_are_missing(tmp_path: Path) -> None:
    slide = tmp_path / "slide.tif"
    slide.write_bytes(b"")
    for script in ([TOOLS / "bench" / "viewer.mjs", slide], [TOOLS / "bench.mjs", "viewer"]):
        done = node(*script, path=str(tmp_path))
        assert done.returncode == 2
        assert "needs nginx (Debian: nginx) and vips (Debian: libvips-tools)" in done.stderr


@pytest.mark.parametrize("bench", ["viewer.mjs", "memory.mjs"])
def test_a_slide_that_is_not_there_is_named_at_once(tmp_path: Path, bench: str) -> None:
    done = node(TOOLS / "bench" / bench, tmp_path / "none.svs")
    assert done.returncode == 2
    assert "none.svs" in done.stderr


def test_the_edge_bench_names_a_slide_that_is_not_there_at_once() -> None:
    bench = TOOLS.parents[1] / "backend" / "bench" / "classroom.py"
    done = subprocess.run([sys.executable, bench, "none.svs"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "none.svs" in done.stderr


def test_a_bench_without_a_chromium_says_at_once_that_it_is_missing() -> None:
    script = """
    const { chromiumFile } = await import(process.argv[1]);
    try {
      chromiumFile({ executablePath: () => "/nowhere/chrome" }, null);
    } catch (cause) {
      console.log(cause.message);
    }
    """
    done = node("--input-type=module", "-e", script, TOOLS / "bench" / "browser.mjs")
    assert done.stdout.startswith("This bench needs Chromium (Debian: chromium)")
    assert "/nowhere/chrome" in done.stdout


VERDICTS = """
import sys
from edge.targets import targets
plain = {"row": "no edge, batches", "cache": 0, "response_seconds": {"mean": 2.0, "variance": 3.0}}
near = {"row": "edge lru", "cache": 64, "response_seconds": {"mean": 0.9, "variance": 3.3}}
small = {**near, "row": "edge small", "cache": 10}
common = {"clients": 8, "fetch": "batch", "layers": None, "distinct_bytes": 50, "wide_area_bytes": 52}
for target in targets([{**common, **row} for row in (plain, near, small)], []):
    print(target.text, "met" if target.met else "missed", sep="; ")
"""


def test_the_edge_bench_names_each_target_and_whether_it_is_met() -> None:
    folder = TOOLS.parents[1] / "backend" / "bench"
    done = subprocess.run([sys.executable, "-c", VERDICTS], capture_output=True, text=True, check=True, cwd=folder)
    assert done.stdout.splitlines() == [
        "edge lru: wide-area : distinct bytes; missed",
        "edge lru: mean response : without an edge; met",
        "edge lru: variance : without an edge; missed",
        "edge small: mean response : without an edge; met",
        "edge small: variance : without an edge; missed",
    ]


def test_options_of_a_bench_need_its_name() -> None:
    done = node(TOOLS / "bench.mjs", "--clients", "8")
    assert done.returncode == 2
    assert "--clients is an option of one bench: name it before." in done.stderr

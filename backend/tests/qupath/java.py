"""Programs in Java beside the extension for QuPath: compiled once, then asked line by line."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXTENSION = ROOT / "shared" / "qupath"
SOURCES = EXTENSION / "src" / "org" / "wavescope" / "qupath"
HERE = Path(__file__).parent
QUPATH = "WAVESCOPE_QUPATH_JARS"  # names a folder with the jars of QuPath


def program(name: str) -> str:
    """A program of the JDK of JAVA_HOME, else of the path. Skips where there is none."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which(name, path=str(Path(home) / "bin")) if home else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: a JDK of Java 17 or later")
    return found


def jars() -> Path:
    """Those of QuPath. Skips where none are named."""
    named = os.environ.get(QUPATH)
    if not named:
        pytest.skip(f"{QUPATH} names no folder with the jars of QuPath: they are in no registry")
    return Path(named)


def compiled(files: Iterable[Path], folder: Path, classpath: str = "") -> Path:
    """The folder with the classes of these sources."""
    command = [program("javac"), "--release", "17", "-proc:none", "-Xlint:all,-path", "-Werror", "-d", str(folder)]
    done = subprocess.run([*command, "-cp", classpath, *map(str, files)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def build(qupath: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """``build.mjs`` with a folder of QuPath. Skips where there is no Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    command = [node, str(EXTENSION / "build.mjs"), "--qupath", str(qupath), "--out", str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def built(out: Path) -> Path:
    """The jar of the extension, as users build it."""
    done = build(jars(), out)
    assert done.returncode == 0, done.stdout + done.stderr
    (jar,) = out.glob("wavescope-*-qupath.jar")
    return jar


@contextmanager
def running(classpath: str, main: str, **environment: str) -> Iterator[Program]:
    """A program until the end of the block."""
    command = [program("java"), "-Djava.awt.headless=true", "-cp", classpath, main]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
    ) as process:
        try:
            yield Program(process)
        finally:
            process.kill()


class Program:
    """A program that answers each line with one."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, *words: object) -> str:
        """The answer to a line of these words."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(" ".join(map(str, words)) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the program has ended"
        return answer.rstrip("\n")

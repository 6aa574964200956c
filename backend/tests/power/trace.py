"""Running a program under strace and reading what it did to the files below a folder, in order."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

CALLS = (
    "openat,open,creat,close,lseek,write,pwrite64,writev,pwritev,pwritev2,sendfile,copy_file_range,rename,renameat,"
    "renameat2,fsync,fdatasync,mkdir,mkdirat,unlink,unlinkat,rmdir,ftruncate,truncate,fallocate,link,linkat,symlink,"
    "symlinkat"
)
_LINE = re.compile(r"(\w+)\((.*)\) += (-?\d+)")
_PENDING = re.compile(r"(\w+)\((.*) <unfinished \.\.\.>$")
_RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)$")
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?|<((?:\\x[0-9a-f]{2})*)>')


class Call(NamedTuple):
    """A system call that succeeded. ``text``: its arguments with strings and the paths of descriptors taken out;
    ``strings`` and ``paths`` have them in order.
    """

    name: str
    text: str
    strings: tuple[bytes, ...]
    paths: tuple[str, ...]
    value: int

    @property
    def arguments(self) -> list[str]:
        return [part.strip() for part in self.text.split(",")]


def require_strace() -> None:
    """Skips where system calls cannot be recorded."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed: what a power failure leaves cannot be worked out")
    tried = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("strace may not trace here: what a power failure leaves cannot be worked out")


def recorded(program: Path, log: Path, *arguments: str | Path) -> list[Call]:
    """The calls of a Python program that ends well."""
    traced = ["strace", "-f", "-y", "-xx", "-s", "33554432", "-o", str(log), "-e", f"trace={CALLS}"]
    command = [*traced, sys.executable, str(program), *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return list(_calls(log.read_text()))


def _calls(text: str) -> Iterator[Call]:
    pending: dict[str, str] = {}
    for line in text.splitlines():
        thread, _, rest = line.partition(" ")
        rest = rest.strip()
        if begun := _PENDING.match(rest):
            pending[thread] = f"{begun[1]}({begun[2]}"
            continue
        if resumed := _RESUMED.match(rest):
            rest = pending.pop(thread) + resumed[2]
        found = _LINE.match(rest)
        if found and int(found[3]) >= 0:
            yield _call(found[1], found[2], int(found[3]))


def _call(name: str, arguments: str, value: int) -> Call:
    strings, paths = [], []
    for match in _STRING.finditer(arguments):
        assert not match[2], "a string was cut short"
        if match[3] is not None:
            paths.append(os.fsdecode(_bytes(match[3])))
        else:
            strings.append(_bytes(match[1]))
    return Call(name, _STRING.sub("", arguments), tuple(strings), tuple(paths), value)


def _bytes(escaped: str) -> bytes:
    return bytes.fromhex(escaped.replace("\\x", ""))

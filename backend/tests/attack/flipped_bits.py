"""One bit of every file of a store: an error, or without effect; never a wrong pixel (ST40 to ST44, WI16)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import httpx

from attack.nursery import Nursery
from attack.report import Findings, Workspace
from attack.service import API, Service
from attack.slides import make_slides, read_all, wrong

FAULTS = ("damaged block", "damaged slide version", "damaged catalog")  # rows of shared/operations/faults.md
SOURCE = "specimen:1300x1100x2"


def attack(workspace: Workspace, findings: Findings) -> None:
    store, random = workspace.folder / "store", workspace.random("flipped_bits")
    digest = make_slides(store, {"one": SOURCE})["one"]
    version = store / "slides" / digest
    right = read_all(store, digest).contents
    rounds = 2 if workspace.short else 40
    files = sorted(path for path in version.rglob("*") if path.is_file())
    flips = [(file, random.randrange(8 * file.stat().st_size)) for _ in range(rounds) for file in files]
    served = random.sample(flips, 3 if workspace.short else 12)
    random.shuffle(flips)
    for file, bit in findings.until_late(flips, 0.4):
        with flipped(file, bit):
            false = wrong(read_all(store, digest), right)
        where = f"bit {bit} of {file.relative_to(version)}"
        findings.check(not false, f"{where}: wrong without an error: {' '.join(false[:4])}")
    with Nursery() as nursery:
        for _ in findings.until_late(range(2 if workspace.short else 12), 0.4):
            _flip_catalog(nursery, store, random, findings)
    with Service(store) as service:
        picture = service.client().get(_picture(digest)).content
    for flip in findings.until_late(served):
        _flip_served(store, digest, flip, picture, findings)


class flipped:  # noqa: N801 - read like a word in a with statement
    """A file with one bit changed."""

    def __init__(self, file: Path, bit: int) -> None:
        self._file, self._bit, self._original = file, bit, file.read_bytes()

    def __enter__(self) -> None:
        data = bytearray(self._original)
        data[self._bit // 8] ^= 1 << self._bit % 8
        self._file.write_bytes(data)

    def __exit__(self, *_: object) -> None:
        self._file.write_bytes(self._original)


def _picture(digest: str) -> str:
    return f"{API}/slides/one/v/{digest}/region?x=0&y=0&width=1300&height=1100&format=png"


def _flip_served(store: Path, digest: str, flip: tuple[Path, int], picture: bytes, findings: Findings) -> None:
    """The running service's pixels, against those of the intact store."""
    file, bit = flip
    with flipped(file, bit), Service(store) as service:
        answer = service.client().get(_picture(digest))
        words = f"bit {bit} of {file.name}, GET region: {answer.status_code}"
        findings.check(answer.status_code != 200 or answer.content == picture, f"{words} with wrong pixels")
        findings.check(answer.status_code == 200 or _is_problem(answer), f"{words}: {answer.text[:200]}")
        findings.check(not service.faults(), f"{words}: {service.faults()}")


def _is_problem(answer: httpx.Response) -> bool:
    body = answer.json() if answer.headers.get("content-type") == "application/problem+json" else {}
    return bool(body.get("type")) and not body["type"].endswith("internal")


def _flip_catalog(nursery: Nursery, store: Path, random: Random, findings: Findings) -> None:
    """A damaged catalog is called so, or has no effect: SQLite has no checksums."""
    file = store / "catalog.sqlite"
    bit = random.randrange(8 * file.stat().st_size)
    if random.random() < 0.5:
        bit = random.randrange(8 * 200)  # the head of the file, which everything needs
    with flipped(file, bit):
        done = nursery.run("command", store, arguments=["list", "--json", "--store", str(store)])
    words = f"bit {bit} of catalog.sqlite, wavescope list: exit code {done.code}"
    findings.check(done.code in (0, 1, 2) and "Traceback" not in done.errors, f"{words}: {done.errors[-300:]!r}")
    for leftover in ("catalog.sqlite-wal", "catalog.sqlite-shm"):
        (store / leftover).unlink(missing_ok=True)

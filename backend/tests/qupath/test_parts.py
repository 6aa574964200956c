"""The parts of the extension for QuPath that need nothing of QuPath, with a JDK alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from qupath.java import HERE, SOURCES, Program, compiled, running
from wavescope.geometry import TILE

pytestmark = pytest.mark.slow

ALONE = ("NumpyArray", "Slide", "SlideAddress", "Tokens")
MAIN = "org.wavescope.qupath.Parts"
DIGEST = "0123456789abcdef" * 2


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> str:
    sources = [*(SOURCES / f"{name}.java" for name in ALONE), HERE / "Parts.java"]
    return str(compiled(sources, tmp_path_factory.mktemp("parts")))


@pytest.fixture(scope="module")
def parts(classes: str) -> Iterator[Program]:
    with running(classes, MAIN) as program:
        yield program


ADDRESSES = {
    "the page (QP1)": ("https://host/slides/biopsy-7", "https://host biopsy-7 null"),
    "a view of it (QP1)": ("https://host/slides/biopsy-7?z=1#x=2", "https://host biopsy-7 null"),
    "the manifest (QP1)": ("http://127.0.0.1:8000/api/v1/slides/a", "http://127.0.0.1:8000 a null"),
    "a version (QP1)": (f"https://host/api/v1/slides/a.b/v/{DIGEST}", f"https://host a.b {DIGEST}"),
    "below a path (QP1)": ("HTTPS://Host:443/lab/slides/a/", "https://host/lab a null"),
    "another page (QP1)": ("https://host/cases/a", "none"),
    "an id that is none (QP1)": ("https://host/slides/-a", "none"),
    "with a password (QP1)": ("https://me:secret@host/slides/a", "none"),
    "a file (QP1)": ("file:///data/slides/a", "none"),
    "a part of a slide (QP1)": ("https://host/api/v1/slides/a/thumbnail", "none"),
}


@pytest.mark.parametrize(("url", "found"), ADDRESSES.values(), ids=ADDRESSES.keys())
def test_qp1_the_address_of_a_slide_is(parts: Program, url: str, found: str) -> None:
    assert parts.ask("address", url) == found


@pytest.mark.parametrize("size", [(1, 1), (256, 256), (257, 1), (1300, 1100), (1501, 1103), (99_999, 70_001)])
def test_qp2_levels_are_those_of_the_store(parts: Program, size: tuple[int, int]) -> None:
    expected = [size]
    while max(expected[-1]) > TILE:
        expected.append((-(-size[0] // 2 ** len(expected)), -(-size[1] // 2 ** len(expected))))
    assert parts.ask("levels", *size, 3) == " ".join(f"{w}x{h}" for w, h in expected)


@pytest.mark.parametrize("size", [(0, 5, 3), (5, 1 << 25, 3), (5, 5, 65), (5, 5, 0)])
def test_qp8_a_slide_that_cannot_be_is_refused(parts: Program, size: tuple[int, int, int]) -> None:
    assert parts.ask("levels", *size) == "refused: a manifest whose members do not fit together"


def test_qp3_a_tile_of_a_picture_is_requested_as_png(parts: Program) -> None:
    assert parts.ask("tile", 1300, 1100, 3, 1, 2, 0, 4) == "/tiles/4/1/2/0.png"


def test_qp4_a_tile_of_channels_is_requested_as_samples(parts: Program) -> None:
    query = "x=1024&y=512&width=138&height=256&level=1&z=0&format=npy"
    assert parts.ask("tile", 1300, 1100, 5, 1, 2, 1, 0) == f"/region?{query}"


@pytest.mark.parametrize("language", ["-Duser.language=ar -Duser.country=EG", "-Duser.language=tr"])
def test_qp1_qp3_qp4_addresses_and_requests_are_the_same_in_every_language(classes: str, language: str) -> None:
    with running(classes, MAIN, JAVA_TOOL_OPTIONS=language) as program:
        assert program.ask("address", "HTTPS://HIJK/slides/a") == "https://hijk a null"
        assert program.ask("tile", 1300, 1100, 3, 1, 2, 0, 4) == "/tiles/4/1/2/0.png"
        assert program.ask("tile", 1300, 1100, 5, 1, 2, 1, 0).startswith("/region?x=1024&y=512&width=138&")


@pytest.mark.parametrize("kind", ["uint8", "int8", "uint16", "int16"])
def test_qp4_samples_are_read_in_their_own_type(parts: Program, tmp_path: Path, kind: str) -> None:
    limits = np.iinfo(kind)
    samples = np.random.default_rng(3).integers(limits.min, limits.max, (7, 5, 4), dtype=kind, endpoint=True)
    np.save(tmp_path / "a.npy", samples)
    weights = np.arange(1, samples.size + 1)
    signed = str(kind.startswith("int")).lower()
    total = int((samples.ravel().astype(np.int64) * weights).sum())
    assert parts.ask("array", tmp_path / "a.npy") == f"[7, 5, 4, {samples.itemsize}, {signed}, {total}]"


def test_qp8_samples_that_are_cut_or_of_another_kind_are_refused(parts: Program, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((3, 2, 4), np.uint16))
    whole = (tmp_path / "a.npy").read_bytes()
    wrong = [whole[:end] for end in range(len(whole))] + [whole + b"\0", whole.replace(b"(3, 2, 4)", b"(9, 9, 9)")]
    for other in (np.zeros((3, 2)), np.zeros((3, 2, 4), ">u2"), np.zeros((3, 2, 4), np.uint16, order="F")):
        np.save(tmp_path / "b.npy", other)
        wrong.append((tmp_path / "b.npy").read_bytes())
    for number, content in enumerate(wrong):
        (tmp_path / "c.npy").write_bytes(content)
        assert parts.ask("array", tmp_path / "c.npy").startswith("refused: no array"), number


TOKENS = {
    "for its service (QP7)": ("https://host/", "https://host/slides/a", "true"),
    "for its path (QP7)": ("https://host/lab", "https://host/lab/slides/a", "true"),
    "not for another host (QP7)": ("https://host", "https://host.evil/slides/a", "false"),
    "not for another port (QP7)": ("https://host", "https://host:8443/slides/a", "false"),
    "not without encryption (QP7)": ("https://host", "http://host/slides/a", "false"),
    "not for another path (QP7)": ("https://host", "https://host/other/slides/a", "false"),
}


@pytest.mark.parametrize(("service", "url", "sent"), TOKENS.values(), ids=TOKENS.keys())
def test_qp7_a_token_is(parts: Program, service: str, url: str, sent: str) -> None:
    assert parts.ask("token", service, f"t-{abs(hash((service, url)))}", url) == sent


def test_qp7_what_is_no_token_is_refused(parts: Program) -> None:
    assert parts.ask("token", "host", "t", "https://host/slides/a").startswith("refused: The address")

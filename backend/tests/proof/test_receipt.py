"""PF8 to PF12: receipts of views, compared with the slide."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wavescope.cli.app import main
from wavescope.client.slide import open_slide
from wavescope.errors import InvalidParameter
from wavescope.pixels.images import Pixels
from wavescope.proof import receipt as receipts
from wavescope.proof.checking import checked, sentences
from wavescope.proof.receipt import read_receipt
from wavescope.proof.stored import StoredSlide

LEVEL, X, Y, WIDTH, HEIGHT = 0, 37, 21, 300, 400
"""More rows than are read at once."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("receipts")
    for source, slide in (("specimen:700x500x2?seed=2", "cells"), ("specimen:300x200?seed=3", "other")):
        assert main(["ingest", source, "--id", slide, "--store", str(folder), "--json"]) == 0
    return folder


def sum_of(pixels: Pixels) -> str:
    return hashlib.sha256(np.ascontiguousarray(pixels).tobytes()).hexdigest()


@pytest.fixture(scope="module")
def pixels(store: Path) -> Pixels:
    with open_slide(store / "cells") as slide:
        return slide.read_array(LEVEL, X, Y, WIDTH, HEIGHT, plane=1)


@pytest.fixture
def content(store: Path, pixels: Pixels) -> dict[str, Any]:
    """Of a view at 1:1 with nothing changed."""
    with open_slide(store / "cells") as slide:
        digest = slide.version.digest
    return {
        "kind": "wavescope-receipt", "form": 1, "wavescope": "0.2.0", "time": "2026-01-02T03:04:05.678Z",
        "account": None,
        "slide": {"id": "cells", "digest": digest, "width": 700, "height": 500},
        "view": {
            "level": LEVEL, "x": X, "y": Y, "width": WIDTH, "height": HEIGHT, "plane": 1, "scale": 1, "rotation": 0,
            "flip": False,
        },
        "canvas": {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "corner": [0, 0], "density": 1.5},
        "fidelity": {"state": "exact", "tiles": 6, "coarse": 0, "layers": 5, "fewest_layers": 5},
        "adjustments": None, "colour_profile": False, "exact": True,
        "sha256": {"level": sum_of(pixels), "canvas": sum_of(pixels)},
        "picture": "data:image/png;base64,AAAA",
    }  # fmt: skip


@pytest.fixture
def check(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[Any], tuple[int, str]]:
    """Writes a receipt and runs the command on it: exit code, and what was printed."""

    def run(content: Any, slide: str = "cells") -> tuple[int, str]:
        path = tmp_path / "receipt.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        capsys.readouterr()
        code = main(["prove", slide, "--store", str(store), "--check", str(path)])
        out, err = capsys.readouterr()
        return code, out + err

    return run


Check = Callable[..., tuple[int, str]]


def test_pf11_pf12_a_receipt_of_stored_pixels_holds(content: dict[str, Any], check: Check) -> None:
    code, said = check(content)
    assert code == 0
    assert "the stored pixels have the sum of the receipt" in said
    assert "the screen showed exactly these pixels\n" in said
    assert "complete: 6 tiles with all 5 quality layers" in said
    assert "not signed" in said
    assert "DOES NOT HOLD" not in said


def test_pf10_pixels_shown_larger_are_the_stored_ones_repeated(
    content: dict[str, Any], pixels: Pixels, check: Check
) -> None:
    """The first pixel is cut on the left by one and above by two of its three pixels of the screen."""
    larger = pixels.repeat(3, axis=0).repeat(3, axis=1)[2:900, 1:701]
    content["view"]["scale"] = 3
    content["canvas"] |= {"width": 700, "height": 898, "corner": [-1, -2]}
    content["sha256"]["canvas"] = sum_of(larger)
    code, said = check(content)
    assert code == 0
    assert "exactly these pixels, each as 3 x 3" in said
    content["canvas"]["corner"] = [-1, -1]
    assert check(content)[0] == 1


def test_pf12_one_step_of_one_pixel_does_not_hold(content: dict[str, Any], pixels: Pixels, check: Check) -> None:
    changed = pixels.copy()
    changed[300, 5, 1] ^= 1
    content["sha256"]["canvas"] = sum_of(changed)
    code, said = check(content)
    assert code == 1
    assert "DOES NOT HOLD: the pixels of the screen" in said
    content["sha256"]["level"] = sum_of(changed)
    code, said = check(content)
    assert code == 1
    assert "DOES NOT HOLD: the stored pixels have another sum" in said


@pytest.mark.parametrize(
    ("part", "change", "reason"),
    [
        ("view", {"rotation": 90}, "turned"),
        ("view", {"scale": 0.7}, "scaled"),
        ("view", {"flip": True}, "mirrored"),
        (None, {"adjustments": {"gamma": 1.2}}, "adjusted"),
        (None, {"colour_profile": True}, "colour profile"),
        ("fidelity", {"state": "refining", "coarse": 2}, "not complete"),
    ],
)
def test_pf10_changed_views_have_a_sum_of_the_level_alone(
    part: str | None, change: dict[str, Any], reason: str, content: dict[str, Any], check: Check
) -> None:
    (content if part is None else content[part]).update(change)
    content["exact"] = False
    content["sha256"]["canvas"] = "0" * 64
    code, said = check(content)
    assert code == 0
    assert "the stored pixels have the sum of the receipt" in said
    assert "cannot be calculated again: " in said
    assert reason in said


def test_pf12_another_slide_or_place_does_not_hold(content: dict[str, Any], check: Check) -> None:
    assert "has not the version" in check(content, "other")[1]
    content["view"]["x"] = 401  # the last columns are beside the slide
    code, said = check(content)
    assert code == 1
    assert "no such level, place" in said
    content["view"] |= {"x": 0, "plane": 2}
    assert check(content)[0] == 1


def test_pf12_the_version_that_was_shown_is_compared_while_it_is_stored(
    content: dict[str, Any], check: Check, store: Path, tmp_path: Path
) -> None:
    with open_slide(store / "other") as other:
        content["slide"]["digest"] = other.version.digest  # stored, but not of this slide now
    content["slide"] |= {"width": 300, "height": 200}
    content["view"] |= {"x": 0, "y": 0, "width": 300, "height": 200, "plane": 0}
    content["sha256"]["level"] = "0" * 64
    assert "have another sum" in check(content)[1]


def test_pf12_with_json(
    content: dict[str, Any], store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(content))
    capsys.readouterr()
    assert main(["prove", "cells", "--store", str(store), "--check", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {"version": True, "place": True, "level": True, "canvas": True, "holds": True}


HOSTILE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no JSON": lambda _: b"\xff{",
    "no object": lambda _: [],
    "deep": lambda _: b"[" * 100_000,
    "a huge number": lambda content: json.dumps(content).replace('"level": 0', '"level": 1' + "0" * 5000).encode(),
    "not a number": lambda content: json.dumps(content).replace('"scale": 1', '"scale": NaN').encode(),
    "another kind": lambda content: content | {"kind": "invoice"},
    "a later form": lambda content: content | {"form": 3},
    "a text for a number": lambda content: content | {"view": content["view"] | {"x": "37"}},
    "a negative place": lambda content: content | {"view": content["view"] | {"y": -1}},
    "no width": lambda content: content | {"view": content["view"] | {"width": 0}},
    "too wide": lambda content: content | {"view": content["view"] | {"width": 1 << 18}},
    "too many pixels": lambda content: content | {"view": content["view"] | {"width": 1 << 17, "height": 1 << 17}},
    "a huge canvas": lambda content: content | {"canvas": content["canvas"] | {"width": 1 << 16}},
    "scale 0": lambda content: content | {"view": content["view"] | {"scale": 0}},
    "a path as a slide": lambda content: content | {"slide": content["slide"] | {"id": "../../etc"}},
    "a path as a version": lambda content: content | {"slide": content["slide"] | {"digest": "../" * 10 + "ab"}},
    "a long account": lambda content: content | {"account": "x" * 300},
    "no time zone": lambda content: content | {"time": "2026-01-02T03:04:05"},
    "a short sum": lambda content: content | {"sha256": content["sha256"] | {"level": "ab"}},
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_pf12_what_is_no_receipt_ends_with_2(
    kind: str, content: dict[str, Any], check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before any pixel is read."""
    monkeypatch.setattr("wavescope.cli.receipt._stored", None)
    code, said = check(HOSTILE[kind](content))
    assert code == 2
    assert "expected a receipt" in said
    assert len(said) < 2000


def test_pf12_a_large_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    with path.open("wb") as file:
        file.truncate(receipts.MOST_BYTES + 1)
    with pytest.raises(InvalidParameter, match="at most"):
        read_receipt(path)


def test_pf12_letters_that_steer_a_terminal_are_not_printed(content: dict[str, Any], check: Check) -> None:
    content |= {"account": "\x1b[2J", "wavescope": "\x1b]0;x\x07"}
    _, said = check(content)
    assert "\x1b" not in said


def test_pf10_a_place_on_the_canvas_that_cannot_be_is_no_proof(
    content: dict[str, Any], store: Path, tmp_path: Path
) -> None:
    for corner in ([0.5, 0], [1, 0], [-1, 0]):
        content["canvas"]["corner"] = corner
        path = tmp_path / "receipt.json"
        path.write_text(json.dumps(content))
        with open_slide(store / "cells") as slide:
            receipt = read_receipt(path)
            assert receipt.kind == "wavescope-receipt"
            found = checked(receipt, StoredSlide(slide))
        assert found.canvas is None
        assert any("cannot be calculated again" in said for said in sentences(receipt, found))

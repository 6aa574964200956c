"""PF1 to PF7, PF16."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from skimage.color import deltaE_ciede2000

from service.profiles import scanner_profile
from wavescope.cielab import difference, lab_of_pixels
from wavescope.cli.app import main
from wavescope.client.slide import Slide, open_slide
from wavescope.errors import InvalidParameter
from wavescope.pixels.images import Pixels
from wavescope.proof.browsers import BrowserFailed
from wavescope.proof.comparison import KEPT, Wanted, compared
from wavescope.proof.page import JSON, PAGE, SIGNATURE, SUMS
from wavescope.proof.report import Report, private_key
from wavescope.proof.views import View, chosen

SCREEN = (300, 200)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a specimen of three planes, and squares of many colours with the profile of a scanner."""
    folder = tmp_path_factory.mktemp("proof")
    squares = np.random.default_rng(11).integers(0, 256, (12, 16, 3), np.uint8)
    picture = Image.fromarray(squares.repeat(110, axis=0).repeat(110, axis=1))
    picture.save(folder / "squares.png", icc_profile=scanner_profile())
    for source, slide in (("specimen:700x500x3?seed=2", "cells"), (str(folder / "squares.png"), "squares")):
        assert main(["ingest", source, "--id", slide, "--store", str(folder / "store"), "--json"]) == 0
    return folder / "store"


@given(st.integers(0, 2**32), st.integers(1, 5))
def test_pf2_views_lie_in_the_slide_and_fill_the_window_where_it_is_large_enough(seed: int, planes: int) -> None:
    levels = [(1000, 700), (500, 350), (250, 175)]
    views = list(chosen(levels, SCREEN, planes, 30, seed))
    assert views == list(chosen(levels, SCREEN, planes, 30, seed))
    for view in views:
        width, height = levels[view.level]
        assert view.size(levels[view.level], SCREEN) == (min(300, width), min(200, height))
        assert 0 <= view.x <= max(0, width - 300)
        assert 0 <= view.y <= max(0, height - 200)
        assert 0 <= view.plane < planes
    assert len({view.level for view in chosen(levels, SCREEN, planes, 200, seed)}) == 3


def test_pf4_the_difference_of_colours_is_that_of_scikit_image() -> None:
    chance = np.random.default_rng(3)
    one, other = chance.integers(0, 256, (2, 3000, 3)).astype(np.uint8)
    close = np.clip(one + chance.integers(-3, 4, one.shape), 0, 255).astype(np.uint8)
    grey = np.repeat(one[:, :1], 3, axis=1)
    for left, right in ((one, other), (one, close), (grey, one), (grey, np.repeat(close[:, :1], 3, axis=1))):
        labs = lab_of_pixels(left), lab_of_pixels(right)
        expected = deltaE_ciede2000(*labs)  # type: ignore[no-untyped-call]
        assert np.abs(difference(*labs) - expected).max() < 1e-9


class FakeWindow:
    """Shows the pixels of a slide, but for those that ``spoil`` changes; it fails at view ``last``."""

    def __init__(
        self,
        slide: Slide,
        spoil: Callable[[View, Pixels], Pixels] = lambda _, pixels: pixels,
        name: str = "fake",
        last: int | None = None,
    ) -> None:
        self.name, self.version = name, "1.0"
        self._slide, self._spoil, self._last = slide, spoil, last
        self._view = View(0, 0, 0)
        self.digest = slide.version.digest
        self.shown = 0

    def open(self, _address: str) -> dict[str, Any]:
        return {"digest": self.digest, "planes": 3, "agent": "<fake>", "sharp": 12.34}

    def show(self, view: View) -> dict[str, Any]:
        if self.shown == self._last:
            raise BrowserFailed(self.name, "it is gone")
        self.shown += 1
        self._view = view
        return {"x": view.x, "y": view.y, "ms": 5.0 + view.level, "fidelity": "exact"}

    def use_profile(self, _used: bool) -> None:
        raise AssertionError("the slide has no profile")

    def screen(self) -> Pixels:
        width, height = self._view.size(self._slide.level_dimensions[self._view.level], SCREEN)
        picture = np.full((SCREEN[1], SCREEN[0], 3), 250, np.uint8)
        view = self._view
        pixels = self._slide.read_array(view.level, view.x, view.y, width, height, plane=view.plane)
        picture[:height, :width] = self._spoil(view, pixels)
        return picture


def proof_of(slide: Slide, folder: Path, *names: str, views: int = 40) -> Report:
    return Report(folder, ("<cells>", slide.version), Wanted(views, 1), names or ("fake",))


def look(report: Report, slide: Slide, window: FakeWindow, views: int = 40) -> None:
    compared(window, "", slide, Wanted(views, 1), report.before(window.name), report.add)  # type: ignore[arg-type]


def test_pf3_pf5_one_step_of_one_pixel_is_a_difference_and_the_report_shows_it(store: Path, tmp_path: Path) -> None:
    def spoil(view: View, pixels: Pixels) -> Pixels:
        changed = pixels.copy()
        changed[1, 2, 0] ^= view.level == 0
        return changed

    with open_slide(store / "cells") as slide:
        proof = proof_of(slide, tmp_path, "good", "bad")
        look(proof, slide, FakeWindow(slide, name="good"))
        look(proof, slide, FakeWindow(slide, spoil, "bad"))
        report = proof.write(None)
    good, bad = report["browsers"]
    spoiled = sum(one["level"] == 0 for one in bad["views"])
    assert spoiled > KEPT
    assert [(one["equal"], one["different"]) for one in (good, bad)] == [(40, 0), (40 - spoiled, spoiled)]
    assert sum("pictures" in one for one in bad["views"]) == KEPT
    assert (report["complete"], report["equal"]) == (True, False)
    assert good["delta_e_2000"] is None
    assert good["field_milliseconds"]["p100"] == 7.0
    assert json.loads((tmp_path / JSON).read_text()) == json.loads(json.dumps(report))
    page = (tmp_path / PAGE).read_text()
    assert page.count("<img ") == 3 * KEPT
    assert "&lt;cells&gt;" in page
    assert "<cells>" not in page
    assert "&lt;fake&gt;" in page
    assert f"<td>0 of {spoiled}</td>" in page
    assert "This report is not signed." in page


def test_pf16_a_proof_that_ended_early_is_continued_with_what_it_has(store: Path, tmp_path: Path) -> None:
    with open_slide(store / "cells") as slide:
        whole = proof_of(slide, tmp_path / "whole")
        look(whole, slide, FakeWindow(slide))
        first, window = proof_of(slide, tmp_path), FakeWindow(slide, last=13)
        with pytest.raises(BrowserFailed, match="gone"):
            look(first, slide, window)
        report = first.write(None)
        assert (report["complete"], report["equal"], len(report["browsers"][0]["views"])) == (False, False, 13)
        assert "13 of 13 screens" in (tmp_path / PAGE).read_text()
        assert "not complete: 40 screens" in (tmp_path / PAGE).read_text()
        second, window = proof_of(slide, tmp_path), FakeWindow(slide)
        assert second.resume(None) == 13
        look(second, slide, window)
        assert window.shown == 27
        continued = second.write(None)
        assert (continued["equal"], len(continued["runs"])) == (True, 2)
        assert continued["browsers"] == whole.described()["browsers"]
        assert proof_of(slide, tmp_path).resume(None) == 0  # it is complete: the next one is new
        other, window = proof_of(slide, tmp_path), FakeWindow(slide)
        window.version = "2.0"
        assert first.write(None)
        assert other.resume(None) == 13
        look(other, slide, window)
        assert window.shown == 40  # of another version of the browser nothing is taken over


@pytest.mark.parametrize("change", ["content", "seed", "key", "no report"])
def test_pf16_what_was_changed_or_is_of_another_proof_is_not_continued(
    change: str, store: Path, tmp_path: Path
) -> None:
    key = Ed25519PrivateKey.generate()
    with open_slide(store / "cells") as slide:
        proof = proof_of(slide, tmp_path)
        with pytest.raises(BrowserFailed):
            look(proof, slide, FakeWindow(slide, last=2))
        proof.write(key)
        assert proof_of(slide, tmp_path).resume(key) == 2
        if change == "content":
            text = (tmp_path / JSON).read_text()
            (tmp_path / JSON).write_text(text.replace('"exact"', '"sharp"'))
        if change == "no report":
            (tmp_path / JSON).write_text("[")
        views = 41 if change == "seed" else 40
        other = Ed25519PrivateKey.generate() if change == "key" else key
        assert proof_of(slide, tmp_path, views=views).resume(other) == 0


def test_pf6_the_sums_are_signed_and_a_changed_report_is_found(store: Path, tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "key.pem").write_bytes(pem)
    out = tmp_path / "a" / "proof"
    with open_slide(store / "cells") as slide:
        proof = proof_of(slide, out, views=3)
        look(proof, slide, FakeWindow(slide), 3)
    proof.write(private_key(tmp_path / "key.pem"))
    sums = (out / SUMS).read_bytes()
    key.public_key().verify((out / SIGNATURE).read_bytes(), sums)
    with pytest.raises(InvalidSignature):
        key.public_key().verify((out / SIGNATURE).read_bytes(), sums + b" ")
    for line in sums.decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest
    proof.write(None)
    assert not (out / SIGNATURE).exists()  # of the report before


def test_pf6_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    other = X25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for content in (b"no key", other):
        (tmp_path / "key").write_bytes(content)
        with pytest.raises(InvalidParameter, match="Ed25519"):
            private_key(tmp_path / "key")


def test_pf7_a_page_of_another_version_is_no_proof(store: Path) -> None:
    with open_slide(store / "cells") as slide:
        window = FakeWindow(slide)
        window.digest = "0" * 32
        with pytest.raises(BrowserFailed, match="version 0000"):
            look(proof_of(slide, store), slide, window)


def test_pf7_what_cannot_be_done_ends_with_2_and_writes_nothing(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    base = ["--store", str(store), "--out", str(tmp_path / "proof")]
    assert main(["prove", "nothing", *base]) == 2
    assert main(["prove", "cells", "--views", "0", *base]) == 2
    assert main(["prove", "cells", "cells", *base]) == 2
    assert main(["prove", "cells", "--key", str(tmp_path / "none.pem"), *base]) == 2
    monkeypatch.setenv("PATH", str(tmp_path))  # no browser and no driver
    monkeypatch.setenv("SE_OFFLINE", "true")
    assert main(["prove", "cells", "--browser", "webkit", *base]) == 2
    said = capsys.readouterr().err
    assert "nothing" in said
    assert "--views is 0" in said
    assert "webkit: it does not start" in said
    assert not (tmp_path / "proof").exists()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("chromedriver"), reason="chromedriver is not installed")
@pytest.mark.parametrize("slide", ["cells", "squares"])
def test_pf1_pf3_pf4_chromium_shows_the_pixels_of_a_slide(
    slide: str, store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = ["--store", str(store), "--out", str(tmp_path), "--views", "12", "--json"]
    capsys.readouterr()
    assert main(["prove", slide, *base]) == 0
    report = json.loads((tmp_path / JSON).read_text())
    reported = json.loads(capsys.readouterr().out)
    (browser,) = report["browsers"]
    assert (reported["equal"], reported["browsers"][0]["views"]) == (True, 12)
    assert (browser["equal"], browser["different"]) == (12, 0)
    assert {one["level"] for one in browser["views"]} >= {0, 1}
    assert len({one["screen"] for one in browser["views"]}) > 3
    assert browser["opening_milliseconds"] > 0
    if slide == "cells":
        assert {one["plane"] for one in browser["views"]} == {0, 1, 2}
        assert browser["delta_e_2000"] is None
    else:
        assert report["slide"]["colour_profile"]
        colours = browser["delta_e_2000"]
        assert colours["views"] == 12
        assert colours["mean"] < 1
        assert colours["mean"] > 0  # a table of colours is not the profile itself

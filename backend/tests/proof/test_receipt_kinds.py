"""PF13 to PF15: receipts of channels, of compared slides, and of files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile

from wavescope.channels.mixing import Mixture, Shown
from wavescope.cli.app import main
from wavescope.client.slide import Slide, open_slide
from wavescope.pixels.images import Pixels
from wavescope.source.file_levels import FileLevels

Check = Callable[..., tuple[int, str]]
X, Y, WIDTH, HEIGHT = 30, 20, 250, 300


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kinds")
    sources = {
        "left": "specimen:700x500?seed=2",
        "right": "specimen:600x400?seed=3",
        "mixed": "specimen:500x400?channels=4",
    }
    for slide, source in sources.items():
        assert main(["ingest", source, "--id", slide, "--store", str(folder), "--json"]) == 0
    return folder


@pytest.fixture
def check(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Writes a receipt and runs the command on it: exit code, and what was printed."""

    def run(content: Any, *slides: object) -> tuple[int, str]:
        path = tmp_path / "receipt.json"
        path.write_text(json.dumps(content))
        capsys.readouterr()
        code = main(["prove", *map(str, slides), "--store", str(store), "--check", str(path)])
        out, err = capsys.readouterr()
        return code, out + err

    return run


def sum_of(pixels: Pixels) -> str:
    return hashlib.sha256(np.ascontiguousarray(pixels).tobytes()).hexdigest()


TAKEN = {"wavescope": "0.3.0", "time": "2026-01-02T03:04:05.678Z", "account": None}


def shown(slide: dict[str, Any], pixels: Pixels, level: int = 0, x: int = X, y: int = Y) -> dict[str, Any]:
    """A view at 1:1 with nothing changed."""
    height, width = pixels.shape[:2]
    return {
        "slide": slide,
        "view": {
            "level": level, "x": x, "y": y, "width": width, "height": height, "plane": 0, "scale": 1, "rotation": 0,
            "flip": False,
        },
        "canvas": {"x": 0, "y": 0, "width": width, "height": height, "corner": [0, 0], "density": 1},
        "fidelity": {"state": "exact", "tiles": 6, "coarse": 0, "layers": 5, "fewest_layers": 5},
        "channels": None, "adjustments": None, "colour_profile": False, "exact": True,
        "sha256": {"level": sum_of(pixels), "canvas": sum_of(pixels)},
        "picture": "data:image/png;base64,AAAA",
    }  # fmt: skip


def of_slide(slide: Slide, name: str, pixels: Pixels | None = None) -> dict[str, Any]:
    manifest = slide.version.manifest
    facts = {"id": name, "digest": slide.version.digest, "width": manifest.width, "height": manifest.height}
    return shown(facts, slide.read_array(0, X, Y, WIDTH, HEIGHT) if pixels is None else pixels)


def single(content: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "wavescope-receipt", "form": 2, **TAKEN, **content}


MIX = (Shown(1, (255, 128, 0), 100, 3000, 80), Shown(3, (0, 0, 255), 50, 900, 100))


@pytest.fixture
def mixed(store: Path) -> dict[str, Any]:
    with open_slide(store / "mixed") as slide:
        mixture = Mixture(HEIGHT, WIDTH)
        for one in MIX:
            mixture.add(slide.read_channel(one.c, 0, (X, Y, WIDTH, HEIGHT)), one)
        content = of_slide(slide, "mixed", mixture.picture())
    channels = [
        {"c": c, "name": "\x1b[2JCD8", "colour": bytes(colour).hex().upper(), "low": low, "high": high, "gamma": gamma}
        for c, colour, low, high, gamma in MIX
    ]
    return single({**content, "channels": channels})


def test_pf13_a_mix_is_made_again_from_the_stored_samples(mixed: dict[str, Any], check: Check, store: Path) -> None:
    code, said = check(mixed, "mixed")
    assert (code, "\x1b" in said) == (0, False)
    assert "the screen showed exactly these pixels" in said
    assert "channel 1, #FF8000, 100 to 3000, gamma 0.8" in said
    mixed["channels"][0]["high"] += 1
    assert "DOES NOT HOLD: the stored pixels have another sum" in check(mixed, "mixed")[1]


@pytest.mark.parametrize("change", [{"c": 4}, {"high": 1 << 15, "low": -1}])
def test_pf13_channels_that_the_slide_has_not_do_not_hold(
    change: dict[str, int], mixed: dict[str, Any], check: Check
) -> None:
    mixed["channels"][1].update(change)
    assert "no such level, place, plane, size or channel" in check(mixed, "mixed")[1]
    mixed["channels"] = None
    assert check(mixed, "mixed")[0] == 1


@pytest.fixture
def compared(store: Path) -> dict[str, Any]:
    panes = []
    for letter, name in (("A", "left"), ("B", "right")):
        with open_slide(store / name) as slide:
            place = {"left": 0, "top": 44, "width": WIDTH, "height": HEIGHT}
            panes.append({"pane": letter, "place": place, **of_slide(slide, name)})
    return {
        "kind": "wavescope-comparison",
        "form": 1,
        **TAKEN,
        "mode": "side",
        "linked": True,
        "swipe": None,
        "panes": panes,
    }


SWIPE = {"lower": "A", "upper": "B", "divider": 0.25, "blend": 1, "swapped": False}


def test_pf14_each_slide_of_a_comparison_is_compared(
    compared: dict[str, Any], check: Check, store: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for slides in ((), ("left", "right")):
        code, said = check(compared, *slides)
        assert code == 0
        assert "the slides lay side by side, linked" in said
        assert "A: it shows left" in said
        assert "B: the screen showed exactly these pixels" in said
    code, said = check(compared, "right", "left")
    assert (code, said.count("DOES NOT HOLD")) == (1, 2)
    assert check(compared, "left")[0] == 2
    assert check(compared, "left", "right", "mixed")[0] == 2
    compared["panes"][1]["sha256"]["level"] = "0" * 64
    assert check(compared)[0] == 1
    assert main(["prove", "--store", str(store), "--check", str(tmp_path / "receipt.json"), "--json"]) == 1
    answers = json.loads(capsys.readouterr().out)
    assert {letter: one["level"] for letter, one in answers["panes"].items()} == {"A": True, "B": False}


def test_pf14_what_lay_over_another_is_said_and_blended_pixels_are_of_neither(
    compared: dict[str, Any], check: Check
) -> None:
    compared |= {"mode": "swipe", "swipe": dict(SWIPE)}
    assert "B lay over A, from 25.0% on of the width, with 100% opacity" in check(compared)[1]
    compared["swipe"] |= {"blend": 0.4, "swapped": True}
    code, said = check(compared)
    assert code == 0
    assert "up to 25.0%" in said
    assert said.count("cannot be calculated again: the picture was blended with another slide") == 2


def test_pf12_an_exported_slide_is_compared_with_its_own_files(
    store: Path, check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_slide(store / "left") as slide:
        content = single(of_slide(slide, "left"))
    for target in (tmp_path / "slide.wsz", tmp_path / "folder"):
        assert main(["export", "left", str(target), "--store", str(store)]) == 0
        assert "the screen showed exactly these pixels" in check(content, target)[1]
    shard = next(path for path in (tmp_path / "folder" / "levels" / "0").rglob("c.*") if path.is_file())
    shard.write_bytes(shard.read_bytes()[:-1] + b"\0")
    code, said = check(content, tmp_path / "folder")
    assert code not in (0, 1)
    assert "DOES NOT HOLD" not in said


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """With a picture a quarter as large, which is not made of its level 0; odd sides, so that it is a pixel smaller."""
    chance = np.random.default_rng(5)
    sizes = ((401, 603), (100, 150))
    with tifffile.TiffWriter(tmp_path / "file.tif") as tiff:
        for number, (height, width) in enumerate(sizes):
            pixels = chance.integers(0, 256, (height, width, 3), np.uint8)
            tiff.write(pixels, tile=(64, 64), photometric="rgb", subfiletype=number)
    return tmp_path / "file.tif"


def test_li6_levels_of_a_file_are_its_own_or_means_of_the_level_below(file: Path) -> None:
    levels = FileLevels(file)
    with tifffile.TiffFile(file) as tiff:
        finest, quarter = tiff.pages[0].asarray(), tiff.pages[1].asarray()
    assert np.array_equal(levels.read(0, 5, 7, 100, 90), finest[7:97, 5:105])
    even = np.pad(finest, ((0, 1), (0, 1), (0, 0)), mode="edge").astype(int)
    half = (even[::2, ::2] + even[::2, 1::2] + even[1::2, ::2] + even[1::2, 1::2] + 2) // 4
    assert half.shape == (201, 302, 3)
    assert np.array_equal(levels.read(1, 0, 0, 302, 201), half)
    assert np.array_equal(levels.read(1, 290, 190, 12, 11), half[190:, 290:])
    whole = np.pad(quarter, ((0, 1), (0, 1), (0, 0)), mode="edge")
    assert np.array_equal(levels.read(2, 0, 0, 151, 101), whole)
    assert np.array_equal(levels.read(2, 150, 100, 1, 1), whole[-1:, -1:])
    levels.close()


def test_pf15_a_file_is_known_by_its_bytes_and_read_again(
    file: Path, check: Check, store: Path, tmp_path: Path
) -> None:
    facts = {"file": {"bytes": file.stat().st_size, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}}
    levels = FileLevels(file)
    for level in (0, 1, 2):
        content = single(shown({**facts, "width": 603, "height": 401}, levels.read(level, 30, 20, 100, 60), level))
        code, said = check(content, file)
        assert code == 0
        assert "it shows a file of the user's computer" in said
        assert "the screen showed exactly these pixels" in said
    levels.close()
    changed = tmp_path / "changed.tif"
    changed.write_bytes(file.read_bytes() + b"\0")
    assert "the file has not the sum" in check(content, changed)[1]
    for slides in ((), ("left",), (tmp_path / "none",)):
        code, said = check(content, *slides)
        assert code == 2
        assert "SLIDE" in said


HOSTILE: dict[str, Callable[[dict[str, Any], dict[str, Any]], Any]] = {
    "neither a slide nor a file": lambda one, _: one | {"slide": {"width": 1, "height": 1}},
    "a slide and a file": lambda one, _: one | {"slide": one["slide"] | {"file": {"bytes": 1, "sha256": "0" * 64}}},
    "an id alone": lambda one, _: one | {"slide": {"id": "x", "width": 1, "height": 1}},
    "no channel": lambda one, _: one | {"channels": []},
    "too many channels": lambda one, _: one | {"channels": one["channels"] * 33},
    "a channel twice": lambda one, _: one | {"channels": one["channels"][:1] * 2},
    "no window": lambda one, _: one | {"channels": [one["channels"][0] | {"low": 9, "high": 9}]},
    "a colour by its name": lambda one, _: one | {"channels": [one["channels"][0] | {"colour": "orange"}]},
    "another kind": lambda one, _: one | {"kind": "\x1b]0;" + "x" * 100_000},
    "no kind": lambda one, _: {name: part for name, part in one.items() if name != "kind"},
    "no pane": lambda _, all_: all_ | {"panes": []},
    "five panes": lambda _, all_: all_ | {"panes": all_["panes"][:1] * 5},
    "a pane twice": lambda _, all_: all_ | {"panes": all_["panes"][:1] * 2},
    "another letter": lambda _, all_: all_ | {"panes": [all_["panes"][0] | {"pane": "E"}]},
    "a pane of too many pixels": lambda _, all_: (
        all_
        | {"panes": [all_["panes"][0] | {"view": all_["panes"][0]["view"] | {"width": 1 << 17, "height": 1 << 17}}]}
    ),
    "swiped side by side": lambda _, all_: all_ | {"swipe": SWIPE},
    "not swiped": lambda _, all_: all_ | {"mode": "swipe"},
    "more than all": lambda _, all_: all_ | {"mode": "swipe", "swipe": SWIPE | {"blend": 2}},
    "not a place": lambda _, all_: all_ | {"panes": [all_["panes"][0] | {"place": {"left": 1e300}}]},
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_pf12_what_is_no_receipt_ends_with_2_before_any_slide_is_opened(
    kind: str, mixed: dict[str, Any], compared: dict[str, Any], check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wavescope.cli.receipt._stored", None)
    code, said = check(HOSTILE[kind](mixed, compared))
    assert code == 2
    assert "expected a receipt" in said
    assert len(said) < 2000
    assert "\x1b" not in said

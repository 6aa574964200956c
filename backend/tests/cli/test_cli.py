"""The commands as a user types them: results on stdout, one clear line on stderr, stable exit codes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from ingest.worlds import tissue, write_tiff
from interrupts import receive_interrupts
from source.test_claims import write_pages
from wavescope.catalog.catalog import Catalog
from wavescope.cli import main
from wavescope.cli.imports.ingest import slug
from wavescope.cli.output import quantity
from wavescope.cli.recorded import system_user
from wavescope.geometry import Pyramid
from wavescope.store.private import close_exposed
from wavescope.store.shard import INDEX_BYTES

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="session")
def lossless(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A store with the slide ``liver`` and the file it was made of: 700 x 600, lossless. Look, but do not damage."""
    folder = tmp_path_factory.mktemp("cli")
    source = write_tiff(folder / "Liver 01.tif", tissue(700, 600))
    store = folder / "store"
    command = ["ingest", str(source), "--id", "liver", "--profile", "lossless", "--store", str(store), "--json"]
    assert main(command) == 0
    return store, source


def run(capsys: Capture, *arguments: str | Path) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def run_json(capsys: Capture, *arguments: str | Path) -> Any:
    code, out, _ = run(capsys, *arguments, "--json")
    assert code == 0
    return json.loads(out)


def array_in(file: Path) -> Any:
    """The pixels of a .npy file or a picture."""
    if file.suffix == ".npy":
        return np.load(file)
    with Image.open(file) as picture:
        return np.asarray(picture)


def refused(capsys: Capture, *arguments: str | Path) -> str:
    """The one line on stderr of a command that cannot be carried out."""
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("wavescope: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


@pytest.mark.slow
def test_ingest_prints_one_json_value_and_reports_progress_on_stderr(capsys: Capture, tmp_path: Path) -> None:
    source = write_tiff(tmp_path / "My Slide.ome.tif", tissue(700, 600))
    code, out, err = run(capsys, "ingest", source, "--store", tmp_path / "store", "--json")
    assert code == 0
    made = json.loads(out)
    assert (made["id"], made["width"], made["height"], made["levels"]) == ("my-slide", 700, 600, 3)
    progress = [json.loads(line) for line in err.splitlines()]
    assert progress[0]["done"] == 0
    assert progress[-1]["done"] == progress[-1]["total"] == made["tiles"] == 14
    assert len(run_json(capsys, "list", "--store", tmp_path / "store")) == 1


@pytest.mark.slow
def test_ingest_if_new_leaves_a_slide_of_the_same_file_and_profile_alone(
    capsys: Capture, lossless: tuple[Path, Path]
) -> None:
    store, source = lossless
    before = {path: path.stat().st_mtime_ns for path in store.rglob("c.*")}
    command = ("ingest", source, "--id", "liver", "--profile", "lossless", "--if-new", "--store", store)
    assert run_json(capsys, *command) == {"id": "liver", "unchanged": True}
    assert {path: path.stat().st_mtime_ns for path in store.rglob("c.*")} == before


@pytest.mark.slow
def test_ingest_for_people_ends_with_one_sentence(capsys: Capture, tmp_path: Path) -> None:
    code, out, _ = run(capsys, "ingest", "specimen:300x200x2", "--store", tmp_path)
    assert code == 0
    assert out.startswith("specimen-300x200x2: 300 x 200 x 2 planes, visual: ")


@pytest.mark.slow
def test_several_files_are_ingested_and_a_bad_one_does_not_stop_the_others(capsys: Capture, tmp_path: Path) -> None:
    bad = tmp_path / "bad.svs"
    bad.write_bytes(b"")
    code, out, err = run(capsys, "ingest", bad, "specimen:200x200", "--store", tmp_path / "store", "--json")
    assert code == 2
    assert json.loads(out)["id"] == "specimen-200x200"
    assert "bad.svs: the file is empty" in err


def test_info_accounts_for_every_byte(capsys: Capture, lossless: tuple[Path, Path]) -> None:
    store, source = lossless
    facts = run_json(capsys, "info", "liver", "--store", store)
    assert facts["bytes"] == sum(level["bytes"] for level in facts["levels"]) == sum(facts["layers"])
    stored = [path for path in store.rglob("c.*") if path.is_file()]
    shard_indexes = sum(INDEX_BYTES for path in stored if "levels" in path.parts)
    assert facts["bytes"] + shard_indexes == sum(path.stat().st_size for path in stored)
    assert facts["raw_bytes"] == 700 * 600 * 3
    assert facts["source_bytes"] == source.stat().st_size
    assert facts["ratio_to_raw"] == round(facts["bytes"] / facts["raw_bytes"], 6)
    code, out, _ = run(capsys, "info", "liver", "--store", store)
    assert code == 0
    assert "x the raw pixels" in out


@pytest.mark.parametrize("ending", ["png", "npy"])
def test_region_gives_the_source_pixels_of_a_lossless_slide(
    capsys: Capture, lossless: tuple[Path, Path], tmp_path: Path, ending: str
) -> None:
    target = tmp_path / f"out.{ending}"
    place = ("--x", "450", "--y", "37", "--width", "101", "--height", "203")
    assert run(capsys, "region", "liver", *place, "-o", target, "--store", lossless[0]) == (0, "", "")
    assert (array_in(target) == tissue(700, 600)[37 : 37 + 203, 450 : 450 + 101]).all()


def test_region_of_a_higher_level_has_level_pixels_for_its_size(
    capsys: Capture, lossless: tuple[Path, Path], tmp_path: Path
) -> None:
    size = Pyramid(700, 600).level_size(1)
    target = tmp_path / "out.png"
    place = ("--x", "0", "--y", "0", "--width", size[0], "--height", size[1], "--level", "1")
    arguments = [str(part) for part in place]
    assert run(capsys, "region", "liver", *arguments, "-o", target, "--store", lossless[0])[0] == 0
    with Image.open(target) as made:
        assert made.size == size


@pytest.mark.slow
def test_verify_finds_nothing_and_then_the_flipped_bit(capsys: Capture, tmp_path: Path) -> None:
    main(["ingest", str(write_tiff(tmp_path / "s.tif", tissue(700, 600))), "--store", str(tmp_path)])
    capsys.readouterr()
    assert run_json(capsys, "verify", "s", "--store", tmp_path)["ok"] is True
    shard = next((tmp_path / "slides").rglob("levels/0/c.*"))
    data = bytearray(shard.read_bytes())
    data[500] ^= 4
    shard.write_bytes(data)
    code, out, _ = run(capsys, "verify", "s", "--store", tmp_path, "--json")
    assert code == 1
    found = json.loads(out)
    assert found["ok"] is False
    assert any(damage["address"] for damage in found["damages"])
    code, out, _ = run(capsys, "verify", "s", "--store", tmp_path)
    assert code == 1
    assert "checksum" in out
    place = ("--x", "0", "--y", "0", "--width", "700", "--height", "600")
    assert "corrupt" in refused(capsys, "region", "s", *place, "-o", tmp_path / "o.png", "--store", tmp_path)


@pytest.mark.slow
def test_rename_delete_purge_and_collect(capsys: Capture, tmp_path: Path) -> None:
    main(["ingest", "specimen:300x200", "--id", "one", "--store", str(tmp_path)])
    main(["ingest", "specimen:300x300", "--id", "two", "--store", str(tmp_path)])
    assert main(["rename", "one", "First slide", "--store", str(tmp_path)]) == 0
    capsys.readouterr()
    titles = {slide["id"]: slide["title"] for slide in run_json(capsys, "list", "--store", tmp_path)}
    assert titles["one"] == "First slide"
    main(["delete", "one", "--store", str(tmp_path)])
    main(["ingest", "specimen:300x310", "--id", "two", "--store", str(tmp_path)])
    assert len(list((tmp_path / "slides").iterdir())) == 3
    capsys.readouterr()
    assert run(capsys, "purge", "--all", "--store", tmp_path) == (0, "1 slide(s) deleted permanently\n", "")
    assert run(capsys, "collect", "--store", tmp_path) == (0, "1 version(s) removed\n", "")
    log = run_json(capsys, "audit", "list", "--store", tmp_path)  # names what is gone (PR37)
    assert [(one["action"], one["detail"]["title"]) for one in log] == [
        ("purged", "First slide"),
        ("deleted", "First slide"),
        ("renamed", "First slide"),
    ]
    listed = run_json(capsys, "list", "--store", tmp_path)
    assert [path.name for path in (tmp_path / "slides").iterdir()] == [listed[0]["digest"]]


@pytest.mark.slow
def test_a_scale_is_entered_with_its_origin_recorded_and_removed_wi80(capsys: Capture, tmp_path: Path) -> None:
    store = ("--store", tmp_path)
    Image.fromarray(tissue(300, 200)).save(tmp_path / "a.png")
    run(capsys, "ingest", tmp_path / "a.png", *store)
    entered = run(capsys, "calibrate", "a", "--um-per-pixel", "0.25", *store)
    assert entered == (0, "a: 0.25 um per pixel\n", "")
    assert run_json(capsys, "info", "a", *store)["mpp"] == [0.25, 0.25]
    catalog = Catalog.open(tmp_path)
    calibration = catalog.get("a").calibration
    catalog.close()
    assert calibration is not None
    assert (calibration.um_per_pixel, calibration.by, calibration.line) == (0.25, system_user(), None)
    for value in ("0", "-1", "nan", "inf", "1e9"):
        assert "um per pixel" in refused(capsys, "calibrate", "a", f"--um-per-pixel={value}", *store)
    assert run(capsys, "calibrate", "a", "--remove", *store)[0] == 0
    assert run_json(capsys, "info", "a", *store)["mpp"] is None
    log = run_json(capsys, "audit", "list", *store)
    assert [(one["action"], one["slide"], one["detail"].get("um_per_pixel")) for one in log] == [
        ("calibration removed", "a", None),
        ("calibrated", "a", "0.25"),
    ]


def test_a_scale_that_the_file_states_is_not_replaced_wi80(capsys: Capture, tmp_path: Path) -> None:
    run(capsys, "ingest", "specimen:300x200", "--id", "s", "--store", tmp_path)
    assert "states its scale" in refused(capsys, "calibrate", "s", "--um-per-pixel", "1", "--store", tmp_path)


@pytest.mark.slow
def test_a_deleted_slide_waits_in_the_trash_and_keeps_its_id(capsys: Capture, tmp_path: Path) -> None:
    main(["ingest", "specimen:300x200", "--id", "one", "--title", "First", "--store", str(tmp_path)])
    main(["delete", "one", "--store", str(tmp_path)])
    capsys.readouterr()
    assert run_json(capsys, "list", "--store", tmp_path) == []
    (thrown,) = run_json(capsys, "trash", "--store", tmp_path)
    assert (thrown["id"], thrown["title"]) == ("one", "First")
    assert thrown["purged_after"] > thrown["trashed"]
    assert "in the trash" in refused(capsys, "ingest", "specimen:300x300", "--id", "one", "--store", tmp_path)
    assert run(capsys, "restore", "one", "--store", tmp_path) == (0, "one is back: First\n", "")
    assert run_json(capsys, "trash", "--store", tmp_path) == []
    assert "no slide" in refused(capsys, "purge", "one", "--store", tmp_path)
    assert "--all" in refused(capsys, "purge", "--store", tmp_path)


@pytest.mark.slow
def test_a_dry_run_tells_size_and_time_and_writes_nothing(capsys: Capture, tmp_path: Path) -> None:
    store = tmp_path / "store"
    advice = run_json(capsys, "ingest", "specimen:1300x1100?seed=2", "--dry-run", "--store", store)
    assert not store.exists()
    assert (advice["width"], advice["tiles"], advice["presets"]["visual"]["fits"]) == (1300, 44, True)
    assert advice["presets"]["visual"]["bytes"] < advice["presets"]["lossless"]["bytes"] < advice["raw_bytes"]
    for profile in ("visual", "lossless"):
        made = run_json(capsys, "ingest", "specimen:1300x1100?seed=2", "--profile", profile, "--store", store)
        assert 0.5 < advice["presets"][profile]["bytes"] / made["bytes"] < 2
    assert "about" in run(capsys, "ingest", "specimen:300x200", "--dry-run", "--store", store)[1]


@pytest.mark.slow
def test_a_file_of_the_same_name_does_not_replace_another_slide(capsys: Capture, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for folder, seed in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        write_tiff(tmp_path / folder / "s.tif", tissue(300, 200, seed=seed))
    assert main(["ingest", str(tmp_path / "a" / "s.tif"), "--store", str(store)]) == 0
    capsys.readouterr()
    assert "--id" in refused(capsys, "ingest", tmp_path / "b" / "s.tif", "--store", store)
    assert main(["ingest", str(tmp_path / "a" / "s.tif"), "--store", str(store)]) == 0
    assert main(["ingest", str(tmp_path / "b" / "s.tif"), "--id", "s", "--store", str(store)]) == 0


@pytest.mark.slow
def test_a_file_that_is_stored_already_is_reported_of(capsys: Capture, tmp_path: Path) -> None:
    store = tmp_path / "store"
    write_tiff(tmp_path / "a.tif", tissue(300, 200))
    (tmp_path / "b.tif").write_bytes((tmp_path / "a.tif").read_bytes())
    assert run_json(capsys, "ingest", tmp_path / "a.tif", "--store", store)["stored_as"] == []
    said = run(capsys, "ingest", tmp_path / "b.tif", "--store", store)[1]
    assert "the same file is already stored: a" in said
    assert run_json(capsys, "ingest", tmp_path / "b.tif", "--store", store)["stored_as"] == ["b", "a"]
    assert "already" not in run(capsys, "ingest", "specimen:300x200", "--store", store)[1]


REGION = ("--x", "0", "--y", "0", "--width", "9", "--height", "9")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("info", "nobody"), "there is no slide 'nobody'"),
        (("info", "../../etc"), "there is no slide"),
        (("verify", "nobody"), "no slide"),
        (("delete", "nobody"), "no slide"),
        (("rename", "nobody", "x"), "no slide"),
        (("rename", "liver", " "), "title"),
        (("region", "nobody", *REGION, "-o", "o.png"), "no slide"),
        (("region", "liver", *REGION, "-o", "o.gif"), "-o"),
        (("region", "liver", *REGION, "-o", "no/such/folder/o.png"), "-o"),
        (("region", "liver", *REGION, "--level", "9", "-o", "o.png"), "level"),
        (("region", "liver", *REGION, "--level", "-1", "-o", "o.png"), "level"),
        (("region", "liver", *REGION, "--z", "1", "-o", "o.png"), "z"),
        (("region", "liver", *REGION, "--layers", "0", "-o", "o.png"), "layers"),
        (("region", "liver", *REGION, "--layers", "4", "-o", "o.png"), "layers"),
        (("region", "liver", "--x", "695", *REGION[2:], "-o", "o.png"), "out of range"),
        (("region", "liver", "--x", "-1", *REGION[2:], "-o", "o.png"), "out of range"),
        (("region", "liver", *REGION[:4], "--width", "0", "--height", "9", "-o", "o.png"), "width"),
        (("ingest", "no-such-file.svs"), "o such file"),
        (("ingest", "specimen:axb"), "specimen"),
        (("ingest", "specimen:0x10"), "specimen"),
        (("ingest", "specimen:200x200", "--id", "../evil"), "id"),
        (("ingest", "specimen:200x200", "--title", "\n"), "title"),
        (("ingest", "specimen:200x200", "--workers", "0"), "--workers"),
        (("ingest", "specimen:200x200", "specimen:300x200", "--id", "x"), "one FILE"),
        (("ingest", "a/s.tif", "b/s.tif"), "different ids"),
        (("rd", "no-such-image.png"), "no-such-image.png"),
        (("serve", "--port", "99999"), "--port"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line_with_exit_code_2(
    capsys: Capture,
    lossless: tuple[Path, Path],
    arguments: tuple[str, ...],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    store = () if arguments[0] == "rd" else ("--store", lossless[0])
    assert said in refused(capsys, *arguments, *store)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("pages", [4_200, 60_000])
def test_st62_a_file_of_too_many_pages_is_refused_and_the_slide_of_that_id_stays(
    capsys: Capture, tmp_path: Path, pages: int
) -> None:
    good = write_tiff(tmp_path / "good.tif", tissue(300, 200))
    store = tmp_path / "store"
    assert run(capsys, "ingest", good, "--id", "s", "--store", store)[0] == 0
    bad = write_pages(tmp_path / "bad.tif", pages)
    assert "a slide can have at most 4,096" in refused(capsys, "ingest", bad, "--id", "s", "--store", store)
    assert run_json(capsys, "info", "s", "--store", store)["width"] == 300
    assert run(capsys, "verify", "s", "--store", store)[0] == 0


@pytest.mark.parametrize("command", [("list",), ("info", "x"), ("collect",)])
def test_a_store_that_does_not_exist_is_not_made_by_looking(
    capsys: Capture, tmp_path: Path, command: tuple[str, ...]
) -> None:
    assert "store" in refused(capsys, *command, "--store", tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    "arguments", [(), ("nonsense",), ("ingest",), ("ingest", "f", "--profile", "best"), ("region", "x")]
)
def test_a_misspelt_command_has_exit_code_2(capsys: Capture, arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    assert caught.value.code == 2
    assert "usage: wavescope" in capsys.readouterr().err


@pytest.mark.slow
def test_ctrl_c_ends_with_130_and_the_next_run_goes_on(tmp_path: Path) -> None:
    source = write_tiff(tmp_path / "s.tif", tissue(4200, 3300))
    store = tmp_path / "store"
    command = [sys.executable, "-m", "wavescope.cli", "ingest", str(source), "--store", str(store), "--json"]
    child = subprocess.Popen(
        [*command, "--workers", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=receive_interrupts,
    )
    assert child.stderr is not None
    for line in child.stderr:
        if json.loads(line)["done"]:
            break
    child.send_signal(signal.SIGINT)
    out, err = child.communicate()
    assert child.returncode == 130
    assert out == ""
    assert err.splitlines()[-1].startswith("wavescope: interrupted")
    assert "Traceback" not in err
    assert main(["ingest", str(source), "--store", str(store)]) == 0


def test_rd_gives_a_point_per_quality_and_layer(capsys: Capture, tmp_path: Path) -> None:
    Image.fromarray(tissue(300, 200)).save(tmp_path / "i.png")
    points = run_json(capsys, "rd", tmp_path / "i.png", "--profile", "lossless", "--save", tmp_path / "out")
    assert [point["layer"] for point in points] == [1, 2, 3]
    assert points[-1]["psnr"] is None
    assert points[0]["bytes"] < points[-1]["bytes"]
    assert (array_in(next((tmp_path / "out").glob("*layer3.png"))) == tissue(300, 200)).all()


def test_the_doctor_names_secrets_that_others_can_read_pr47(capsys: Capture, tmp_path: Path) -> None:
    Catalog.open(tmp_path).close()
    tmp_path.chmod(0o755)
    (tmp_path / "catalog.sqlite").chmod(0o644)
    (tmp_path / "uploads").mkdir()
    (tmp_path / "uploads").chmod(0o755)
    code, out, _ = run(capsys, "doctor", "--store", tmp_path)
    assert code == 1
    assert "FAULT secrets" in out
    assert "catalog.sqlite, uploads" in out
    close_exposed(tmp_path)
    assert run(capsys, "doctor", "--store", tmp_path)[0] == 0


def test_the_doctor_finds_this_installation_healthy(capsys: Capture, tmp_path: Path) -> None:
    found = run_json(capsys, "doctor", "--store", tmp_path / "none")
    assert all(check["ok"] for check in found.values())
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("/a/CMU-1-Small-Region.svs", "cmu-1-small-region"),
        ("Leber, Ü 3.ome.tiff", "leber-3"),
        ("../dicom_mirax", "dicom_mirax"),
        ("specimen:8192x6144x5?seed=3", "specimen-8192x6144x5-seed-3"),
        ("....svs", "slide"),
        ("/a/日本.svs", "slide"),
    ],
)
def test_the_default_id_is_a_slug_of_the_name(name: str, expected: str) -> None:
    assert slug(name) == expected


@pytest.mark.parametrize(("count", "text"), [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (2e12, "2.00 TB")])
def test_quantities_are_readable(count: float, text: str) -> None:
    assert quantity(count) == text


def test_the_options_of_every_command_stand_before_or_after_it(
    lossless: tuple[Path, Path], capsys: Capture, tmp_path: Path
) -> None:
    store, _ = lossless
    listed = run_json(capsys, "list", "--json", "--store", store)
    assert [one["id"] for one in listed] == ["liver"]
    assert run_json(capsys, "--store", store, "list", "--json") == listed
    assert run_json(capsys, "--store", tmp_path / "other", "list", "--json", "--store", store) == listed
    assert run(capsys, "--store", tmp_path / "none", "list")[0] == 2
    with pytest.raises(SystemExit):
        main(["--store", "c", "copy", "a", "b"])
    assert "this command has no --store" in capsys.readouterr().err

"""``ingest --quality`` and ``reencode`` as a user types them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.worlds import tissue, write_tiff
from wavescope.cli import main

Capture = pytest.CaptureFixture[str]


def answer(capsys: Capture, *arguments: str | Path) -> Any:
    assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_st68_reencode_makes_a_smaller_version_and_is_recorded(capsys: Capture, tmp_path: Path) -> None:
    store = tmp_path / "store"
    source = write_tiff(tmp_path / "liver.tif", tissue(600, 500))
    before = answer(capsys, "ingest", source, "--quality", "lossless", "--store", store)
    made = answer(capsys, "reencode", "liver", "--quality", "38dB", "--store", store)
    assert made["replaced"] == before["digest"]
    assert made["bytes"] < before["bytes"] == made["replaced_bytes"]
    assert made["quality"]["reencoded"] == [before["digest"]]
    assert abs(made["quality"]["reached"] - 38) <= 0.2
    assert answer(capsys, "info", "liver", "--store", store)["digest"] == made["digest"]
    [listed] = answer(capsys, "list", "--store", store)
    assert listed["quality"] == made["quality"] == answer(capsys, "info", "liver", "--store", store)["quality"]
    assert main(["list", "--store", str(store)]) == 0
    assert f"38dB, {made['quality']['reached']:.1f} dB" in capsys.readouterr().out
    assert main(["info", "liver", "--store", str(store)]) == 0
    assert "decided by: target, encoded again 1 time(s)" in capsys.readouterr().out
    [entry] = answer(capsys, "audit", "list", "--action", "reencoded", "--store", store)
    assert (entry["slide"], entry["detail"]["quality"]) == ("liver", "38dB")
    assert main(["reencode", "liver", "--quality", "lossless", "--store", str(store)]) == 2
    assert "what is lost cannot be restored" in capsys.readouterr().err
    assert main(["reencode", "liver", "--quality", "36dB", "--store", str(store)]) == 0
    assert "losses of both versions add up" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["ingest", "reencode"])
def test_st66_a_wrong_quality_is_refused_with_the_accepted_forms(capsys: Capture, command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "x", "--quality", "best"])
    assert ended.value.code == 2
    assert "a PSNR of level 0 from 30dB to 50dB" in capsys.readouterr().err

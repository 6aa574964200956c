"""QM10."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tifffile

from wavescope.cli.app import main


@pytest.mark.slow
def test_qm10_the_command_prints_shares_and_writes_a_map_that_becomes_an_overlay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = ["--store", str(tmp_path / "store")]
    for size, slide in (("2600x2200", "cells"), ("600x500", "small")):
        assert main(["ingest", f"specimen:{size}?seed=4", "--id", slide, *base, "--json"]) == 0
    capsys.readouterr()
    file = tmp_path / "map.tif"
    assert main(["scan-quality", "cells", "--map", str(file), "--json", *base]) == 0
    found = json.loads(capsys.readouterr().out)
    assert 0.2 < found["tissue"] < 0.9
    assert (found["blurred"], found["pen"]) == (0, 0)
    labels = tifffile.imread(file)
    assert labels.shape == (69, 82)
    assert labels.dtype == "uint16"
    assert abs(((labels >= 1) & (labels <= 4)).mean() - found["tissue"]) < 0.001
    assert main(["scan-quality", "cells", *base]) == 0
    assert "out of focus: 0.0%" in capsys.readouterr().out
    assert main(["overlay", "add", "cells", str(file), "--content", "labels", *base]) == 0
    assert main(["overlay", "list", "cells", *base]) == 0
    assert "map" in capsys.readouterr().out
    assert main(["scan-quality", "small", *base]) == 2
    assert "a side of more than 2048 pixels" in capsys.readouterr().err

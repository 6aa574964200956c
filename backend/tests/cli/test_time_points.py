"""``ingest --time``: which time point of a file becomes the slide (IN18, ST97)."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tifffile

from cli.test_cli import Capture, refused, run, run_json
from dask_cluster import dask_cluster
from ingest.worlds import ingested
from wavescope.cli import main
from wavescope.ingest.stored_source import stored_source
from wavescope.source.base import Limits
from wavescope.store.reader import StoreReader

pytestmark = pytest.mark.slow

TIMES = 3


def series(path: Path, width: int, height: int) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint16]]:
    """A file of three time points with one channel, and its samples."""
    ramp = np.add.outer(np.arange(height), np.arange(width)).astype(np.uint16)
    noise = np.random.default_rng(1).integers(0, 50, (TIMES, height, width), np.uint16)
    data = noise + ramp + np.arange(TIMES, dtype=np.uint16)[:, None, None] * 9000
    tifffile.imwrite(path, data, metadata={"axes": "TYX"}, photometric="minisblack")
    return data


def test_in18_the_time_point_that_is_named_is_imported_and_none_that_the_file_lacks(
    tmp_path: Path, capsys: Capture
) -> None:
    file, store = tmp_path / "series.ome.tif", tmp_path / "store"
    data = series(file, 300, 200)
    command = ("ingest", file, "--quality", "lossless", "--store", store)
    for time in (1, 3):
        code, out, err = run(capsys, *command, "--time", str(time), "--id", f"t{time}", "--json")
        assert (code, f"it has 3 time points; number {time} is imported (--time chooses another)" in err) == (0, True)
        stored = stored_source(StoreReader.open(store, json.loads(out)["digest"]))
        assert np.array_equal(stored.read_region(0, 0, 0, 300, 200)[..., 0], data[time - 1])
    assert run_json(capsys, *command, "--time", "3", "--id", "t3", "--if-new")["unchanged"] is True
    assert "unchanged" not in run_json(capsys, *command, "--time", "2", "--id", "t3", "--if-new")
    for missing in ("0", "4", "-1"):
        assert "--time" in refused(capsys, *command, "--time", missing, "--id", "none")
    assert "--time" in refused(capsys, "ingest", "specimen:300x300", "--time", "2", "--store", store)


def test_st97_an_import_that_was_interrupted_goes_on_with_its_time_point_and_no_other(
    tmp_path: Path, capsys: Capture
) -> None:
    file, store = tmp_path / "series.ome.tif", tmp_path / "store"
    series(file, 4500, 1800)  # two shards on level 0
    command = ["ingest", str(file), "--quality", "lossless", "--workers", "1", "--store", str(store), "--json"]
    child = subprocess.Popen(
        [sys.executable, "-m", "wavescope.cli", *command, "--time", "2", "--id", "second"], stderr=subprocess.PIPE
    )
    assert child.stderr is not None
    for line in child.stderr:
        progress = json.loads(line)
        if progress["done"] > 0.85 * progress["total"]:
            break
    child.send_signal(signal.SIGKILL)
    child.communicate()
    third = run_json(capsys, *command, "--time", "3", "--id", "third")
    assert third["encoded_tiles"] == third["tiles"]
    second = run_json(capsys, *command, "--time", "2", "--id", "second")
    assert 0 < second["encoded_tiles"] < second["tiles"]
    alone = ingested(file, tmp_path / "alone", "s", quality="lossless", limits=Limits(time=1))
    assert second["digest"] == alone.digest != third["digest"]


def test_cl50_the_workers_of_a_cluster_read_the_time_point(tmp_path: Path, capsys: Capture) -> None:
    file, store = tmp_path / "series.ome.tif", tmp_path / "store"
    series(file, 900, 700)
    with dask_cluster(tmp_path / "dask", 1) as dask:
        options = ["--time", "2", "--dask", dask.address, "--store", str(store)]
        assert main(["ingest", str(file), "--quality", "lossless", "--id", "s", *options, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    alone = ingested(file, tmp_path / "alone", "s", quality="lossless", limits=Limits(time=1))
    assert made["digest"] == alone.digest

"""The bound on the memory of a process that reads sources (ST63)."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import zarr
from numcodecs.gzip import GZip  # type: ignore[import-untyped]
from zarr.codecs import GzipCodec

from ingest.worlds import ingested, real, tissue, write_tiff
from wavescope.config import Limits
from wavescope.errors import MemoryLimit, UnreadableSource
from wavescope.ingest import memory
from wavescope.ingest.memory import NATIVE, is_memory_error, limited_memory
from wavescope.store.manifest import load_manifest

GIB = 1 << 30


SET_LIMIT = memory.set_limit  # as it is before any test runs


@pytest.fixture(autouse=True)
def unlimited_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not here: these tests are about the limit, which the tests before them have lifted."""
    monkeypatch.setattr(memory, "set_limit", SET_LIMIT)


def test_st63_an_allocation_beyond_the_limit_is_a_typed_error_and_the_limit_ends_with_its_block() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(MemoryLimit, match=r"limit of 2\.00 GiB.*WAVESCOPE_INGEST_MEMORY"), limited_memory(2 * GIB):
        np.ones(4 * GIB, np.uint8)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    assert np.ones(1 << 20, np.uint8).all()


def test_st63_other_errors_and_a_lower_limit_from_outside_are_left_as_they_are() -> None:
    with pytest.raises(UnreadableSource), limited_memory(2 * GIB):
        raise UnreadableSource("a.svs", "damaged")
    with limited_memory(3 * GIB), limited_memory(5 * GIB):
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] == 3 * GIB


@pytest.mark.parametrize(
    "said", ["Insufficient memory (case 4)", "failed to grow memory by `440`", "can't start new thread"]
)
def test_st63_libraries_that_tell_it_in_other_words_are_understood(said: str) -> None:
    assert is_memory_error(RuntimeError(said))
    wrapped = UnreadableSource("a.svs", "damaged")
    wrapped.__cause__ = MemoryError()
    assert is_memory_error(wrapped)
    assert not is_memory_error(UnreadableSource("a.svs", "damaged"))


def test_st63_last_words_of_libraries_are_understood() -> None:
    assert NATIVE.search("(process:1): GLib-ERROR **: gmem.c:136: failed to allocate 4294967296 bytes")
    assert NATIVE.search("memory allocation of 65536 bytes failed")
    assert not NATIVE.search("Segmentation fault")


@pytest.mark.slow
@pytest.mark.parametrize("version", [2, 3])
def test_st63_a_chunk_that_grows_a_thousandfold_is_bounded(tmp_path: Path, version: Literal[2, 3]) -> None:
    """A chunk says its size only in its compressed bytes."""
    gzip: Any = GzipCodec() if version == 3 else GZip()
    group = zarr.open_group(tmp_path / "a.ome.zarr", mode="w", zarr_format=version)
    group.create_array("0", shape=(300, 300), dtype="uint16", chunks=(300, 300), compressors=gzip)[...] = 7
    said: Any = {"version": "0.4", "axes": [{"name": "y"}, {"name": "x"}], "datasets": [{"path": "0"}]}
    group.attrs.update({"ome": {"multiscales": [said]}} if version == 3 else {"multiscales": [said]})
    chunk = tmp_path / "a.ome.zarr/0" / ("c/0/0" if version == 3 else "0.0")
    squeezer = zlib.compressobj(1, zlib.DEFLATED, 31)
    pieces = [squeezer.compress(bytes(1 << 24)) for _ in range(3 * GIB >> 24)]
    chunk.write_bytes(b"".join([*pieces, squeezer.flush()]))
    assert chunk.stat().st_size < 30 << 20
    made = cli(tmp_path / "store", "ingest", tmp_path / "a.ome.zarr", WAVESCOPE_INGEST_MEMORY=str(2 * GIB))
    assert made.returncode != 0
    assert "decodes to more than" in made.stderr


def cli(store: Path, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wavescope.cli", *map(str, arguments), "--store", str(store)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=120)


@pytest.mark.slow
def test_st63_the_command_says_that_the_limit_was_reached_and_the_slide_of_that_id_stays(tmp_path: Path) -> None:
    good, large = write_tiff(tmp_path / "a.tif", tissue(600, 500)), write_tiff(tmp_path / "b.tif", tissue(3000, 2500))
    store = tmp_path / "store"
    digest = ingested(good, store).digest
    made = cli(store, "ingest", large, "--id", "s", WAVESCOPE_INGEST_MEMORY=str(250 << 20))
    assert made.returncode == 2
    assert made.stderr.startswith("wavescope: this file needs more memory than the limit of 0.24 GiB")
    assert load_manifest(store / "slides", digest).width == 600
    assert cli(store, "verify", "s").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["CMU-1-Small-Region.svs", "dicom_mirax_9385x3727", "zstack_microtubules_16bit"])
def test_st63_real_slides_need_less_than_half_the_limit(tmp_path: Path, name: str) -> None:
    half = str(Limits().ingest_memory // 2)
    made = cli(tmp_path, "ingest", real(name), "--id", "s", WAVESCOPE_INGEST_MEMORY=half)
    assert made.returncode == 0, made.stderr

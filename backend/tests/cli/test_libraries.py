"""Standard error carries the command's own words; what slide readers warn of is there when asked for (ST73)."""

from __future__ import annotations

import logging
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import tifffile

from ingest.worlds import tissue, write_tiff
from wavescope.cli.output import library_messages

pytestmark = pytest.mark.slow

PLANAR_CONFIGURATION = 284


@pytest.fixture
def odd_tiff(tmp_path: Path) -> Path:
    """A TIFF with a tag that its reader warns of."""
    path = write_tiff(tmp_path / "odd.tif", tissue(300, 300))
    with tifffile.TiffFile(path) as file:
        place = file.pages.first.tags[PLANAR_CONFIGURATION].valueoffset
    with path.open("r+b") as stream:
        stream.seek(place)
        stream.write(b"\x49")
    return path


def stderr_of(*arguments: str | Path) -> str:
    command = [sys.executable, "-m", "wavescope.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stderr


def test_st73_a_reader_s_warnings_are_not_on_stderr_unless_asked_for(odd_tiff: Path, tmp_path: Path) -> None:
    quiet = stderr_of("ingest", odd_tiff, "--dry-run", "--store", tmp_path / "store")
    assert all(line.startswith("wavescope: ") for line in quiet.splitlines())
    loud = stderr_of("ingest", odd_tiff, "--dry-run", "--store", tmp_path / "store", "--verbose")
    assert "tifffile: " in loud
    assert "PLANARCONFIG" in loud


@pytest.mark.parametrize("shown", [False, True])
def test_st73_warnings_of_every_reader_follow_the_choice_and_our_own_faults_are_always_shown(
    capsys: pytest.CaptureFixture[str], shown: bool
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        with library_messages(shown=shown):
            for name in ("tifffile", "PIL.TiffImagePlugin", "pydicom.valuerep", "zarr"):
                logging.getLogger(name).warning("inside of a file")
            warnings.warn("a reader's own", UserWarning, stacklevel=1)
            logging.getLogger("asyncio").error("a fault of ours")
            logging.getLogger("wavescope.service").error("another")
    said = capsys.readouterr().err
    assert said.count("inside of a file") == 4 * shown
    assert ("a reader's own" in said) == shown
    assert "asyncio: a fault of ours" in said
    assert "wavescope.service: another" in said


UNUSED = {
    "sqlalchemy",
    "alembic",
    "rich",
    "pydantic",
    "fastapi",
    "pydicom",
    "wsidicom",
    "zarr",
}


@pytest.mark.parametrize("module", ["wavescope.cli.imports.advice", "wavescope.service.jobs.preview_child"])
def test_wi51_an_estimate_loads_no_library_that_it_does_not_use(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "wavescope.kernel.wasm" in loaded
    assert UNUSED & set(loaded) == set()
    assert "wavescope.source.specimen.painter" not in loaded


def test_wi51_a_dry_run_loads_none_of_them_either(tmp_path: Path) -> None:
    file = write_tiff(tmp_path / "a.tif", tissue(300, 300))
    code = (
        "import sys; from wavescope.cli import main; "
        f"assert main(['ingest', {str(file)!r}, '--dry-run', '--store', {str(tmp_path / 's')!r}]) == 0; "
        "print(*sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "nothing was written" in said
    assert UNUSED & set(said.splitlines()[-1].split()) == set()


LATER = {
    *("aiohttp", "authlib", "cryptography", "httpx2", "joserfc", "pyotp", "wasmtime", "yarl"),
    *("alembic", "dask", "distributed", "matplotlib", "ortools", "psycopg", "redis", "scipy", "simpy"),
    *("pydicom", "wsidicom", "zarr"),
}
"""What only some settings and requests of a service need."""


def test_a_service_starts_without_the_libraries_that_few_requests_need() -> None:
    code = "import sys, wavescope.main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "wavescope.api.forwarding.upstream" in loaded
    assert LATER & set(loaded) == set()

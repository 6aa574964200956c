"""The wheel, built from this checkout, and what it says of its parts. `npm run package -- --try` installs it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import urllib.request
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from interrupts import receive_interrupts
from source.worlds import tissue, write_svs
from test_tools import call

ROOT = Path(__file__).resolve().parents[2]
NODE = shutil.which("node") or ""
SECONDS = 120
UNREACHABLE = re.compile(r"Could not find a version|No matching distribution|Name or service not known")

pytestmark = pytest.mark.skipif(not NODE, reason="node is not installed")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel of this checkout, its notices and its SBOM."""
    out = tmp_path_factory.mktemp("dist")
    command = [NODE, str(ROOT / "shared/tools/package.mjs"), "--here", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def unpacked(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As an installer leaves it."""
    (wheel,) = built.glob("*.whl")
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def test_in19_packages_under_the_lgpl_are_those_that_the_document_names() -> None:
    command = [sys.executable, str(ROOT / "shared/tools/package/runtime.py")]
    described = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True).stdout)
    found = {
        one["name"]: one["scope"] for one in described["python"] if re.search("GPL|General Public", one["license"])
    }
    assert (
        found.items()
        <= {
            "openslide-bin": "required",
            "openslide-python": "required",
            "psycopg": "optional",
            "psycopg-binary": "optional",
            "pylibczirw": "optional",
        }.items()
    )
    assert {"openslide-bin", "openslide-python", "psycopg"} <= found.keys()


@pytest.mark.slow
def test_in1_in2_the_wheel_has_the_page_and_the_kernel_and_nothing_of_a_checkout(built: Path, unpacked: Path) -> None:
    assert only(built, "*.whl").name.endswith("-py3-none-any.whl")
    inside = unpacked / "wavescope" / "built"
    assert (inside / "kernel/kernel.wasm").read_bytes() == (ROOT / "shared/kernel/build/kernel.wasm").read_bytes()
    assert (inside / "page/index.html").is_file()
    assert (inside / "page/exported/index.html").is_file()
    assert not (inside / "page/package").exists()  # the npm package, which npm brings
    described = only(unpacked, "*.dist-info")
    assert {path.name for path in unpacked.iterdir()} == {"wavescope", "wavescope_lab", described.name}
    added = metadata.Distribution.at(described).entry_points.select(group="wavescope.commands")
    assert set(added.names) == {"cluster", "plan", "simulate", "workload"}
    assert not list(unpacked.rglob("__pycache__"))
    needs = only(unpacked, "*.dist-info/METADATA").read_text()
    for name in ("imagecodecs", "wsidicom", "pydicom", "zarr", "psycopg", "distributed", "simpy"):
        assert f"Requires-Dist: {name}" in needs
        assert all("extra ==" in line for line in needs.splitlines() if line.startswith(f"Requires-Dist: {name}"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("machine", "start"),  # of an ELF or a Mach-O file: magic number, and where the processor stands
    [
        ("linux-x86_64", {0: b"\x7fELF\x02\x01", 18: b"\x3e\x00"}),
        ("linux-aarch64", {0: b"\x7fELF\x02\x01", 18: b"\xb7\x00"}),
        ("darwin-arm64", {0: b"\xcf\xfa\xed\xfe", 4: b"\x0c\x00\x00\x01"}),
        ("darwin-x86_64", {0: b"\xcf\xfa\xed\xfe", 4: b"\x07\x00\x00\x01"}),
    ],
)
def test_in2_the_library_of_every_machine_is_built_here(machine: str, start: dict[int, bytes], tmp_path: Path) -> None:
    library = Path(call("build-kernel.mjs", "tool.buildLibrary(given[0], given[1])", machine, str(tmp_path)))
    assert library.name == f"kernel-{machine}.so"
    code = library.read_bytes()
    assert all(code[at:].startswith(part) for at, part in start.items())
    assert b"ws_encode" in code


def test_in16_the_metadata_describe_the_wheel_and_name_no_tool_of_the_developers(unpacked: Path) -> None:
    found = metadata.Distribution.at(only(unpacked, "*.dist-info")).metadata
    assert "dev" not in found.get_all("Provides-Extra", [])
    needs = " ".join(found.get_all("Requires-Dist", []))
    assert not [name for name in ("pytest", "ruff", "ziglang", "hatchling") if name in needs]
    assert "Typing :: Typed" in found.get_all("Classifier", [])
    assert (unpacked / "wavescope" / "py.typed").exists()
    assert "whole slide imaging" in found["Keywords"]


def test_in4_the_notices_have_the_licence_of_every_package_of_the_page(unpacked: Path) -> None:
    folder = only(unpacked, "*.dist-info") / "licenses"
    assert "Apache License" in (folder / "LICENSE").read_text()
    notices = (folder / "NOTICES.txt").read_text()
    parts = [json.loads((ROOT / f"frontend/{part}/package.json").read_text()) for part in ("core", "viewer", "app")]
    declared = {name for part in parts for name in part["dependencies"] if not name.startswith("@wavescope/")}
    locked = json.loads((ROOT / "frontend/package-lock.json").read_text())["packages"]
    for name in [*declared, "swagger-ui-dist"]:
        assert f"\n{name} {locked[f'node_modules/{name}']['version']} (" in notices
    assert "Copyright (c) Zig contributors" in notices
    assert "\nopenslide-bin 4." in notices


def test_in4_the_sbom_names_the_same_parts_and_only_them(built: Path, unpacked: Path) -> None:
    text = only(unpacked, "*.dist-info/sboms/wavescope.cdx.json").read_text()
    assert only(built, "*.cdx.json").read_text() == text
    sbom: dict[str, Any] = json.loads(text)
    assert (sbom["bomFormat"], sbom["specVersion"]) == ("CycloneDX", "1.6")
    own = sbom["metadata"]["component"]["bom-ref"]
    refs = [part["bom-ref"] for part in sbom["components"]]
    assert len(refs) == len(set(refs))
    assert {one["ref"] for one in sbom["dependencies"]} >= {own}
    for one in sbom["dependencies"]:
        assert set(one["dependsOn"]) <= set(refs)
    scopes = {part["name"]: part.get("scope") for part in sbom["components"]}
    assert (scopes["numpy"], scopes["wsidicom"], scopes["openseadragon"]) == ("required", "optional", "required")
    assert all(part["licenses"] for part in sbom["components"])
    assert "pytest" not in scopes


@pytest.mark.slow
def test_in1_in12_the_unpacked_wheel_opens_a_slide_without_checkout_node_and_compiler(
    unpacked: Path, tmp_path: Path
) -> None:
    """IN3: without the extras."""
    without = tmp_path / "without"
    without.mkdir()
    for name in ("imagecodecs", "pydicom", "wsidicom", "zarr", "ziglang", "psycopg", "distributed", "httpx"):
        (without / f"{name}.py").write_text(f"raise ImportError('{name} is not installed here')\n")
    environ = {
        "HOME": str(tmp_path),
        "PATH": "",
        "PYTHONPATH": os.pathsep.join(map(str, (without, unpacked, sysconfig.get_path("platlib")))),
    }
    slide = write_svs(tmp_path / "slide.svs", tissue(300, 400))
    command = [sys.executable, "-S", "-m", "wavescope.cli", "open", str(slide), "--no-browser", "--port", "0"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environ, stdout=subprocess.PIPE, text=True, preexec_fn=receive_interrupts
    ) as child:
        try:
            assert child.stdout is not None
            address = child.stdout.readline().strip()
            origin, _, job_id = address.partition("/incoming/")
            for path in (f"/api/v1/jobs/{job_id}/preview/thumbnail", f"/incoming/{job_id}", "/api/v1/kernel.wasm"):
                with urllib.request.urlopen(origin + path, timeout=SECONDS) as answer:
                    assert answer.read()
            with urllib.request.urlopen(f"{origin}/api/v1/jobs/{job_id}/events", timeout=SECONDS) as answer:
                assert b'"slide"' in answer.read()
            with urllib.request.urlopen(f"{origin}/api/v1/slides/slide/thumbnail?max=256", timeout=SECONDS) as answer:
                assert answer.headers["content-type"].startswith("image/")
        finally:
            child.send_signal(signal.SIGINT)
            assert child.wait(SECONDS) == 0
    assert (tmp_path / ".local/share/wavescope/catalog.sqlite").is_file()


def test_in6_what_is_installed_without_extras_takes_at_most_400_mb(built: Path, unpacked: Path) -> None:
    """By the packages of this environment, and 40 MB for pip and compiled files."""
    sbom = json.loads(only(built, "*.cdx.json").read_text())
    parts = (part for part in sbom["components"] if part.get("purl", "").startswith("pkg:pypi/"))
    names = [part["name"] for part in parts if part["scope"] == "required"]
    assert "numpy" in names
    beside = sum(file.stat().st_size for name in names for file in files_of(name))
    inside = sum(file.stat().st_size for file in unpacked.rglob("*") if file.is_file())
    assert 100e6 < beside + inside + 40e6 <= 400e6


def files_of(name: str) -> list[Path]:
    """Of an installed package, without compiled ones."""
    paths = (Path(str(file.locate())) for file in metadata.files(name) or () if file.suffix != ".pyc")
    return [path for path in paths if path.is_file()]


def test_in7_every_document_is_in_the_navigation_of_the_site_and_every_route_in_its_table() -> None:
    said = call(
        "docs/pages.mjs",
        "[JSON.stringify(tool.navigation()), tool.httpReference(), tool.withoutReferences(given[0])]",
        "M[a][b] `c[d][e]`",
    )
    navigation, routes, escaped = said
    for folder in ("tutorials", "operations", "spec", "decisions"):
        for document in (ROOT / "shared" / folder).rglob("*.md"):
            assert f'"{document.relative_to(ROOT).as_posix()}"' in navigation
    contract = json.loads((ROOT / "shared/wire/openapi.json").read_text())
    for path, operations in contract["paths"].items():
        for method in operations.keys() & {"get", "put", "post", "patch", "delete"}:
            assert f"| `{method.upper()} {path}` |" in routes
    assert escaped == "M[a]\\[b] `c[d][e]`"


def test_in5_the_archive_for_npm_has_the_same_version(tmp_path: Path) -> None:
    call("package/npmArchive.mjs", "await tool.packNpm(given[0])", str(tmp_path))
    version = metadata.version("wavescope")
    with tarfile.open(only(tmp_path, f"wavescope-{version}-npm.tgz")) as archive:
        described = archive.extractfile("package/package.json")
        assert described is not None
        assert json.loads(described.read())["version"] == version
        assert {"package/index.js", "package/kernel.wasm", "package/NOTICES.txt"} <= set(archive.getnames())


@pytest.mark.long
def test_in6_in9_the_wheel_is_installed_into_an_empty_environment_and_opens_a_slide(tmp_path: Path) -> None:
    """The packages of the registry; a few minutes."""
    command = [NODE, str(ROOT / "shared/tools/package.mjs"), "--here", "--try", "--busy", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    if UNREACHABLE.search(done.stderr):
        pytest.skip("no package registry can be reached")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "first picture" in done.stdout


@pytest.mark.slow
def test_in5_no_package_of_npm_has_another_version() -> None:
    version = only(ROOT, "backend/pyproject.toml").read_text().partition('\nversion = "')[2].partition('"')[0]
    for folder in (".", "frontend", "frontend/embed", "e2e"):
        assert json.loads((ROOT / folder / "package.json").read_text()).get("version", version) == version

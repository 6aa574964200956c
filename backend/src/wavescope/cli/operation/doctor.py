"""``wavescope doctor``: what this installation has and lacks."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections import Counter
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from wavescope.catalog.health import check_integrity, has_tables
from wavescope.cli.configured import flags_of
from wavescope.cli.operation import checks
from wavescope.cli.output import DAMAGED, OK, print_line, quantity, result
from wavescope.cli.store import manifest_in, opened_catalog
from wavescope.config import Config, Resolved
from wavescope.errors import CorruptStore, InvalidParameter, StaleVersion
from wavescope.geometry import TILE
from wavescope.service.opening import url_of, versions_in

PARTS = ("openslide-python", "tifffile", "wasmtime", "google-crc32c")
OPTIONAL = {
    "imagecodecs": "tiff",
    "nd2": "nd2",
    "opencv-python-headless": "registration",
    "pydicom": "dicom",
    "pylibCZIrw": "czi",
    "wsidicom": "dicom",
    "zarr": "zarr",
}
"""Packages that read files or are for scripts, each with the extra that has it."""

Check = tuple[str, Callable[[], str]]


def run(arguments: argparse.Namespace) -> int:
    """Try every part once; exit code 1 if one does not work."""
    findings = [_try(*check) for check in INSTALLATION]
    try:
        resolved = Resolved.of(None, **flags_of(arguments))
    except InvalidParameter as error:
        findings.append(("settings", "fault", str(error)))
    else:
        findings += [("settings", "ok", _settings(resolved)), *(_try(*check) for check in _checks(resolved))]
    if arguments.json:
        result({name: {"ok": state != "fault", "state": state, "detail": text} for name, state, text in findings})
    else:
        for name, state, text in findings:
            print_line(f"{LABELS[state]} {name}: {text}")
    return DAMAGED if any(state == "fault" for _, state, _ in findings) else OK


def _checks(resolved: Resolved) -> list[Check]:
    config = resolved.config
    return [
        ("store", lambda: _store(config.store)),
        ("object store", lambda: checks.object_store(config)),
        ("disk", lambda: checks.disk(config)),
        ("permissions", lambda: checks.permissions(resolved)),
        ("secrets", lambda: checks.secrets(config)),  # before the catalog, which is closed to others when it is opened
        ("database", lambda: checks.database(config)),
        ("catalog", lambda: _catalog(config)),
        ("slides", lambda: _slides(config)),
        ("cluster", lambda: checks.cluster(config)),
        ("access", lambda: _access(config)),
        ("single sign-on", lambda: checks.single_sign_on(config)),
        ("proxy", lambda: checks.proxy(config)),
    ]


def _try(name: str, check: Callable[[], str]) -> tuple[str, str, str]:
    try:
        text = check()
        return name, "note" if isinstance(text, checks.Note) else "ok", text
    except Exception as error:  # every fault is reported
        return name, "fault", f"{type(error).__name__}: {error}"


def _settings(resolved: Resolved) -> str:
    changed = sum(one.source != "default" for one in resolved.found.values())
    return f"{changed} of {len(resolved.found)} are set, see wavescope config"


def _packages() -> str:
    installed = {name: found for name in (*PARTS, *OPTIONAL) if (found := _version(name, needed=name in PARTS))}
    missing = sorted({extra for name, extra in OPTIONAL.items() if name not in installed})
    said = ", ".join(f"{name} {found}" for name, found in installed.items())
    return f"{said}; not installed: wavescope[{','.join(missing)}]" if missing else said


def _version(name: str, *, needed: bool) -> str:
    """Empty if an optional package is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        if needed:
            raise
        return ""


def _checksums() -> str:
    import google_crc32c

    if google_crc32c.implementation != "c":
        raise RuntimeError("google-crc32c runs in Python, which is slow; install its binary wheel")
    return "CRC-32C in hardware"


def _kernel() -> str:
    from wavescope.kernel import analyze, choose_codec, means, samples_from_pixels
    from wavescope.kernel.native import library, library_path
    from wavescope.kernel.wasm import wasm_path

    pixels = np.arange(TILE * TILE * 3, dtype=np.uint32).astype(np.uint8).reshape(TILE, TILE, 3)
    codec = choose_codec("lossless", pixels)
    samples = samples_from_pixels(pixels, codec)
    if not np.array_equal(means(samples), analyze(samples)[0]):
        raise RuntimeError("two ways to analyse one tile disagree")
    encoder = f"encodes with {library_path().name}" if library() else "encodes with it too, which takes longer"
    return f"{wasm_path()}, {quantity(wasm_path().stat().st_size)}; {encoder}"


def _readers() -> str:
    import openslide

    if tuple(map(int, openslide.__library_version__.split(".")[:3])) < (4, 0, 1):
        raise RuntimeError(f"openslide {openslide.__library_version__} has known holes; 4.0.1 or newer is needed")
    return f"openslide {openslide.__library_version__}"


def _store(store: Path) -> str:
    state = "exists" if store.is_dir() else "is made by the first ingest"
    return f"{store.absolute()} ({state}), Python at {sys.prefix}"


def _catalog(config: Config) -> str:
    check_integrity(url_of(config))
    if not _has_catalog(config):
        return "is made by the first ingest"
    with opened_catalog(config) as catalog:
        return f"whole, {catalog.list('', 1, 1).total} slides"


def _slides(config: Config) -> str:
    """Raises RuntimeError with the slides that this version cannot show, and why."""
    if not _has_catalog(config):
        return "none yet"
    with opened_catalog(config) as catalog:
        digests = catalog.current_digests()
    found: Counter[str] = Counter()
    for digest in digests:
        try:
            manifest_in(config, digest)
        except CorruptStore as error:  # an unsupported version is one, too
            found[error.reason] += 1
        except StaleVersion:
            found["its files are missing"] += 1
    if found:
        said = "; ".join(f"{count} of {len(digests)}: {reason}" for reason, count in found.most_common(5))
        raise RuntimeError(f"some cannot be shown: {said}")
    return f"the manifests of all {len(digests)} can be read"


def _access(config: Config) -> str:
    if config.access != "accounts" or not _has_catalog(config):
        return checks.access(config, None)
    with opened_catalog(config) as catalog:
        return checks.access(config, catalog)


def _has_catalog(config: Config) -> bool:
    return has_tables(url_of(config)) or bool(versions_in(config.store))


LABELS = {"ok": "ok   ", "note": "NOTE ", "fault": "FAULT"}
INSTALLATION: list[Check] = [
    ("python", lambda: f"{platform.python_version()} on {platform.machine()}, {os.cpu_count()} processors"),
    ("packages", _packages),
    ("checksums", _checksums),
    ("kernel", _kernel),
    ("readers", _readers),
]

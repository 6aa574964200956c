"""The documents of the format alone are enough to write and to check a manifest (ST3, ST4, ST78, ST97 to ST106)."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from jsonschema_rs import Draft202012Validator

from ingest.worlds import ingested, tissue, write_tiff
from store.make_golden import GOLDEN
from wavescope.api.http import batch_frames
from wavescope.api.routes.slides import blocks
from wavescope.store.verify import verify

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / "shared/spec/manifest.schema.json").read_text())
STORE = (ROOT / "shared/spec/store.md").read_text()
ESCAPED = {0x22: '\\"', 0x5C: "\\\\", 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r"}


def written(value: Any) -> str:
    """Canonical JSON by the words of ST3, without the writer of the software."""
    match value:
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case int():
            return str(value)
        case float():
            if value and not 1e-4 <= abs(value) < 1e16:
                return np.format_float_scientific(value, unique=True, trim="-", exp_digits=2)
            return np.format_float_positional(value, unique=True, trim="0")
        case str():
            escaped = (ESCAPED.get(ord(c)) or (f"\\u{ord(c):04x}" if ord(c) < 0x20 else c) for c in value)
            return f'"{"".join(escaped)}"'
        case list():
            return f"[{','.join(map(written, value))}]"
        case dict():
            members = (f"{written(name)}:{written(value[name])}" for name in sorted(value))
            return "{" + ",".join(members) + "}"
    raise TypeError(value)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Versions of every kind: lossless, visual, of grey with a window, with names and lengths that are not plain."""
    folder = tmp_path_factory.mktemp("versions")
    grey = np.random.default_rng(0).integers(0, 4096, (300, 400), dtype=np.uint16)
    scale = (1e4 / 0.2527, 1e4 / 0.2527)
    tifffile.imwrite(folder / "grey.tif", grey, resolution=scale, resolutionunit="CENTIMETER", tile=(256, 256))
    write_tiff(folder / 'a "b" \\ \t ü \x01.tif', tissue(700, 500), b"a profile")
    ingested(folder / "grey.tif", folder, "g")
    for quality in ("visual", "lossless", "40dB"):
        ingested(folder / 'a "b" \\ \t ü \x01.tif', folder, quality.lower(), quality=quality)
    return sorted((folder / "slides").iterdir()) + sorted((GOLDEN / "slides").iterdir())


def manifests(folders: list[Path]) -> Iterator[tuple[bytes, dict[str, Any], str]]:
    for folder in folders:
        data = (folder / "manifest.json").read_bytes()
        yield data, json.loads(data), folder.name


@pytest.mark.slow
def test_st3_a_manifest_is_written_by_the_words_of_the_rule(folders: list[Path]) -> None:
    assert len(folders) == 6
    for data, fields, _ in manifests(folders):
        assert written(fields).encode() == data
    for number, text in (
        (1e-5, "1e-05"),
        (0.0001, "0.0001"),
        (1.5e16, "1.5e+16"),
        (40.0, "40.0"),
        (1e15, "1" + 15 * "0" + ".0"),
    ):
        assert written(number) == json.dumps(number) == text


def test_st4_a_reader_finds_the_digest_without_a_canonical_writer(folders: list[Path]) -> None:
    for data, _, digest in manifests(folders):
        member = f'"digest":"{digest}",'.encode()
        assert data.count(member) == 1
        assert hashlib.sha256(data.replace(member, b"")).hexdigest()[:32] == digest


def test_st78_a_second_writer_makes_the_same_key(folders: list[Path]) -> None:
    for _, fields, _ in manifests(folders):
        size = [fields[name] for name in ("width", "height", "planes", "channels")]
        codec = {**fields["codec"], "key": "0" * 32}
        named = {"fingerprint": fields["source"]["fingerprint"], "size": size, "codec": codec}
        key = hashlib.sha256(written(named).encode()).hexdigest()[:32]
        assert key == fields["codec"]["key"]
        assert all(key == parameters[32:64] for groups in fields["parameters"] for parameters in groups)


def test_st3_the_schema_describes_every_member_and_refuses_others_kinds(folders: list[Path]) -> None:
    validator, seen = Draft202012Validator(SCHEMA), set[str]()
    for _, fields, _ in manifests(folders):
        assert validator.is_valid(fields)
        seen |= fields.keys()
        for name in fields:
            assert not validator.is_valid({**fields, name: {"of": "another kind"}}), name
        for name in SCHEMA["required"]:
            assert not validator.is_valid({key: value for key, value in fields.items() if key != name}), name
    assert seen == SCHEMA["properties"].keys() - {"window"}  # ingest/test_channels.py


def test_st100_without_a_profile_nothing_is_stored_of_colours(folders: list[Path]) -> None:
    for folder, (_, fields, _) in zip(folders, manifests(folders), strict=True):
        assert fields["icc"] == (folder / "icc").exists() == (fields["icc_sha256"] is not None)


def test_st103_a_signature_is_kept_outside_of_the_version(folders: list[Path], tmp_path: Path) -> None:
    digest = folders[0].name
    shutil.copytree(folders[0], tmp_path / "slides" / digest)
    (tmp_path / "signatures").mkdir()
    (tmp_path / "signatures" / f"{digest}.sig").write_bytes(b"signature of manifest.json")
    assert list(verify(tmp_path, digest)) == []
    (tmp_path / "slides" / digest / "manifest.json.sig").write_bytes(b"signature of manifest.json")
    assert [found.part for found in verify(tmp_path, digest)] == ["manifest.json.sig"]


def test_st105_the_media_types_are_those_of_the_service() -> None:
    served = {batch_frames.MEDIA_TYPE, blocks.LAYERS, blocks.INDEX, blocks.MANIFEST}
    assert set(re.findall(r"`(application/vnd\.wavescope\.[a-z+]+)`", STORE)) == served | {
        "application/vnd.wavescope.slide+zip"
    }


def test_st106_the_licence_that_the_documents_name_is_that_of_the_repository() -> None:
    assert "Apache License 2.0" in STORE
    assert (ROOT / "LICENSE").read_text().split()[:4] == ["Apache", "License", "Version", "2.0,"]

"""The manifest and its digest (ST3 to ST6)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wavescope.errors import CorruptStore, StaleVersion, UnsupportedVersion
from wavescope.store.manifest import canonical, digest_of, load_manifest, parse_manifest
from wavescope.store.reader import StoreReader


def renamed(reader: StoreReader, **changes: Any) -> tuple[bytes, str]:
    """A manifest with other fields and the digest that fits them."""
    fields = reader.manifest.to_json() | changes
    digest = digest_of(fields)
    return canonical({**fields, "digest": digest}), digest


def test_st3_canonical_json_is_sorted_and_dense() -> None:
    assert canonical({"b": [1, None], "a": "µ"}) == '{"a":"µ","b":[1,null]}'.encode()


def test_st4_the_digest_names_the_directory_and_stands_in_the_manifest(published: tuple[Path, str]) -> None:
    store, digest = published
    fields = json.loads((store / "slides" / digest / "manifest.json").read_bytes())
    assert fields["digest"] == digest == digest_of(fields)


def test_st4_a_manifest_comes_back_as_it_was(reader: StoreReader) -> None:
    assert parse_manifest(canonical(reader.manifest.stored_json()), reader.digest) == reader.manifest


def test_st5_every_flipped_bit_is_found(reader: StoreReader) -> None:
    data = canonical(reader.manifest.stored_json())
    for bit in range(0, 8 * len(data), 7):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(CorruptStore, match="manifest"):
            parse_manifest(bytes(damaged), reader.digest)


@pytest.mark.parametrize("cut", [0, 1, 100, -1])
def test_st5_a_cut_manifest_is_found(reader: StoreReader, cut: int) -> None:
    with pytest.raises(CorruptStore):
        parse_manifest(canonical(reader.manifest.stored_json())[:cut], reader.digest)


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "other"},
        {"version": "2.0"},
        {"version": 2},
        {"parameters": []},
        {"parameters": [["57"]] * 5},
        {"width": 0},
        {"width": "512"},
        {"height": 1 << 30},
        {"planes": 0},
        {"channels": 4},
        {"layers": 0},
        {"levels": 3},
        {"tile": 512},
        {"bytes": []},
        {"bytes": [[1]]},
        {"mpp": {"x": 0, "y": 1}},
        {"mpp": {"x": 1}},
        {"source": None},
        {"layer_index": {}},
        {"empty": {"plane": 1, "runs": []}},
        {"empty": {"plane": 0, "runs": [[1]] * 40}},
        {"empty": {"plane": 0}},
    ],
)
def test_st6_a_manifest_with_a_right_digest_and_impossible_fields_is_refused(
    reader: StoreReader, changes: dict[str, Any]
) -> None:
    with pytest.raises(CorruptStore):
        parse_manifest(*renamed(reader, **changes))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"version": 1}, "before format version 1.0: ingest it again"),
        ({"version": "0.9"}, "before format version 1.0: ingest it again"),
        ({"version": "2.0"}, "'2.0' needs a newer version"),
        ({"channels": 5}, "channels 5 is not implemented"),
        ({"channel_groups": 3}, "channel_groups 3 is not implemented"),
        ({"bit_depth": 16}, "bit_depth 16 is not implemented"),
        ({"signed": True}, "signed True is not implemented"),
    ],
)
def test_st79_another_version_and_what_is_not_implemented_are_refused_by_name(
    reader: StoreReader, changes: dict[str, Any], why: str
) -> None:
    with pytest.raises(UnsupportedVersion, match=why):
        parse_manifest(*renamed(reader, **changes))


def test_st79_a_manifest_of_a_later_minor_version_with_further_fields_is_read(reader: StoreReader) -> None:
    found = parse_manifest(*renamed(reader, version="1.7", stain="unknown"))
    assert (found.width, found.parameters) == (reader.manifest.width, reader.manifest.parameters)


def test_st5_an_unknown_version_is_stale_and_one_without_manifest_corrupt(tmp_path: Path) -> None:
    with pytest.raises(StaleVersion):
        load_manifest(tmp_path, "0" * 32)
    (tmp_path / ("0" * 32)).mkdir()
    with pytest.raises(CorruptStore, match="missing"):
        load_manifest(tmp_path, "0" * 32)

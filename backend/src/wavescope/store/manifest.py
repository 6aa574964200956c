"""The stored manifest of a slide version and its digest (rules ST3 to ST6, ST78)."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wavescope.channels.channel import MAX_CHANNELS, Channel
from wavescope.errors import CorruptStore, StaleVersion, UnsupportedVersion
from wavescope.geometry import MAX_PLANES, MAX_SIDE, TILE, Pyramid
from wavescope.kernel.parameter_set import pixel_dtype
from wavescope.kernel.parameters import Codec
from wavescope.store.layout import PAGE, VersionPaths

FORMAT = "wavescope"
VERSION = "1.0"
VERSION_OF_CHANNELS = "1.1"
"""Of a slide whose channels are described (ST79)."""
DIGEST_CHARACTERS = 32
_DEPTH = slice(24, 26)
"""Of the hexadecimal digits of a parameter set (CS9)."""
_PARAMETER_SET = r"(?:[0-9a-f]{2}){32,4096}"
EXACT_PSNR = 99.0  # dB; stands for "no difference", which has no logarithm


@dataclass(frozen=True)
class SourceRecord:
    """What the manifest stores about the source file. ``bytes`` on disk; ``tile_bytes`` of its own tiles, if any."""

    name: str
    format: str
    bytes: int
    tile_bytes: int | None
    fingerprint: str


@dataclass(frozen=True)
class StoredWindow:
    """Which samples of the source became 0 and 255: ``bits`` wide, ``low`` and ``high`` (ST98)."""

    bits: int
    low: int
    high: int


Table = tuple[tuple[float | None, ...], ...]
"""[level][layer]"""


@dataclass(frozen=True)
class Quality:
    """What ingest measured on ``tiles`` tiles: ``psnr[level][layer]`` in dB with the layers up to that one (ST60).

    EXACT_PSNR where no pixel differs; None where nothing could be measured. ``sigma``: of channels with noise, the root
    of the mean square error in standard deviations of a sample's noise (ST113).
    """

    tiles: int
    psnr: Table
    sigma: Table = ()

    def to_json(self) -> dict[str, Any]:
        """The form in the manifest."""
        fields: dict[str, Any] = {"tiles": self.tiles, "psnr": [list(row) for row in self.psnr]}
        return fields | ({"sigma": [list(row) for row in self.sigma]} if self.sigma else {})


@dataclass(frozen=True)
class Chosen:
    """How the encode parameters were chosen (ST66). ``quality`` as requested; ``reason``: what decided.

    ``psnr`` (dB of level 0) and ``score`` of ``measure`` as the sample had them; ``factor`` of the table's steps, or of
    channels the steps in standard deviations of the noise, None if lossless; ``target`` in dB, if one was requested.
    ``reencoded``: digests of the versions before, the first first.
    """

    quality: str
    reason: str
    target: float | None
    factor: float | None
    psnr: float
    measure: str
    score: float
    reencoded: tuple[str, ...] = ()


@dataclass(frozen=True)
class OccupancyMap:
    """Which blocks of a plane are stored: per level, row by row, runs in turn of stored and of empty ones (ST61)."""

    plane: int
    runs: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Manifest:
    """All that a reader needs to know about a slide version; immutable, hashed into the version's digest.

    ``bytes[level][layer]`` sums the stored bytes; its last entry is the approximation.
    """

    width: int
    height: int
    planes: int
    channels: int
    profile: str
    layers: int
    codec: Mapping[str, Any]
    source: SourceRecord
    bytes: tuple[tuple[int, ...], ...]
    layer_index_bytes: int
    layer_index_sha256: str
    plane_spacing_um: float | None = None
    mpp: tuple[float, float] | None = None
    objective_power: float | None = None
    vendor: str | None = None
    icc_sha256: str | None = None
    quality: Quality | None = None
    chosen: Chosen | None = None
    empty: OccupancyMap | None = None
    window: StoredWindow | None = None
    parameters: tuple[tuple[str, ...], ...] = ()
    """[level][channel group]: parameter sets of the codestream in hexadecimal; the last level's of the approximation"""
    channel_groups: int = 1
    bit_depth: int = 8
    signed: bool = False
    descriptions: tuple[Channel, ...] = ()
    """Of the channels, if each is a channel group of its own (ST111); none of a picture of RGB or 8-bit grey"""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the pixels."""
        return pixel_dtype(self.bit_depth, self.signed)

    @property
    def group_channels(self) -> int:
        """Channels of a channel group."""
        return self.channels // self.channel_groups

    @property
    def pyramid(self) -> Pyramid:
        return Pyramid(self.width, self.height)

    @property
    def top(self) -> int:
        """L, the level stored whole as the approximation."""
        return self.pyramid.top

    @property
    def chosen_quality(self) -> str:
        """The quality as it was requested; of older ingests, the profile."""
        return self.profile if self.chosen is None else self.chosen.quality

    @property
    def icc(self) -> bool:
        return self.icc_sha256 is not None

    @property
    def digest(self) -> str:
        """The name of this version: it covers every stored byte (ST4)."""
        return digest_of(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """The stored form without ``digest``."""
        fields = {
            "format": FORMAT,
            "version": VERSION_OF_CHANNELS if self.descriptions else VERSION,
            "width": self.width,
            "height": self.height,
            "tile": TILE,
            "levels": self.top + 1,
            "planes": self.planes,
            "plane_spacing_um": self.plane_spacing_um,
            "channels": self.channels,
            "channel_groups": self.channel_groups,
            "bit_depth": self.bit_depth,
            "signed": self.signed,
            "profile": self.profile,
            "layers": self.layers,
            "mpp": None if self.mpp is None else {"x": self.mpp[0], "y": self.mpp[1]},
            "objective_power": self.objective_power,
            "vendor": self.vendor,
            "icc": self.icc,
            "icc_sha256": self.icc_sha256,
            "codec": dict(self.codec),
            "parameters": [list(groups) for groups in self.parameters],
            "index_page": PAGE,
            "source": vars(self.source).copy(),
            "bytes": [list(layer_sums) for layer_sums in self.bytes],
            "layer_index": {"bytes": self.layer_index_bytes, "sha256": self.layer_index_sha256},
        }
        if self.quality is not None:  # slides of older ingests have none
            fields["quality"] = self.quality.to_json()
        if self.chosen is not None:
            fields["chosen"] = {**vars(self.chosen), "reencoded": list(self.chosen.reencoded)}
        if self.empty is not None:
            fields["empty"] = {"plane": self.empty.plane, "runs": [list(runs) for runs in self.empty.runs]}
        if self.window is not None:
            fields["window"] = vars(self.window).copy()
        if self.descriptions:
            fields["channel_descriptions"] = [one.to_json() for one in self.descriptions]
        return fields

    def stored_json(self) -> dict[str, Any]:
        """The stored form with ``digest``, as in manifest.json and in the group's attributes."""
        return {**self.to_json(), "digest": self.digest}


def key_of_group(key: str, c: int) -> str:
    """The key in the parameter sets of a channel group: that of the slide, its last byte by exclusive or with the group
    (ST110).
    """
    return f"{key[:-2]}{int(key[-2:], 16) ^ c:02x}"


def codecs_json(codecs: Sequence[Codec]) -> dict[str, Any]:
    """The encode parameters as the manifest has them: of several channel groups, in a list ``groups`` (ST110)."""
    each = [codec.to_json() for codec in codecs]
    return each[0] if len(each) == 1 else {"groups": each}


def canonical(value: Mapping[str, Any]) -> bytes:
    """Canonical JSON (ST3): sorted keys, no spaces, UTF-8, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def digest_of(manifest: Mapping[str, Any]) -> str:
    """The digest of a manifest in JSON form; a ``digest`` field in it does not count."""
    body = canonical({key: value for key, value in manifest.items() if key != "digest"})
    return hashlib.sha256(body).hexdigest()[:DIGEST_CHARACTERS]


def parse_manifest(data: bytes, digest: str) -> Manifest:
    """The manifest in ``data``. CorruptStore unless it is complete, plausible and has this digest (ST5);
    UnsupportedVersion, named, for what this version of the software does not implement (ST79)."""
    try:
        fields = json.loads(data)
        if not isinstance(fields, dict) or digest_of(fields) != digest or fields.get("digest") != digest:
            raise ValueError("its digest does not match")
        _check_version(fields, digest)
        manifest = _from_json(fields)
        _check(manifest, fields)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CorruptStore(digest, "the manifest", str(error) or type(error).__name__) from error
    return manifest


def load_manifest(slides: Path, digest: str) -> Manifest:
    """The manifest of a published version; StaleVersion when there is no such version."""
    try:
        data = VersionPaths(slides / digest).manifest.read_bytes()
    except FileNotFoundError as error:
        if (slides / digest).is_dir():
            raise CorruptStore(digest, "the manifest", "the file is missing") from error
        raise StaleVersion(digest, digest) from error
    except OSError as error:
        raise CorruptStore(digest, "the manifest", str(error)) from error
    return parse_manifest(data, digest)


def _from_json(fields: Mapping[str, Any]) -> Manifest:
    mpp = fields["mpp"]
    return Manifest(
        width=fields["width"],
        height=fields["height"],
        planes=fields["planes"],
        channels=fields["channels"],
        profile=fields["profile"],
        layers=fields["layers"],
        codec=fields["codec"],
        source=SourceRecord(**fields["source"]),
        bytes=tuple(tuple(layer_sums) for layer_sums in fields["bytes"]),
        layer_index_bytes=fields["layer_index"]["bytes"],
        layer_index_sha256=fields["layer_index"]["sha256"],
        plane_spacing_um=fields["plane_spacing_um"],
        mpp=None if mpp is None else (mpp["x"], mpp["y"]),
        objective_power=fields["objective_power"],
        vendor=fields["vendor"],
        icc_sha256=fields["icc_sha256"],
        quality=_quality(fields["quality"]) if "quality" in fields else None,
        chosen=_chosen(fields["chosen"]) if "chosen" in fields else None,
        empty=_occupancy_map(fields["empty"]) if "empty" in fields else None,
        window=StoredWindow(**fields["window"]) if "window" in fields else None,
        parameters=tuple(tuple(groups) for groups in fields["parameters"]),
        channel_groups=fields["channel_groups"],
        bit_depth=fields["bit_depth"],
        signed=fields["signed"],
        descriptions=tuple(map(Channel.from_json, fields.get("channel_descriptions", ()))),
    )


def _quality(fields: Mapping[str, Any]) -> Quality:
    rows = {name: tuple(tuple(row) for row in fields.get(name, ())) for name in ("psnr", "sigma")}
    return Quality(fields["tiles"], **rows)


def _chosen(fields: Mapping[str, Any]) -> Chosen:
    return Chosen(**{**fields, "reencoded": tuple(fields["reencoded"])})


def _occupancy_map(fields: Mapping[str, Any]) -> OccupancyMap:
    return OccupancyMap(fields["plane"], tuple(tuple(runs) for runs in fields["runs"]))


def _check_version(fields: Mapping[str, Any], digest: str) -> None:
    """UnsupportedVersion for another version and for what is not implemented (ST79)."""
    version = fields.get("version")
    if fields.get("format") != FORMAT:
        raise UnsupportedVersion(digest, f"its format is {fields.get('format')!r}")
    if version in (None, 1) or (isinstance(version, str) and re.fullmatch(r"0\.[0-9]{1,4}", version)):
        raise UnsupportedVersion(digest, "it was stored before format version 1.0: ingest it again")
    if not isinstance(version, str) or re.fullmatch(r"1\.[0-9]{1,4}", version) is None:
        raise UnsupportedVersion(digest, f"format version {version!r} needs a newer version of this software")
    described = version != VERSION and "channel_descriptions" in fields
    groups = range(1, MAX_CHANNELS + 1) if described else (1,)
    for field, implemented in (
        ("channel_groups", groups),
        ("channels", (fields["channel_groups"],) if described else (1, 3)),
        ("bit_depth", range(8, 17) if described else (8,)),
        ("signed", (False, True) if described else (False,)),
    ):
        if type(fields[field]) not in (int, bool) or fields[field] not in implemented:
            raise UnsupportedVersion(digest, f"{field} {fields[field]!r} is not implemented")


def _check(manifest: Manifest, fields: Mapping[str, Any]) -> None:
    """Refuse what this version of the format cannot mean (ST6)."""
    sides = (manifest.width, manifest.height)
    plausible = all(isinstance(side, int) and 1 <= side <= MAX_SIDE for side in sides)
    plausible &= isinstance(manifest.planes, int) and 1 <= manifest.planes <= MAX_PLANES
    plausible &= isinstance(manifest.layers, int) and 1 <= manifest.layers <= 4
    plausible &= fields["tile"] == TILE and fields["index_page"] == PAGE
    plausible &= manifest.mpp is None or all(math.isfinite(value) and value > 0 for value in manifest.mpp)
    plausible &= manifest.empty is None or _fits(manifest.empty, manifest)
    plausible &= manifest.window is None or _can_be(manifest.window)
    plausible &= len(manifest.descriptions) == ("channel_descriptions" in fields) * manifest.channels
    plausible &= all(_is_stored(one, manifest) for one in manifest.descriptions)
    if not plausible:
        raise ValueError("a field is out of its range")
    levels = manifest.top + 1
    if fields["levels"] != levels or len(manifest.bytes) != levels:
        raise ValueError("the number of levels does not fit the size")
    groups = [manifest.channel_groups] * levels
    if [len(sets) for sets in manifest.parameters] != groups or not all(
        re.fullmatch(_PARAMETER_SET, each) for sets in manifest.parameters for each in sets
    ):
        raise ValueError("the parameter sets do not fit the levels and channel groups")
    depth = f"{manifest.bit_depth | manifest.signed << 7:02x}"
    if any(each[_DEPTH] != depth for sets in manifest.parameters for each in sets):
        raise ValueError("the parameter sets do not fit the depth of samples")
    if any(len(layer_sums) != manifest.layers for layer_sums in manifest.bytes):
        raise ValueError("the number of layers does not fit the byte sums")
    measured = manifest.quality
    tables = (measured.psnr, *([measured.sigma] if measured.sigma else [])) if measured else ()
    if any([len(row) for row in table] != [manifest.layers] * levels for table in tables):
        raise ValueError("the measured quality does not fit levels and layers")


def _is_stored(channel: Channel, manifest: Manifest) -> bool:
    """Whether the description fits the stored samples: those of a window have 8 bits (ST112)."""
    own = (8, False) if channel.window else (channel.bits, channel.signed)
    return own == (manifest.bit_depth, manifest.signed)


def _can_be(window: StoredWindow) -> bool:
    bits, low, high = vars(window).values()
    return all(isinstance(value, int) for value in (bits, low, high)) and bits <= 32 and 0 <= low < high < 1 << bits


def _fits(empty: OccupancyMap, manifest: Manifest) -> bool:
    """Whether the runs cover exactly the blocks of each level."""
    blocks = [math.prod(manifest.pyramid.tiles(level)) for level in range(manifest.top)]
    whole = all(isinstance(run, int) and run >= 0 for runs in empty.runs for run in runs)
    return whole and 0 <= empty.plane < manifest.planes and [sum(runs) for runs in empty.runs] == blocks

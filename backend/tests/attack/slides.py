"""Slides to be attacked, made by the real ingest, and what is read of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wavescope.catalog.catalog import Catalog
from wavescope.errors import WavescopeError
from wavescope.geometry import Address
from wavescope.ingest.pipeline import Options, ingest
from wavescope.store.reader import StoreReader

Contents = dict[str, bytes]  # by what was asked: its bytes


def make_slides(store: Path, slides: dict[str, str]) -> dict[str, str]:
    """Ingests sources by id into a new store; their digests by id."""
    store.mkdir(parents=True)
    catalog = Catalog.open(store)
    try:
        return {
            id_: ingest(source, store, catalog, Options(id_, id_, "visual")).digest for id_, source in slides.items()
        }
    finally:
        catalog.close()


@dataclass(frozen=True)
class Read:
    """What a fresh reader gives: bytes of what it read, and what it refused."""

    contents: Contents
    refused: dict[str, str]


def read_all(store: Path, digest: str) -> Read:
    """Every block, page, approximation and profile of a version, each by itself."""
    contents: Contents = {}
    refused: dict[str, str] = {}
    try:
        reader = StoreReader.open(store, digest)
    except WavescopeError as error:
        return Read({}, {"manifest": str(error)})
    every = range(reader.manifest.layers)
    try:
        contents["icc"] = reader.icc_profile() or b""
    except WavescopeError as error:
        refused["icc"] = str(error)
    for address in addresses(reader):
        try:
            contents[name_of(address)] = reader.read(address, every)
        except WavescopeError as error:
            refused[name_of(address)] = str(error)
    return Read(contents, refused)


def addresses(reader: StoreReader) -> list[Address]:
    """Of every tile."""
    pyramid, manifest = reader.manifest.pyramid, reader.manifest
    return [
        Address(z, 0, level, x, y)
        for z in range(manifest.planes)
        for level in range(manifest.top + 1)
        for y in range(pyramid.tiles(level)[1])
        for x in range(pyramid.tiles(level)[0])
    ]


def name_of(address: Address) -> str:
    """As in ``0/0/2/1/1``."""
    return "/".join(map(str, address))


def wrong(found: Read, right: Contents) -> list[str]:
    """What was given without an error and is not what was stored."""
    return [name for name, data in found.contents.items() if right.get(name) != data]

"""``wavescope list``, ``info``, ``verify``, ``rename``, ``calibrate``, ``collect``"""

from __future__ import annotations

import argparse
import asyncio
import time
from dataclasses import replace
from typing import Any

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.originals.table import OriginalTable
from wavescope.catalog.overlays import OverlayTable
from wavescope.catalog.records import SlideRecord
from wavescope.cli.configured import config_of
from wavescope.cli.output import DAMAGED, OK, print_line, print_stderr, quantity, result
from wavescope.cli.quality import chosen_fields, decision_words, quality_words, short_quality
from wavescope.cli.recorded import record, system_user
from wavescope.cli.store import manifest_in, opened_catalog
from wavescope.service.access.gate import LOCAL_USER, may
from wavescope.service.overlays.opened import damages_of
from wavescope.service.slides.calibration import CalibrationService
from wavescope.service.slides.removal import collect_originals, collect_overlays, collect_versions, sweep_ingests
from wavescope.service.storage import object_backend
from wavescope.store.files.location import damage_of, files_at
from wavescope.store.files.stored import ORIGINALS, OVERLAYS
from wavescope.store.layout import StorePaths
from wavescope.store.manifest import Manifest
from wavescope.store.objects.copy import verify_objects
from wavescope.store.verify import Damage, verify

PAGE = 200


def list_slides(arguments: argparse.Namespace) -> int:
    """Every slide, the newest first."""
    with opened_catalog(config_of(arguments)) as catalog:
        records = _all(catalog)
    if arguments.json:
        result([_listed(record) for record in records])
        return OK
    for slide in records:
        size = _size(slide)
        quality = short_quality(slide.manifest)
        print_line(f"{slide.id:40} {size['width']:>7} x {size['height']:<7} {quality:16} {slide.title}")
    if not records:
        print_stderr("no slides yet; import one with: wavescope ingest FILE")
    return OK


def _all(catalog: Catalog) -> list[SlideRecord]:
    records: list[SlideRecord] = []
    number = 1
    while True:
        page = catalog.list("", number, PAGE)
        records.extend(page.slides)
        if number >= page.pages:
            return records
        number += 1


def _listed(slide: SlideRecord) -> dict[str, Any]:
    facts = {"id": slide.id, "title": slide.title, "digest": slide.digest, **_size(slide)}
    return {**facts, "quality": chosen_fields(slide.manifest)}


def _size(slide: SlideRecord) -> dict[str, Any]:
    return {name: slide.manifest.get(name) for name in ("width", "height", "planes", "profile")}


def info(arguments: argparse.Namespace) -> int:
    """Bytes per level and layer and what they compare to."""
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        slide = catalog.get(arguments.id)
        original = OriginalTable(catalog).of(arguments.id)
    facts: dict[str, Any] = {"id": slide.id, "title": slide.title, "digest": slide.digest}
    manifest = manifest_in(config, slide.digest)
    facts |= measured(manifest)
    facts["mpp"] = None if slide.mpp is None else [slide.mpp["x"], slide.mpp["y"]]
    named = ("name", "size", "files", "sha256")
    facts["original"] = None if original is None else {name: getattr(original, name) for name in named}
    if arguments.json:
        result(facts)
    else:
        _print_info(facts)
        if original is not None:
            print_line(f"  original file: {original.name}, {quantity(original.size)}")
        print_line(f"  {', '.join(filter(None, (quality_words(manifest), decision_words(manifest))))}")
    return OK


def measured(manifest: Manifest) -> dict[str, Any]:
    """The figures of ``info``; ``psnr`` per layer as measured at ingest.

    Ratios are stored bytes to the other's; None where the source has no tiles.
    """
    total = sum(map(sum, manifest.bytes))
    raw = manifest.width * manifest.height * manifest.channels * manifest.planes
    source = manifest.source
    levels = []
    for level, layers in enumerate(manifest.bytes):
        width, height = manifest.pyramid.level_size(level)
        pixels = width * height * manifest.planes
        bits = round(8 * sum(layers) / pixels, 4)
        levels.append(
            {
                "level": level,
                "width": width,
                "height": height,
                "kind": "approximation" if level == manifest.top else "details",
                "layers": list(layers),
                "bytes": sum(layers),
                "bits_per_pixel": bits,
                "psnr": list(manifest.quality.psnr[level]) if manifest.quality else None,
            }
        )
    return {
        "width": manifest.width,
        "height": manifest.height,
        "planes": manifest.planes,
        "channels": manifest.channels,
        "profile": manifest.profile,
        "quality": chosen_fields(manifest.to_json()),
        "window": vars(manifest.window) if manifest.window else None,
        "mpp": None if manifest.mpp is None else list(manifest.mpp),
        "objective_power": manifest.objective_power,
        "vendor": manifest.vendor,
        "levels": levels,
        "layers": [sum(level[layer] for level in manifest.bytes) for layer in range(manifest.layers)],
        "bytes": total,
        "index_bytes": manifest.layer_index_bytes,
        "raw_bytes": raw,
        "source_bytes": source.bytes,
        "source_tile_bytes": source.tile_bytes,
        "ratio_to_raw": round(total / raw, 6),
        "ratio_to_source": round(total / source.bytes, 6) if source.bytes else None,
        "ratio_to_source_tiles": round(total / source.tile_bytes, 6) if source.tile_bytes else None,
    }


def _print_info(facts: dict[str, Any]) -> None:
    print_line(f"{facts['id']}: {facts['title']}")
    print_line(
        f"  {facts['width']} x {facts['height']}, {facts['planes']} plane(s), {facts['profile']}, {facts['digest']}"
    )
    if (window := facts["window"]) is not None:
        print_line(f"  {window['bits']}-bit values {window['low']} to {window['high']} are stored as 0 to 255")
    names = "".join(f"{f'layer {layer}':>12}" for layer in range(len(facts["layers"])))
    print_line(f"  level {'size':>17}{names}{'all':>12}  bits/pixel  PSNR dB")
    for level in facts["levels"]:
        size = f"{level['width']} x {level['height']}"
        layers = "".join(f"{quantity(count):>12}" for count in level["layers"])
        psnr = " ".join("-" if value is None else f"{value:.1f}" for value in level["psnr"] or [])
        total, bits = quantity(level["bytes"]), level["bits_per_pixel"]
        print_line(f"  {level['level']:5} {size:>17}{layers}{total:>12}  {bits:10.3f}  {psnr}")
    layers = "".join(f"{quantity(count):>12}" for count in facts["layers"])
    print_line(f"    all {'':>17}{layers}{quantity(facts['bytes']):>12}")
    for name, other, ratio in (
        ("the raw pixels", "raw_bytes", "ratio_to_raw"),
        ("the source file", "source_bytes", "ratio_to_source"),
        ("the source's own tiles, passed through", "source_tile_bytes", "ratio_to_source_tiles"),
    ):
        if facts[ratio] is not None:
            print_line(f"  {facts[ratio]:8.4f} x {name} ({quantity(facts[other])})")


def verify_slide(arguments: argparse.Namespace) -> int:
    """Exit code 0 if every byte is right, 1 if anything is damaged."""
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        digest = catalog.resolve(arguments.id)
        original = OriginalTable(catalog).of(arguments.id)
        overlays = OverlayTable(catalog).of(arguments.id)
    backend = object_backend(config)
    found = list(verify(config.store, digest) if backend is None else verify_objects(backend, digest))
    if original is not None:
        reason = damage_of(files_at(StorePaths(config.store), backend, ORIGINALS), original)
        found += [Damage("the original file", reason)] if reason else []
    stored = files_at(StorePaths(config.store), backend, OVERLAYS)
    for overlay in overlays:
        found += [Damage(f"the overlay {overlay.file.name!r}", reason) for reason in damages_of(stored, overlay.file)]
    if arguments.json:
        damages = [
            {"part": d.part, "reason": d.reason, "address": None if d.address is None else list(d.address)}
            for d in found
        ]
        result({"id": arguments.id, "digest": digest, "ok": not found, "damages": damages})
    else:
        for damage in found:
            print_line(f"{damage.part}: {damage.reason}")
        print_line(f"{arguments.id}: {f'{len(found)} findings' if found else 'every byte matches its digest'}")
    return DAMAGED if found else OK


def rename(arguments: argparse.Namespace) -> int:
    """Change the title of a slide."""
    with opened_catalog(config_of(arguments)) as catalog:
        slide = catalog.change(arguments.id, arguments.title)
        record(catalog, "renamed", slide.id)
    print_line(f"{slide.id}: {slide.title}")
    return OK


def calibrate(arguments: argparse.Namespace) -> int:
    """Enter or remove the scale of a slide whose file states none (WI80)."""
    config = config_of(arguments)
    user = replace(LOCAL_USER, name=system_user() or LOCAL_USER.name)
    with opened_catalog(config) as catalog:
        service = CalibrationService(catalog, may, config.limits)
        if arguments.remove:
            asyncio.run(service.remove(user, arguments.id))
            record(catalog, "calibration removed", arguments.id)
            print_line(f"{arguments.id}: the entered scale is removed")
            return OK
        asyncio.run(service.put(user, arguments.id, arguments.um_per_pixel, None))
        value = f"{arguments.um_per_pixel:.6g}"
        record(catalog, "calibrated", arguments.id, um_per_pixel=value, way="value")
    print_line(f"{arguments.id}: {value} um per pixel")
    return OK


def collect(arguments: argparse.Namespace) -> int:
    """Remove versions that no slide uses any more, and with --work what interrupted ingests left."""
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        backend = object_backend(config)
        gone = collect_versions(catalog, config.store, time.time(), lambda _: None, backend)
        files = collect_originals(OriginalTable(catalog), config.store, time.time(), backend)
        now = time.time()
        overlays = collect_overlays(OverlayTable(catalog), config.store, now - config.trash_seconds, now, backend)
        swept = sweep_ingests(catalog, config.store, 0.0) if arguments.work else ()
    also = f", {len(files)} original file(s)" if files else ""
    also += f", {len(overlays)} overlay(s)" if overlays else ""
    also += f", {len(swept)} interrupted import(s)" if arguments.work else ""
    print_line(f"{len(gone)} version(s) removed{also}")
    return OK

"""``wavescope register``"""

from __future__ import annotations

import argparse
import asyncio
import math
from collections.abc import Mapping
from statistics import median
from typing import Any

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.registrations import RegistrationTable
from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line, result
from wavescope.cli.store import opened_catalog
from wavescope.config import Config
from wavescope.pixels.renderer import PixelRenderer
from wavescope.registration.result import Registration
from wavescope.service.access.gate import LOCAL_USER, may
from wavescope.service.slides.registrations import METHOD, RegistrationService
from wavescope.service.storage import block_source


def run(arguments: argparse.Namespace) -> int:
    """Register two slides, and say how well they match."""
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        found = asyncio.run(_registration(config, catalog, arguments.left, arguments.right))
        scale = catalog.get(arguments.right).mpp
    if arguments.json:
        result(found)
        return OK
    registration = Registration.from_json(found)
    linear = registration.places.affine[:, :2]
    angle = math.degrees(math.atan2(-linear[0, 1], linear[1, 1]))
    mirrored = ", mirrored" if linear[0, 0] * linear[1, 1] < linear[0, 1] * linear[1, 0] else ""
    unit, pixel = ("px", 1.0) if scale is None else ("um", scale["x"])
    left = median(math.hypot(one.l0_dx, one.l0_dy) for one in registration.residuals) * pixel
    print_line(f"turned by {angle % 360:.1f} degrees{mirrored}; alike to {registration.likeness:.0%}")
    count = len(registration.residuals)
    print_line(f"left after the smooth field: {left:.1f} {unit} at the median of {count} cells")
    return OK


async def _registration(config: Config, catalog: Catalog, left: str, right: str) -> Mapping[str, Any]:
    blocks, _ = block_source(config)
    pixels = PixelRenderer(blocks, config.limits)
    service = RegistrationService(RegistrationTable(catalog, METHOD), catalog, may, pixels, blocks)
    try:
        return (await service.get(LOCAL_USER, left, right))[1]
    finally:
        pixels.close()
        await blocks.close()

"""``wavescope region`` and ``wavescope rd``"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import get_args

from wavescope.cli.configured import config_of
from wavescope.cli.output import OK
from wavescope.cli.store import opened_catalog
from wavescope.config import Config
from wavescope.errors import InvalidParameter
from wavescope.pixels.images import REGION_FORMATS, RegionFormat
from wavescope.pixels.region import Region
from wavescope.pixels.renderer import PixelRenderer
from wavescope.service.storage import block_source


def region(arguments: argparse.Namespace) -> int:
    """Write a rectangle of a level to a file."""
    target: Path = arguments.output
    kind = target.suffix.lower().removeprefix(".").replace("jpeg", "jpg")
    if kind not in REGION_FORMATS:
        raise InvalidParameter("-o", str(target), f"a name ending in {', '.join(get_args(RegionFormat))}")
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        digest = catalog.resolve(arguments.id)
    picture = asyncio.run(_image(config, digest, arguments, kind))
    try:
        target.write_bytes(picture)
    except OSError as error:
        raise InvalidParameter("-o", str(target), f"a file that can be written ({error.strerror})") from error
    return OK


async def _image(config: Config, digest: str, arguments: argparse.Namespace, kind: RegionFormat) -> bytes:
    blocks, _ = block_source(config)
    maker = PixelRenderer(blocks, config.limits)
    try:
        version = await blocks.version(digest)
        level = version.level(arguments.level)
        z = version.middle_plane if arguments.z is None else arguments.z
        place = Region(z, level, arguments.x >> level, arguments.y >> level, arguments.width, arguments.height)
        return await maker.region_image(version, place, version.layer_count(arguments.layers), kind)
    finally:
        maker.close()
        await blocks.close()

"""``wavescope calibrate``"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import replace

from wavescope.cli.output import OK, say
from wavescope.cli.recorded import record, system_user
from wavescope.cli.store import config_of, opened_catalog
from wavescope.service.access.gate import LOCAL_USER, may
from wavescope.service.slides.calibration import CalibrationService


def run(arguments: argparse.Namespace) -> int:
    """Enter or remove the scale of a slide whose file states none (WI80)."""
    config = config_of(arguments.store)
    user = replace(LOCAL_USER, name=system_user() or LOCAL_USER.name)
    with opened_catalog(config) as catalog:
        service = CalibrationService(catalog, may, config.limits)
        if arguments.remove:
            asyncio.run(service.remove(user, arguments.id))
            record(catalog, "calibration removed", arguments.id)
            say(f"{arguments.id}: the entered scale is removed")
            return OK
        asyncio.run(service.put(user, arguments.id, arguments.um_per_pixel, None))
        value = f"{arguments.um_per_pixel:.6g}"
        record(catalog, "calibrated", arguments.id, um_per_pixel=value, way="value")
    say(f"{arguments.id}: {value} um per pixel")
    return OK

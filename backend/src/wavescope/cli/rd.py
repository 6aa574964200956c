"""``wavescope rd``: the codec alone."""

from __future__ import annotations

import argparse
from pathlib import Path

from wavescope.cli.output import OK, print_line, quantity, result
from wavescope.errors import InvalidParameter
from wavescope.kernel import Aim
from wavescope.rd import Point, rate_distortion, read_image


def run(arguments: argparse.Namespace) -> int:
    """Bytes and PSNR per quality and number of layers."""
    image = read_image(Path(arguments.image))
    try:
        aim: Aim = "all-levels" if arguments.as_stored else "level-0"
        points = rate_distortion(image, arguments.profile, save=arguments.save, aim=aim, steps=arguments.steps)
    except OSError as error:
        raise InvalidParameter("--save", str(arguments.save), f"a folder that can be written ({error})") from error
    if arguments.json:
        result(points)
    else:
        print_line("quality  layers        bytes  bits/pixel  PSNR in dB")
        for point in points:
            print_line(_line(point))
    return OK


def _line(point: Point) -> str:
    exact = "exact" if point["psnr"] is None else f"{point['psnr']:.2f}"
    size = quantity(point["bytes"])
    return f"{point['quality']:7g}  {point['layer']:6}  {size:>11}  {point['bpp']:10.3f}  {exact:>10}"

"""``wavescope rd``: the codec alone."""

from __future__ import annotations

import argparse
from pathlib import Path

from wavescope.cli.output import OK, print_line, quantity, result
from wavescope.errors import InvalidParameter
from wavescope.rd import Point, rate_distortion, read_image


def run(arguments: argparse.Namespace) -> int:
    """Bytes and PSNR per quality and number of layers."""
    image = read_image(Path(arguments.image))
    try:
        points = rate_distortion(image, arguments.profile, save=arguments.save, steps=arguments.steps)
    except OSError as error:
        raise InvalidParameter("--save", str(arguments.save), f"a folder that can be written ({error})") from error
    if arguments.json:
        result(points)
    else:
        print_line("quality  layers        bytes  bits/pixel  PSNR in dB  SSIMULACRA 2")
        for point in points:
            print_line(_line(point))
    return OK


def _line(point: Point) -> str:
    exact = "exact" if point["psnr"] is None else f"{point['psnr']:.2f}"
    size, score = quantity(point["bytes"]), point["score"]
    return f"{point['quality']:7g}  {point['layer']:6}  {size:>11}  {point['bpp']:10.3f}  {exact:>10}  {score:12.1f}"

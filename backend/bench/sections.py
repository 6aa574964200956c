"""Registration of sections whose map is known (decision 0035): errors and seconds of the processor, beside SimpleITK.

Usage: npm run bench -- registration [-- --peer]
       .venv/bin/python backend/bench/sections.py [--peer] [--seeds N]

``--peer`` runs SimpleITK (``pip install SimpleITK``): an affine map by Mattes' mutual information, at several
resolutions, from the best of turned starts, and B-splines after it. rTRE: the distance between a place and where it was
laid, in per cent of the diagonal of the right picture.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from setting import table

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from registration.deformations import DEFORMATIONS, Pair, pair
from wavescope.errors import SectionsDiffer
from wavescope.registration.density import section_of
from wavescope.registration.register import WORK, Picture, register
from wavescope.registration.spline import Floats

Way = Callable[[Pair], Floats]
COLUMNS = ["deformation", "by", "CPU s", "mean rTRE %", "median %", "95th %", "worst %"]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    ways: dict[str, Way] = {"wavescope": by_wavescope}
    if arguments.peer:
        ways["SimpleITK"] = by_simpleitk
    rows: list[list[object]] = []
    for name, deformation in DEFORMATIONS.items():
        if arguments.only not in name:
            continue
        pairs = [pair(deformation._replace(seed=deformation.seed + 10 * n), 1 + n) for n in range(arguments.seeds)]
        rows.extend([name, by, *measured(way, pairs)] for by, way in ways.items())
    table(f"Registration, {arguments.seeds} pair(s) each; all times with one thread", COLUMNS, rows)


def measured(way: Way, pairs: list[Pair]) -> list[object]:
    """Of all pairs together."""
    start = time.process_time()
    try:
        off = np.concatenate([both.errors(way(both)) for both in pairs])
    except SectionsDiffer:
        return [f"{(time.process_time() - start) / len(pairs):.1f}", "no match", "-", "-", "-"]
    seconds = (time.process_time() - start) / len(pairs)
    figures = (off.mean(), np.median(off), np.percentile(off, 95), off.max())
    return [f"{seconds:.1f}", *(f"{one:.3f}" for one in figures)]


def by_wavescope(both: Pair) -> Floats:
    """With what the service runs."""
    return register(Picture(both.left, 1.0, 1.0), Picture(both.right, 1.0, 1.0)).places.to(both.on_left)


def by_simpleitk(both: Pair) -> Floats:
    """A usual recipe on the same densities, of the same size."""
    import SimpleITK as sitk  # noqa: N813

    sitk.ProcessObject.SetGlobalDefaultNumberOfThreads(1)
    factor = WORK / max(*both.left.shape[:2], *both.right.shape[:2])
    small = [
        cv2.resize(one, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) for one in (both.left, both.right)
    ]
    fixed, moving = (sitk.GetImageFromArray(section_of(one).density) for one in small)

    def improved(start: sitk.Transform, shrink: list[int], steps: int) -> tuple[float, sitk.Transform]:
        method = sitk.ImageRegistrationMethod()
        method.SetMetricAsMattesMutualInformation(32)
        method.SetMetricSamplingStrategy(method.RANDOM)
        method.SetMetricSamplingPercentage(0.2, 1)
        method.SetInterpolator(sitk.sitkLinear)
        method.SetOptimizerAsGradientDescent(1.0, steps, 1e-6, 10)
        method.SetOptimizerScalesFromPhysicalShift()
        method.SetShrinkFactorsPerLevel(shrink)
        method.SetSmoothingSigmasPerLevel([one / 2 for one in shrink])
        method.SetInitialTransform(start, inPlace=False)
        found = method.Execute(fixed, moving)
        return method.GetMetricValue(), found

    def turned(degrees: int, mirrored: bool) -> sitk.Transform:
        centred = sitk.CenteredTransformInitializer(
            fixed, moving, sitk.Euler2DTransform(), sitk.CenteredTransformInitializerFilter.MOMENTS
        )
        angle = np.deg2rad(degrees)
        linear = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        start = sitk.AffineTransform(2)
        start.SetCenter(sitk.Euler2DTransform(centred).GetCenter())
        start.SetTranslation(sitk.Euler2DTransform(centred).GetTranslation())
        start.SetMatrix((linear * [-1 if mirrored else 1, 1]).ravel())
        return start

    starts = [turned(degrees, mirrored) for mirrored in (False, True) for degrees in range(0, 360, 30)]
    best = min((improved(start, [8], 40) for start in starts), key=lambda one: one[0])[1]
    affine = improved(best, [4, 2], 150)[1]
    method = sitk.ImageRegistrationMethod()
    method.SetMetricAsMattesMutualInformation(32)
    method.SetMetricSamplingStrategy(method.RANDOM)
    method.SetMetricSamplingPercentage(0.2, 1)
    method.SetOptimizerAsLBFGSB(numberOfIterations=60)
    method.SetInterpolator(sitk.sitkLinear)
    method.SetShrinkFactorsPerLevel([4, 2])
    method.SetSmoothingSigmasPerLevel([2, 1])
    method.SetMovingInitialTransform(affine)
    method.SetInitialTransform(sitk.BSplineTransformInitializer(fixed, [12, 12]), inPlace=False)
    whole = sitk.CompositeTransform([affine, method.Execute(fixed, moving)])
    points = both.on_left * factor - 0.5
    return (np.array([whole.TransformPoint(point.tolist()) for point in points]) + 0.5) / factor


if __name__ == "__main__":
    main()

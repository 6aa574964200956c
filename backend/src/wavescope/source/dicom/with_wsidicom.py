"""DICOM whole slides that openslide does not support, above all those with focal planes. The only file that knows
wsidicom.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from wavescope.errors import MissingPackage, UnreadableSource, UnsupportedSource
from wavescope.source.base import Pixels, SourceInfo, check_region
from wavescope.source.dicom.series import Instance, Series, volumes


class WsiDicomSource:
    """One slide through wsidicom; its planes are the focal planes, from the lowest z upwards. Raises MissingPackage
    without wsidicom.
    """

    def __init__(self, path: Path, series: Series) -> None:
        self._path = path
        levels = volumes(series.instances)
        _check(path, levels)
        try:
            from wsidicom import WsiDicom  # seconds to import, and rarely needed
        except ImportError as error:
            raise MissingPackage("wsidicom", "this DICOM slide", "dicom") from error
        try:
            self._slide = WsiDicom.open([instance.path for instance in levels])
            self._info = self._describe(series, levels)
        except MemoryError:
            raise
        except Exception as error:  # wsidicom and pydicom meet hostile files with exceptions of every kind
            raise UnreadableSource(path, f"wsidicom cannot open it: {type(error).__name__}: {error}") from error

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        check_region(self._info, z, l0_x, l0_y, width, height)
        try:
            pixels = self._slide.read_region((l0_x, l0_y), 0, (width, height), z=self._focal_planes[z], as_array=True)
        except MemoryError:
            raise
        except Exception as error:  # as above
            region = f"{width} x {height} pixels at ({l0_x}, {l0_y})"
            raise UnreadableSource(self._path, f"damaged: {region} cannot be read: {error}") from error
        return np.ascontiguousarray(pixels, dtype=np.uint8).reshape(height, width, self._info.channels)

    def close(self) -> None:
        self._slide.close()

    def _describe(self, series: Series, levels: list[Instance]) -> SourceInfo:
        base = self._slide.pyramids[0].base_level
        self._focal_planes = sorted(base.focal_planes)
        first, last, count = self._focal_planes[0], self._focal_planes[-1], len(self._focal_planes)
        largest = max(levels, key=lambda instance: instance.columns)
        return SourceInfo(
            width=base.size.width,
            height=base.size.height,
            channels=3 if largest.samples == 3 else 1,
            format="dicom",
            source_bytes=sum(instance.path.stat().st_size for instance in series.instances),
            properties={"dicom.Manufacturer": largest.manufacturer} if largest.manufacturer else {},
            planes=count,
            plane_spacing_um=(last - first) / (count - 1) if count > 1 else None,
            mpp_x=float(base.mpp.width),
            mpp_y=float(base.mpp.height),
            objective_power=largest.objective_power,
            vendor="dicom",
            icc_profile=largest.icc_profile,
            tile_bytes=sum(instance.pixel_bytes for instance in levels),
            notices=series.notices,
        )


def _check(path: Path, levels: list[Instance]) -> None:
    if not levels:
        raise UnsupportedSource(path, "a DICOM series without a picture of the slide itself")
    for instance in levels:
        if instance.bits != 8 or instance.samples not in (1, 3):
            kind = f"{instance.bits}-bit DICOM slides with {instance.samples} samples"
            raise UnsupportedSource(path, f"{kind} are not read; grey and RGB of 8 bits are")
        if instance.optical_paths != 1:
            raise UnsupportedSource(
                path, f"DICOM slides with {instance.optical_paths} optical paths are not read; one is"
            )

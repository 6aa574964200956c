"""What a TIFF says about itself: scale, objective, scanner, colour profile, bytes of its tiles. Free text stays
unread.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

from tifffile import TiffFile, TiffPage, TiffPageSeries

from wavescope.errors import UnreadableSource
from wavescope.source.base import SourceInfo
from wavescope.source.properties import positive_number, publishable
from wavescope.source.tiff.claims import ome_root

MICROMETRES = {"µm": 1.0, "um": 1.0, "micron": 1.0, "nm": 1e-3, "mm": 1e3, "cm": 1e4, "pm": 1e-6, "inch": 25400.0}
COARSEST_UM = 50.0
"""A resolution tag coarser than this speaks of print or screen, not of a microscope."""


def metadata_of(path: Path, tiff: TiffFile, series: TiffPageSeries, channels: int, planes: int) -> SourceInfo:
    """The description of one series of a TIFF."""
    page = series.keyframe
    ome = _ome_facts(ome_root(path, tiff)) if tiff.is_ome else {}
    mpp = (positive_number(ome.get("mpp-x")), positive_number(ome.get("mpp-y")))
    if None in mpp:
        mpp = _resolution(page)
    profile = page.tags.valueof(34675)
    names = {271: "tiff.Make", 272: "tiff.Model", 305: "tiff.Software"}
    properties = {name: str(page.tags.valueof(code)) for code, name in names.items() if code in page.tags}
    return SourceInfo(
        width=page.imagewidth,
        height=page.imagelength,
        channels=channels,
        format="ome-tiff" if tiff.is_ome else "tiff",
        source_bytes=path.stat().st_size,
        properties=publishable(properties),
        planes=planes,
        plane_spacing_um=_spacing(tiff, ome) if planes > 1 else None,
        mpp_x=mpp[0],
        mpp_y=mpp[1],
        objective_power=positive_number(ome.get("objective")),
        vendor=ome.get("vendor") or properties.get("tiff.Make"),
        icc_profile=bytes(profile) if profile else None,
        tile_bytes=_tile_bytes(series),
    )


def _tile_bytes(series: TiffPageSeries) -> int | None:
    if not series.keyframe.is_tiled:
        return None
    return sum(sum(page.databytecounts) for level in series.levels for page in level.pages if page is not None)


def _resolution(page: TiffPage) -> tuple[float | None, float | None]:
    unit = {2: 25400.0, 3: 10000.0}.get(int(page.tags.valueof(296, 2)))
    values: list[float | None] = []
    for code in (282, 283):
        fraction = page.tags.valueof(code)
        per_unit = (
            fraction[0] / fraction[1] if isinstance(fraction, tuple) and len(fraction) == 2 and fraction[1] else 0.0
        )
        mpp = unit / per_unit if unit and per_unit > 0 else None
        values.append(mpp if mpp is not None and mpp < COARSEST_UM else None)
    return (values[0], values[1]) if None not in values else (None, None)


def _spacing(tiff: TiffFile, ome: dict[str, str]) -> float | None:
    if tiff.is_imagej and tiff.imagej_metadata:
        unit = str(tiff.imagej_metadata.get("unit", ""))
        scale = MICROMETRES.get(unit.replace("\\u00B5", "µ"))
        spacing = positive_number(str(tiff.imagej_metadata.get("spacing", "")))
        return spacing * scale if spacing and scale else None
    return positive_number(ome.get("spacing"))


def described_by(page: TiffPage, root: Element, pixels: Element) -> SourceInfo:
    """One picture of an image in an OME description, as one of one channel and one plane."""
    ome = _ome_facts(root, pixels)
    return SourceInfo(
        width=page.imagewidth,
        height=page.imagelength,
        channels=1,
        format="ome-tiff",
        source_bytes=0,
        properties={},
        plane_spacing_um=positive_number(ome.get("spacing")),
        mpp_x=positive_number(ome.get("mpp-x")),
        mpp_y=positive_number(ome.get("mpp-y")),
        objective_power=positive_number(ome.get("objective")),
        vendor=ome.get("vendor") or None,
    )


def _ome_facts(root: Element, pixels: Element | None = None) -> dict[str, str]:
    """mpp-x, mpp-y, spacing (micrometres), objective and vendor of an image, by default the first, as far as the
    OME-XML names them.
    """
    facts: dict[str, str] = {}
    pixels = root.find(".//{*}Pixels") if pixels is None else pixels
    for name, axis in (("mpp-x", "X"), ("mpp-y", "Y"), ("spacing", "Z")):
        size = positive_number(pixels.get(f"PhysicalSize{axis}")) if pixels is not None else None
        scale = MICROMETRES.get(pixels.get(f"PhysicalSize{axis}Unit", "µm")) if pixels is not None else None
        if size and scale:
            facts[name] = repr(size * scale)
    objective = root.find(".//{*}Objective")
    if objective is not None:
        facts["objective"] = objective.get("NominalMagnification", "")
    microscope = root.find(".//{*}Microscope")
    if microscope is not None:
        facts["vendor"] = microscope.get("Manufacturer", "").strip()
    return facts


def tag_texts(path: Path) -> dict[str, str]:
    """Every tag of the first page that contains text, by name. Raises UnreadableSource."""
    try:
        with TiffFile(path) as tiff:
            tags = {f"tiff.{tag.name}": tag.value for tag in tiff.pages.first.tags}
    except MemoryError:
        raise
    except Exception as error:  # tifffile meets hostile files with exceptions of every kind
        raise UnreadableSource(path, f"not a valid TIFF: {type(error).__name__}: {error}") from error
    return {name: value for name, value in tags.items() if isinstance(value, str)}

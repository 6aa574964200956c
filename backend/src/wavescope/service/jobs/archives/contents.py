"""The slide, or what becomes an overlay, among the files of an unpacked archive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from wavescope.errors import UnsupportedSource
from wavescope.service.jobs.uploads import safe_name
from wavescope.source.dicom.series import begins_as_dicom, count_slides
from wavescope.source.ome_zarr.metadata import V2, V3
from wavescope.store.durable import make_private_directory
from wavescope.store.exported.sinks import DOCUMENT
from wavescope.store.objects.contents import MANIFEST

COMPANIONS = (".mrxs", ".vms", ".vmu")  # slides that a reader opens by this file, which has others beside it
TEXTS = (".txt", ".md", ".csv", ".xml", ".json", ".pdf", ".html", ".log")  # no slide has a name like these
DIRECTORY = "DICOMDIR"  # the table of contents of DICOM media, not a part of a slide
SERIES = ".series"  # no upload has such a name: safe_name removes the dot


def source_in(archive: Path, folder: Path, paths: Sequence[PurePosixPath]) -> Path:
    """The slide among unpacked files: an exported one (SH25), the only file (texts aside), a MIRAX or Hamamatsu file,
    a Zarr group, the DICOM files of all folders in one folder, or the folder that has all files.

    ``paths`` are relative to ``folder``. Raises UnsupportedSource (no slide, or several), UnreadableSource.
    """
    export = next((path for path in sorted(paths, key=lambda path: len(path.parts)) if path.name == DOCUMENT), None)
    if export is not None and export.parent / MANIFEST in paths:
        return folder.joinpath(*export.parent.parts)
    if len(paths) == 1:
        return folder.joinpath(*paths[0].parts)
    groups = sorted((path.parent for path in paths if path.name in (*V2, V3)), key=lambda path: len(path.parts))
    if groups and all(path.is_relative_to(groups[0]) or path.suffix.lower() in TEXTS for path in paths):
        return folder.joinpath(*groups[0].parts)
    named = [path for path in paths if path.suffix.lower() in COMPANIONS]
    if len(named) == 1:
        return folder.joinpath(*named[0].parts)
    if len(named) > 1:
        raise UnsupportedSource(archive, f"the archive has {len(named)} slides; upload each by itself")
    dicom = [path for path in paths if path.name != DIRECTORY and begins_as_dicom(folder.joinpath(*path.parts))]
    if dicom:
        return _dicom_folder(archive, folder, sorted(dicom))
    others = [path for path in paths if path.suffix.lower() not in TEXTS]
    if len(others) == 1:
        return folder.joinpath(*others[0].parts)
    parents = {path.parent for path in paths}
    if len(parents) > 1:
        raise UnsupportedSource(
            archive, "the archive has files in several folders and is neither a DICOM nor a MIRAX slide"
        )
    return folder.joinpath(*parents.pop().parts)


def _dicom_folder(archive: Path, folder: Path, paths: Sequence[PurePosixPath]) -> Path:
    """Moves DICOM files of any folders into one. Those that have the same name get a number."""
    series = folder.with_name(SERIES)
    make_private_directory(series)
    uses = Counter(path.name.casefold() for path in paths)
    for number, path in enumerate(paths):
        name = path.name if uses[path.name.casefold()] == 1 else safe_name(f"{number:05}-{path.name}")
        folder.joinpath(*path.parts).rename(series / name)
    count = count_slides(series)
    if count > 1:
        raise UnsupportedSource(archive, f"the archive has {count} DICOM whole slides; upload each by itself")
    return series


def move_to_archive(source: Path, archive: Path) -> Path:
    """Replaces the archive by a source, with the files that belong to it; the new path of the source."""
    folder = archive.parent
    archive.unlink()
    if source.is_dir():
        placed = folder / safe_name(archive.stem)
        source.rename(placed)
        return placed
    if source.suffix.lower() not in COMPANIONS:
        return source.rename(folder / safe_name(source.name))
    placed = folder / safe_name(source.name)
    companions = source.with_suffix("")
    if source.suffix.lower() == ".mrxs":
        if companions.is_dir():
            companions.rename(placed.with_suffix(""))
        return source.rename(placed)
    for file in sorted(source.parent.iterdir()):  # a Hamamatsu file names the others
        if file.is_file() and file != source:
            file.rename(folder / safe_name(file.name))
    return source.rename(placed)

"""Columns of tables in Zarr, as AnnData writes them: arrays of one axis, and categories with codes."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import MissingPackage, SourceError, UnreadableSource
from wavescope.source.base import Limits
from wavescope.source.ome_zarr.chunks import Chunks, checked_codecs
from wavescope.source.ome_zarr.metadata import read_json
from wavescope.source.ome_zarr.with_zarr import require_zarr

MAX_ROWS = 1 << 25
TEXT_BYTES = 256
"""Of a text, on the average of a chunk, at most."""
Column = NDArray[Any]


def read_column(path: Path, folder: Path, limits: Limits) -> Column:
    """The values (n,) of a column; of categories their texts, None where there is none. ``path``: what the user named.
    Raises SourceError kinds, MissingPackage.
    """
    if (folder / "codes").is_dir():
        codes, names = (_array(path, folder / part, limits) for part in ("codes", "categories"))
        if len(codes) and not -1 <= codes.min() <= codes.max() < len(names):
            raise UnreadableSource(path, f"the codes of its column {folder.name} have no categories")
        texts: Column = np.array([*names.tolist(), None], object)[codes]
        return texts
    return _array(path, folder, limits)


def _array(path: Path, folder: Path, limits: Limits) -> Column:
    zarr = require_zarr("this table")
    try:
        found = {form: folder / name for form, name in ((3, "zarr.json"), (2, ".zarray"))}
        form = next((form for form, file in found.items() if file.is_file()), None)
        if form is None:
            raise UnreadableSource(path, f"its table has no column {folder.name}")
        document = read_json(path, found[form])
        checked_codecs(path, document)
        array = zarr.open_array(str(folder), mode="r", zarr_format=form)
        if len(array.shape) != 1 or array.shape[0] > MAX_ROWS:
            raise UnreadableSource(path, f"its column {folder.name} has the shape {array.shape}")
        chunks = Chunks(path, folder, document, array, limits)
        for key in itertools.product(
            *(range(-(-whole // part)) for whole, part in zip(array.shape, array.chunks, strict=True))
        ):
            chunks.check(key, TEXT_BYTES)
        values: Column = np.asarray(array[:])
    except (SourceError, MissingPackage, MemoryError):
        raise
    except Exception as error:  # zarr meets hostile files with exceptions of every kind
        raise UnreadableSource(path, f"its column {folder.name} is damaged: {type(error).__name__}: {error}") from error
    return values

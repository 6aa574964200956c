"""The blocks of a stored slide in bytes, as the model `system` reads them."""

from __future__ import annotations

from pathlib import Path

from wavescope.geometry import Address
from wavescope.store.reader import StoreReader

Parameters = dict[str, object]


def slide_parameters(store: Path, slide: str = "") -> Parameters:
    """Of the version ``slide``, or of the only one."""
    reader = StoreReader.open(store, slide or next((store / "slides").iterdir()).name)
    pyramid, levels = reader.manifest.pyramid, []
    for level in range(pyramid.top):
        columns, rows = pyramid.tiles(level)
        places = [Address(0, 0, level, x, y) for y in range(rows) for x in range(columns)]
        levels.append([sum(reader.layer_lengths(place)) for place in places])
    sizes = [size for level in levels for size in level]
    return {
        "slide_width": pyramid.width,
        "slide_height": pyramid.height,
        "layers": reader.manifest.layers,
        "block_bytes": round(sum(sizes) / len(sizes)),
        "block_sizes": levels,
    }


def slide_toml(title: str, parameters: Parameters) -> str:
    """A file for ``times``."""
    lines = [f"# {title}", *(f"{name} = {value}" for name, value in parameters.items() if name != "block_sizes")]
    levels = parameters["block_sizes"]
    assert isinstance(levels, list)
    return "\n".join([*lines, "block_sizes = [", *(f"  {level}," for level in levels), "]"]) + "\n"

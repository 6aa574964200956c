"""Measurements as CSV (AN19): one row an object, UTF-8 with a byte order mark, as spreadsheets want it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from wavescope.annotations.document import Exported
from wavescope.annotations.measure import Mpp, measure

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run what begins with these


def write_csv(objects: Iterable[Exported], mpp: Mpp | None) -> str:
    """The table. Positions in level-0 pixels, lengths and areas in the unit that the header names."""
    unit = "um" if mpp else "px"
    header = ["id", "kind", "class", "name", "text", "plane", "x_px", "y_px", "width_px", "height_px", "vertices"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*header, f"length_{unit}", f"area_{unit}2", "angle_deg", "created", "updated", "author"])
    for one in objects:
        content = one.content
        box, measures = content.geometry.box(), measure(content, mpp)
        words = map(harmless, (content.class_name, content.name, content.text))
        numbers = (box.min_x, box.min_y, box.width, box.height)
        writer.writerow(
            [one.id, content.kind, *words, content.plane.z]
            + [f"{number:.2f}" for number in numbers]
            + [content.geometry.vertices]
            + ["" if number is None else f"{number:.3f}" for number in measures]
            + [one.created, one.updated, harmless(one.author)]
        )
    return "\ufeff" + out.getvalue()


def harmless(text: str) -> str:
    """Text that no spreadsheet interprets as a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text

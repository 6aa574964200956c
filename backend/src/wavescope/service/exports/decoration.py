"""What is drawn on an exported picture (WI145): its annotations, and a caption and a scale bar in a strip below it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from wavescope.annotations.content import Color, Content
from wavescope.annotations.geometry import Positions
from wavescope.service.exports.plan import ExportPlan

PLAIN: Color = (255, 214, 10)
"""Of an annotation without a class of its own colour, as the page draws it."""
WHITE, INK = (255, 255, 255), (27, 28, 32)
USUAL_SIDE = 900
"""The longer side of a picture whose lines are two pixels wide; those of larger pictures are wider."""
STRIP, MARGIN, BAR, FONT = 44, 14, 220, 14
"""Of a picture of the usual size, in pixels: height of the strip, margins, longest bar, height of letters."""


@dataclass(frozen=True)
class Marks:
    """The annotations of a slide, with the colours of their classes."""

    contents: Sequence[Content]
    classes: Mapping[str, Color]


def decorated(image: Image.Image, plan: ExportPlan, marks: Marks | None) -> Image.Image:
    """The picture with what the plan asks for."""
    unit = max(1, round(max(image.size) / USUAL_SIDE))
    if marks is not None:
        image = image.convert("RGB")
        _draw(ImageDraw.Draw(image), plan, marks, unit)
    return _with_strip(image, plan, unit) if plan.has_strip else image


def _draw(pen: ImageDraw.ImageDraw, plan: ExportPlan, marks: Marks, unit: int) -> None:
    region = plan.region
    scale = 1 << region.level
    for content in marks.contents:
        box = content.geometry.box()
        right, bottom = (region.ln_x + region.width) * scale, (region.ln_y + region.height) * scale
        outside = box.max_x < region.ln_x * scale or box.max_y < region.ln_y * scale
        if outside or box.min_x > right or box.min_y > bottom:
            continue
        parts = [part / scale - (region.ln_x, region.ln_y) for part in content.geometry.parts]
        colour = content.color or marks.classes.get(content.class_name) or PLAIN
        _shape(pen, content, parts, colour, unit)


def _shape(pen: ImageDraw.ImageDraw, content: Content, parts: list[Positions], colour: Color, unit: int) -> None:
    if content.kind == "text":
        at = (float(parts[0][0][0]), float(parts[0][0][1]))
        words = content.text or content.name
        pen.text(at, words, colour, _font(unit), stroke_width=unit, stroke_fill=INK)
        return
    for part in parts:
        if content.kind == "ellipse":
            corners = [tuple(part.min(axis=0)), tuple(part.max(axis=0))]
            pen.ellipse(corners, outline=colour, width=2 * unit)
        elif content.kind == "point":
            for x, y in part.tolist():
                pen.circle((x, y), 5 * unit, outline=colour, width=2 * unit)
        else:
            pen.line([tuple(at) for at in part.tolist()], colour, 2 * unit, joint="curve")
    if content.kind == "arrow" and len(parts[0]) > 1:
        _head(pen, parts[0], colour, unit)


def _head(pen: ImageDraw.ImageDraw, line: Positions, colour: Color, unit: int) -> None:
    (from_x, from_y), (x, y) = line[-2].tolist(), line[-1].tolist()
    angle = math.atan2(y - from_y, x - from_x)
    sides = [(x - 12 * unit * math.cos(angle + turn), y - 12 * unit * math.sin(angle + turn)) for turn in (-0.5, 0.5)]
    pen.polygon([(x, y), *sides], colour)


def _with_strip(image: Image.Image, plan: ExportPlan, unit: int) -> Image.Image:
    """The caption stands at the left, as much of it as fits, the bar at the right with its length above it."""
    width, height = image.size
    strip = STRIP * unit
    out = Image.new("RGB", (width, height + strip), WHITE)
    out.paste(image, (0, 0))
    pen = ImageDraw.Draw(out)
    right: float = width - MARGIN * unit
    if plan.scale_bar:
        right = _bar(pen, plan, (right, height + strip - 10 * unit), unit) - MARGIN * unit
    text, font = plan.caption, _font(unit)
    while text and pen.textlength(text, font) > right - MARGIN * unit:
        text = text[:-2].rstrip() + "…" if len(text) > 2 else ""
    pen.text((MARGIN * unit, height + strip / 2), text, INK, font, anchor="lm")
    return out


def _bar(pen: ImageDraw.ImageDraw, plan: ExportPlan, end: tuple[float, float], unit: int) -> float:
    """Draws the scale bar to its lower right end; where what it takes begins."""
    right, base = end
    length, label = scale_bar(plan, min(BAR * unit, plan.region.width // 2))
    left = right - length
    pen.line([(left, base - 8 * unit), (left, base), (right, base), (right, base - 8 * unit)], INK, 2 * unit)
    pen.text(((left + right) / 2, base - 8 * unit), label, INK, _font(unit), anchor="mb")
    return min(left, (left + right - pen.textlength(label, _font(unit))) / 2)


def scale_bar(plan: ExportPlan, max_length: int) -> tuple[float, str]:
    """The longest round length that fits into ``max_length`` pixels: in pixels of the picture, and as people read it.
    Of a slide without a scale: in level-0 pixels.
    """
    per_centimetre = plan.centimetre
    per_unit = per_centimetre[0] / 1e4 if per_centimetre else 1 / (1 << plan.region.level)
    longest = max_length / per_unit
    power = 10.0 ** math.floor(math.log10(longest))
    value = max(step * power for step in (1, 2, 5) if step * power <= longest * (1 + 1e-9))
    if per_centimetre is None:
        return value * per_unit, f"{value:,g} px"
    number, unit = (value / 1000, "mm") if value >= 1000 else (value, "µm") if value >= 1 else (value * 1000, "nm")
    return value * per_unit, f"{number:g} {unit}"


def _font(unit: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(FONT * unit)

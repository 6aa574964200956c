"""W3C Web Annotations, both ways (AN18).

Boxes are ``FragmentSelector`` ``xywh=pixel:``, everything else is an ``SvgSelector``, before which a single point has a
``PointSelector``, of whole pixels. The class is a body
with the purpose ``tagging``, the name one with ``identifying``, the text one with ``commenting``. What the vocabulary
lacks stands in members of our own, ``wavescope:kind``, ``wavescope:color`` and ``wavescope:plane``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from wavescope.annotations.content import (
    DEFAULT_PLANE,
    KINDS,
    TEXT_LENGTH,
    Color,
    Content,
    Kind,
    kind_fits,
    line_of,
    parse_color,
    parse_plane,
    text_of,
)
from wavescope.annotations.document import Exported, Found, Reading, load_json, members
from wavescope.annotations.geometry import Box, Geometry, excerpt, parse_geometry, rectangle
from wavescope.annotations.qupath import UUID
from wavescope.annotations.svg import NUMBER, read_svg, write_svg
from wavescope.errors import InvalidParameter, TooLarge

CONTEXT = ["http://www.w3.org/ns/anno.jsonld", {"wavescope": "urn:wavescope:"}]
MEDIA_FRAGMENTS = "http://www.w3.org/TR/media-frags/"
XYWH = re.compile(rf"(?:.*[#&])?xywh=(?:pixel:)?({NUMBER}),({NUMBER}),({NUMBER}),({NUMBER})")


def write_page(
    objects: Iterable[Exported], classes: Mapping[str, Color], source: str, context: object = CONTEXT
) -> dict[str, Any]:
    """An AnnotationPage about ``source``, the IRI of the slide or of its canvas."""
    items = [_annotation(one, classes, source) for one in objects]
    return {"@context": context, "id": f"{source}/annotations", "type": "AnnotationPage", "items": items}


def read_page(body: bytes) -> Reading:
    """An AnnotationPage, one Annotation or a bare list. Raises InvalidParameter if it is none of them."""
    document = load_json(body)
    first = document.get("first") if isinstance(document, dict) else None  # an AnnotationCollection
    reading = Reading()
    for place, item in enumerate(members(first if isinstance(first, dict) else document, "items", "Annotation")):
        try:
            reading.found.append(_read_annotation(item))
        except (InvalidParameter, TooLarge) as fault:
            reading.skip(place, str(fault))
    return reading


def _annotation(one: Exported, classes: Mapping[str, Color], source: str) -> dict[str, Any]:
    content = one.content
    bodies = [("tagging", content.class_name), ("identifying", content.name), ("commenting", content.text)]
    written: dict[str, Any] = {
        "id": f"{source}/annotations/{one.id}",
        "type": "Annotation",
        "motivation": "commenting" if content.text else "tagging",
        "body": [
            {"type": "TextualBody", "purpose": purpose, "value": value, "format": "text/plain"}
            for purpose, value in bodies
            if value
        ],
        "target": {"type": "SpecificResource", "source": source, "selector": _selector(content)},
        "created": one.created,
        "modified": one.updated,
        "creator": {"type": "Person", "name": one.author},
        "wavescope:kind": content.kind,
    }
    color = content.color or classes.get(content.class_name)
    if color is not None:
        written["wavescope:color"] = list(color)
    if content.plane != DEFAULT_PLANE:
        written["wavescope:plane"] = content.plane._asdict()
    return written


def _selector(content: Content) -> dict[str, Any] | list[dict[str, Any]]:
    box = content.geometry.box()
    if content.kind == "rectangle":
        numbers = (f"{value:.15g}" for value in (box.min_x, box.min_y, box.width, box.height))
        value = f"xywh=pixel:{','.join(numbers)}"
        return {"type": "FragmentSelector", "conformsTo": MEDIA_FRAGMENTS, "value": value}
    shape = {"type": "SvgSelector", "value": write_svg(content)}
    if content.geometry.type != "Point":
        return shape
    x, y = (max(1, round(value)) for value in (box.min_x, box.min_y))  # the consortium's schema has no 0
    return [{"type": "PointSelector", "x": x, "y": y}, shape]


def _read_annotation(item: object) -> Found:
    if not isinstance(item, dict) or "target" not in item:
        raise InvalidParameter("annotation", excerpt(item), "an object with a target")
    kind, geometry = _shape_of(item["target"])
    stated_kind = item.get("wavescope:kind")
    for known in KINDS:
        if known == stated_kind and kind_fits(known, geometry):
            kind = known
    if not kind_fits(kind, geometry):
        raise InvalidParameter("target", f"the shape of a flat {kind}", "a width and a height that are not zero")
    bodies = _bodies(item.get("body"))
    color = parse_color(item.get("wavescope:color"))
    plane = parse_plane(item.get("wavescope:plane"))
    content = Content(kind, geometry, plane, bodies["name"], bodies["text"], bodies["class"], color)
    found_id = re.split(r"^urn:uuid:|/", str(item.get("id") or ""))[-1]
    return Found(found_id if UUID.fullmatch(found_id) else "", content)


def _bodies(value: object) -> dict[str, str]:
    """Class, name and text. A body without a purpose is text; several texts become paragraphs."""
    found: dict[str, list[str]] = {"class": [], "name": [], "text": []}
    for body in value if isinstance(value, list) else [value]:
        if isinstance(body, str):
            found["text"].append(body)
        elif isinstance(body, dict) and isinstance(body.get("value"), str):
            purpose = body.get("purpose")
            place = {"tagging": "class", "classifying": "class", "identifying": "name"}.get(str(purpose), "text")
            found[place].append(body["value"])
    return {
        "class": line_of("class", " ".join(", ".join(found["class"]).split())),
        "name": line_of("name", " ".join(", ".join(found["name"]).split())),
        "text": text_of("text", "\n\n".join(found["text"]), TEXT_LENGTH),
    }


def _shape_of(target: object) -> tuple[Kind, Geometry]:
    if isinstance(target, list):
        target = target[0] if target else None
    if isinstance(target, str):
        return _fragment(target)
    selectors = target.get("selector") if isinstance(target, dict) else None
    given = [one for one in (selectors if isinstance(selectors, list) else [selectors]) if isinstance(one, dict)]
    for kind, read in (("SvgSelector", read_svg), ("FragmentSelector", _fragment)):
        for selector in given:
            if selector.get("type") == kind and isinstance(selector.get("value"), str):
                return read(selector["value"])
    for selector in given:
        if selector.get("type") == "PointSelector":
            place = [selector.get("x"), selector.get("y")]
            return "point", parse_geometry({"type": "Point", "coordinates": place})
    raise InvalidParameter("target", excerpt(target), "a FragmentSelector, an SvgSelector or a PointSelector")


def _fragment(text: str) -> tuple[Kind, Geometry]:
    found = XYWH.fullmatch(text)
    if found is None:
        raise InvalidParameter("FragmentSelector", excerpt(text), "xywh=pixel:x,y,w,h")
    x, y, width, height = map(float, found.groups())
    if width == 0 and height == 0:
        return "point", parse_geometry({"type": "Point", "coordinates": [x, y]})
    if width <= 0 or height <= 0:
        raise InvalidParameter("FragmentSelector", excerpt(text), "a width and a height that are not zero")
    return "rectangle", rectangle(Box(x, y, x + width, y + height))

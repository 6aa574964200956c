"""Examples of bodies: chosen ones for requests, for all others one that their schema allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

RECTANGLE = {
    "type": "Polygon",
    "coordinates": [[[1200, 800], [1900, 800], [1900, 1300], [1200, 1300], [1200, 800]]],
}
ANNOTATION = {"kind": "rectangle", "geometry": RECTANGLE, "name": "Margin", "class": "Tumour"}
WAYPOINT = {"id": "w1", "title": "Overview", "view": {"l0_x": 0, "l0_y": 0, "l0_width": 4000, "l0_height": 3000}}
TOUR = {"title": "Ten fields", "waypoints": [WAYPOINT]}
QUESTION = {
    "id": "q1", "kind": "point", "text": "Click a mitosis.", "view": WAYPOINT["view"],
    "key": {"l0_x": 1540, "l0_y": 920, "l0_radius": 60},
}  # fmt: skip
QUIZ = {"title": "Mitoses", "questions": [QUESTION]}
MIXES = {"mixes": [{"name": "T cells", "channels": {"c2": [0xFF0000, 120, 4000, 100]}}]}
SEEN = {"views": [[12000, 8400, 2732, 1534, 0, 0.5, 4.2, 1]], "at": [13366, 9167], "reviewed": 1780000000}
PLATFORM = {
    "title": "Moodle", "issuer": "https://moodle.example", "client_id": "wavescope", "deployments": ["1"],
    "authorize_url": "https://moodle.example/authorize", "token_url": "https://moodle.example/token",
    "keys_url": "https://moodle.example/keys",
}  # fmt: skip
BODIES: Mapping[str, Any] = {
    "put_annotation": ANNOTATION,
    "change_annotations": {"changes": [{"id": "3f1b9c52", "revision": 0, "content": ANNOTATION}]},
    "set_annotation_classes": {"classes": {"Tumour": [200, 0, 0]}},
    "save_comment": {"annotation": "3f1b9c52", "text": "@Anna Are these mitoses?"},
    "read_comments": {"annotation": "3f1b9c52", "sequence": 12},
    "create_tour": TOUR,
    "save_tour": TOUR,
    "create_quiz": QUIZ,
    "save_quiz": QUIZ,
    "mark_answer": {"points": 2, "comment": "The grade is missing."},
    "save_answer": {"answer": {"kind": "point", "l0_x": 1538, "l0_y": 915}},
    "save_mixes": MIXES,
    "save_coverage": {**SEEN, "consent": True},
    "share_coverage": {"shared": True},
    "add_platform": PLATFORM,
    "change_overlay": {"name": "Nuclei"},
    "change_slide": {"title": "Biopsy 7", "tags": {"stain": "HE"}},
    "tag_slides": {"slides": ["biopsy-7", "biopsy-8"], "tags": {"stain": "HE", "block": None}},
    "post_batch": {"blocks": [[0, 0, 2, 4, 3, 0, 1]]},
    "put_calibration": {"um_per_pixel": 0.25},
    "create_case": {"title": "Case 12", "slides": ["biopsy-7"]},
    "create_slide_link": {"right": "view", "title": "For the second opinion", "seconds": 604800},
    "create_case_link": {"right": "view", "title": "For the second opinion", "seconds": 604800},
    "create_session": {"slides": ["biopsy-7"], "nickname": "Dr. Adam"},
}
RESPONSES: Mapping[str, Any] = {
    "get_entries": {"entries": [], "chunk": 0, "chunks": 1},  # an entry is a page long
    "get_mixes": {"revision": 2, **MIXES},
    "save_mixes": {"revision": 2, **MIXES},
    "get_coverage": SEEN,
}
NAMED: Mapping[str, Any] = {
    "title": "Biopsy 7",
    "name": "vera",
    "password": "correct horse battery staple",
    "nickname": "Vera",
    "csv": "name,title\nvera,Vera Weber\n",
    "slide": "biopsy-7",
    "digest": "9f2c4a7be1d05583",
}
TEXTS = {"date-time": "2026-01-15T09:30:00Z", "binary": ""}


class Sampler:
    """Makes values that schemas allow. ``definitions``: the component schemas, by name."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions

    def value(self, schema: Schema, name: str = "") -> Any:
        """A value of a schema; ``name``: that of the member that has it."""
        if "$ref" in schema:
            return self.value(self._definitions[schema["$ref"].rpartition("/")[2]], name)
        for key in ("const", "default", "example"):
            if key in schema and schema[key] is not None:
                return schema[key]
        if "enum" in schema:
            return schema["enum"][0]
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return self.value(schema[key][0], name)
        return self._of_type(schema, name)

    def _of_type(self, schema: Schema, name: str) -> Any:
        match schema.get("type"):
            case "object":
                members, required = schema.get("properties", {}), schema.get("required", ())
                return {member: self.value(members[member], member) for member in members if member in required}
            case "array":
                if "prefixItems" in schema:
                    return [self.value(item) for item in schema["prefixItems"]]
                return [self.value(schema.get("items", {}))] * max(1, schema.get("minItems", 1))
            case "integer" | "number":
                return max(schema.get("minimum", 1), schema.get("exclusiveMinimum", 0) + 1, 1)
            case "boolean":
                return True
            case "null":
                return None
            case "string":
                return TEXTS.get(schema.get("format", "")) or NAMED.get(name, "0f8d4a1c")
        return {}


def describe_bodies(name: str, operation: dict[str, Any], sampler: Sampler) -> None:
    """Adds an example to each JSON body of an operation that has none."""
    request = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if request is not None:
        request.setdefault("example", BODIES[name] if name in BODIES else sampler.value(request["schema"]))
    for status, response in operation["responses"].items():
        content = response.get("content", {}).get("application/json")
        if status.startswith("2") and content is not None and "example" not in content:
            content["example"] = RESPONSES[name] if name in RESPONSES else sampler.value(content["schema"])

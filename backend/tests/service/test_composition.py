"""The composition: parts are made complete by their constructors, and routes know only the parts that they use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import wavescope

SOURCE = Path(wavescope.__file__).parent
FRAMEWORK = {
    "app.state.api",
    "app.state.forwarder",
    "app.state.repeated_blocks",
    "app.router.default",
    "route.app",
    "self.server_state.total_requests",
}
"""Of applications: what Starlette expects to be set. Of routes: ``app``, as Starlette sets it for their middleware.
Of a server: what uvicorn counts."""


def assigned(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of every assignment to an attribute of something else than ``self``."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets):
                pass
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                targets = [target]
            case _:
                continue
        for one in targets:
            for part in one.elts if isinstance(one, ast.Tuple | ast.List) else (one,):
                if isinstance(part, ast.Attribute) and ast.unparse(part.value) not in ("self", "cls"):
                    yield node.lineno, ast.unparse(part)


def files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((SOURCE / folder).rglob("*.py"))]


def test_no_attribute_of_another_object_is_assigned_in_service_and_api() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line} {text}"
        for path in files("service", "api")
        for line, text in assigned(ast.parse(path.read_text()))
        if text not in FRAMEWORK
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("self.a = 1", []),
        ("self.a, self.b = 1, 2", []),
        ("self.a.b = 1", ["self.a.b"]),
        ("one.a, self.b = other.b = 1", ["one.a", "other.b"]),
        ("one.count += 1", ["one.count"]),
        ("one.a: int = 1", ["one.a"]),
    ],
)
def test_such_an_assignment_is_found(source: str, texts: list[str]) -> None:
    assert [text for _, text in assigned(ast.parse(source))] == texts


def test_only_fast_routes_see_all_parts_of_the_service() -> None:
    """Others declare the parts that they use, see ``wavescope.api.parameters``."""
    knowing = {
        str(path.relative_to(SOURCE / "api" / "routes"))
        for path in files("api/routes")
        if "services_of" in path.read_text() or "Services" in path.read_text()
    }
    slides = {f"slides/{name}.py" for name in ("blocks", "pixels", "current_version", "overlay_tiles")}
    dicom = {f"dicom_{part}" for part in ("frames", "paths", "retrieve", "search")}
    assert knowing == slides | {
        f"protocols/{name}.py" for name in ("deep_zoom", "iiif", "iiif_current", "ome_zarr", *dicom)
    }

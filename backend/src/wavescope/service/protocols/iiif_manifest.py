"""Manifests of the IIIF Presentation API 3: a slide, or a case with its slides (IF10, IF11, IF15)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wavescope.catalog.records import CaseRecord, SlideRecord

CONTEXT = "http://iiif.io/api/presentation/3/context.json"
THUMBNAIL = 256

AddressOf = Callable[[str, str | None], str]
"""The address of a slide, or of a version of it."""


def slide_manifest(slide: SlideRecord, manifest_id: str, address_of: AddressOf) -> dict[str, Any]:
    """A manifest with one canvas."""
    return _manifest(manifest_id, slide.title, [slide], address_of)


def case_manifest(case: CaseRecord, manifest_id: str, address_of: AddressOf) -> dict[str, Any]:
    """A manifest with a canvas for each slide, in their order."""
    return _manifest(manifest_id, case.title, case.slides, address_of)


def _manifest(manifest_id: str, title: str, slides: Sequence[SlideRecord], address_of: AddressOf) -> dict[str, Any]:
    return {
        "@context": CONTEXT,
        "id": manifest_id,
        "type": "Manifest",
        "label": {"none": [title]},
        "behavior": ["individuals"],
        "items": [_canvas(slide, address_of) for slide in slides],
    }


def _canvas(slide: SlideRecord, address_of: AddressOf) -> dict[str, Any]:
    """In level-0 pixels of the slide's current version; its annotations are those of the slide."""
    version = address_of(slide.id, slide.digest)
    canvas = f"{address_of(slide.id, None)}/iiif/canvas"
    shape = {"width": slide.manifest["width"], "height": slide.manifest["height"]}
    picture = _painted_image(slide, version, shape)
    painting = {
        "id": f"{canvas}/painting",
        "type": "Annotation",
        "motivation": "painting",
        "target": canvas,
        "body": picture,
    }
    thumbnail = f"{version}/thumbnail?max={THUMBNAIL}&format=jpg"
    return {
        "id": canvas,
        "type": "Canvas",
        "label": {"none": [slide.title]},
        **shape,
        "metadata": _metadata(slide),
        "thumbnail": [{"id": thumbnail, "type": "Image", "format": "image/jpeg"}],
        "items": [{"id": f"{canvas}/page", "type": "AnnotationPage", "items": [painting]}],
        "annotations": [{"id": f"{canvas}/annotations", "type": "AnnotationPage"}],
    }


def _painted_image(slide: SlideRecord, version: str, shape: Mapping[str, int]) -> dict[str, Any]:
    """The image of a canvas; of several focal planes a choice, the middle one first (IF15)."""
    planes, spacing = slide.manifest["planes"], slide.manifest.get("plane_spacing_um")
    if planes == 1:
        return _image(version, "", shape)
    middle = planes // 2
    order = sorted(range(planes), key=lambda z: (z != middle, z))
    labels = [f"Focal plane {z + 1} of {planes}{_distance(z - middle, spacing)}" for z in order]
    images = [_image(version, f"/planes/{z}", shape) for z in order]
    items = [{**image, "label": {"en": [label]}} for image, label in zip(images, labels, strict=True)]
    return {"type": "Choice", "items": items}


def _distance(planes: int, spacing: float | None) -> str:
    """From the middle plane."""
    return "" if spacing is None else f" ({planes * spacing:+.4g} µm)"


def _image(version: str, plane: str, shape: Mapping[str, int]) -> dict[str, Any]:
    image = f"{version}/iiif/3{plane}"
    second = f"{version}/iiif/2{plane}"
    service = [
        {"id": image, "type": "ImageService3", "profile": "level2"},
        {"@id": second, "@type": "ImageService2", "profile": "http://iiif.io/api/image/2/level2.json"},
    ]
    picture = f"{image}/full/max/0/default.jpg"
    return {"id": picture, "type": "Image", "format": "image/jpeg", **shape, "service": service}


def _metadata(slide: SlideRecord) -> list[dict[str, Any]]:
    """What is known of the scale, and the labels that users have added."""
    facts: dict[str, str] = {}
    if slide.mpp is not None:
        facts["Micrometres per pixel"] = f"{slide.mpp['x']:.4g} x {slide.mpp['y']:.4g}"
    power = slide.manifest.get("objective_power")
    if power is not None:
        facts["Objective"] = f"{power:g}x"
    facts |= slide.tags
    return [{"label": {"none": [name]}, "value": {"none": [value]}} for name, value in facts.items()]

"""The JSON on the wire, as types: OpenAPI, and from it the clients' types, are made of these."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from wavescope.access.principal import Principal
from wavescope.api.routing import API
from wavescope.api.schemas.advice import WindowView
from wavescope.api.schemas.numbers import Channels, Count, Layers, Levels, Planes, Side
from wavescope.api.schemas.scale import Mpp, ScaleView, scale_view
from wavescope.catalog.records import Facet, SlidePage, SlideRecord
from wavescope.geometry import Pyramid
from wavescope.quality_maps.findings import Notable
from wavescope.service.slides.slides import SlideAccess, may_edit


class FindingsView(BaseModel):
    """What a scan was found to have, as shares of 0 to 1 (QM9)."""

    tissue: float = Field(description="of the slide, without ink and bubbles")
    judged: float = Field(description="of the tissue: its focus was judged")
    blurred: float = Field(description="of the judged tissue: it is out of focus")
    pen: float = Field(description="under ink, of tissue, ink and bubbles together")
    bubbles: float = Field(description="under air bubbles, of the same")
    notable: list[Notable] = Field(description="which of these shares are worth a word (QM11)")


class SlideSummary(BaseModel):
    """A slide in a listing."""

    id: str
    title: str
    digest: str
    created: datetime
    updated: datetime
    status: Literal["ready"] = "ready"
    url: str = Field(description="the path below which everything of this version is served")
    thumbnail: str = Field(description="a path; the parameter max=N can be added")
    width: Side
    height: Side
    levels: Levels
    planes: Planes
    channels: Channels
    layers: Layers
    profile: str
    mpp: Mpp | None
    scale: ScaleView | None = Field(description="where mpp is from (WI80); null: it is not known")
    objective_power: float | None
    vendor: str | None
    bytes: list[list[Count]] = Field(description="stored bytes per level and layer")
    tags: dict[str, str] = Field(description="key-value pairs that users have added")
    findings: FindingsView | None = Field(default=None, description="of its scan (QM11); null: it was not judged")


class ListedSlide(SlideSummary):
    """A slide as the requesting principal sees it (WI6)."""

    editable: bool = Field(description="whether the user may rename, tag, share and delete it")


class LevelSize(BaseModel):
    """A level in its own pixels and tiles."""

    level: int
    width: int
    height: int
    tiles_x: int
    tiles_y: int


def _with_fingerprint(schema: dict[str, Any]) -> None:
    """Describes a member that slides of older ingests lack, and whose answers stay without it."""
    schema["properties"]["fingerprint"] = {"type": "string", "description": "of the file's content"}


class SourceView(BaseModel):
    """The source file of the slide."""

    model_config = ConfigDict(extra="allow", json_schema_extra=_with_fingerprint)
    name: str
    format: str
    bytes: int
    tile_bytes: int | None


class QualityView(BaseModel):
    """What ingest measured (ST60)."""

    tiles: Count = Field(description="tiles that were measured")
    psnr: list[list[float | None]] = Field(description="dB per level and layer; 99: no difference; null: not measured")
    sigma: list[list[float | None]] | None = Field(
        default=None,
        description="of channels, per level and layer: the error in standard deviations of their noise (ST113)",
    )


class ChosenView(BaseModel):
    """How the encode parameters were chosen (ST66)."""

    quality: str = Field(
        description="as requested: a preset's name, a PSNR such as 40dB, or of channels an error such as 0.3sigma"
    )
    reason: str
    target: float | None = Field(description="dB of level 0, if a PSNR was requested")
    factor: float | None = Field(
        description="of the table's steps, of channels the steps in deviations of noise; null: lossless"
    )
    psnr: float = Field(description="dB of level 0, of the sample")
    measure: str
    score: float
    reencoded: list[str] = Field(description="digests of the versions before, the first first: their losses add up")


class EmptinessView(BaseModel):
    """Which blocks of a plane are stored (ST61)."""

    plane: Count
    runs: list[list[Count]] = Field(
        description="per level, row by row, lengths of runs in turn of stored and empty blocks"
    )


class OriginalView(BaseModel):
    """The stored original file of a slide (ST90)."""

    name: str
    bytes: Count
    files: Count = Field(description="1: the file itself; more: it is a ZIP of so many files")
    sha256: str


class RangeView(BaseModel):
    """Two samples, ``low`` < ``high``."""

    low: int
    high: int


class DisplayView(RangeView):
    """How the default mix shows a channel (CM1 to CM5)."""

    gamma: int = Field(description="in hundredths")
    on: bool


class NoiseView(BaseModel):
    """The variance of a value v is read^2 + gain * max(0, v - black) (ST113)."""

    black: int
    gain: float
    read: float


class ChannelView(BaseModel):
    """A channel, as stored (ST111)."""

    name: str
    colour: str = Field(description="RRGGBB")
    bits: int = Field(description="of a sample of the source")
    significant_bits: int
    signed: bool
    emission_nm: float | None
    excitation_nm: float | None
    exposure_ms: float | None
    window: RangeView | None = Field(
        description="which samples of the source are stored as 0 and 255, of older imports; null: as they are"
    )
    display: DisplayView
    noise: NoiseView | None = None


class ManifestView(ListedSlide):
    """A slide with everything a viewer needs (WI7)."""

    model_config = ConfigDict(extra="allow")
    format: Literal["wavescope"]
    version: str
    tile: int
    plane_spacing_um: float | None
    icc: bool
    codec: dict[str, Any]
    parameters: list[list[str]] = Field(
        description="parameter sets of the codestream in hexadecimal, by level and channel group (CS9)"
    )
    channel_groups: int
    bit_depth: int
    signed: bool
    index_page: int
    source: SourceView
    sizes: list[LevelSize]
    allowed: list[str] = Field(description="what the user may do with the slide: actions of the table of access.md")
    original: OriginalView | None = Field(default=None, description="null: not stored, or not for the user (WI132)")
    quality: QualityView | None = Field(default=None, description="absent from slides of older ingests")
    chosen: ChosenView | None = Field(default=None, description="absent from slides of older ingests")
    empty: EmptinessView | None = Field(default=None, description="null: read the layer index")
    window: WindowView | None = Field(
        default=None, description="of colour with 16 bits, and of grey in slides of older imports; null: none"
    )
    channel_descriptions: list[ChannelView] | None = Field(
        default=None, description="of each channel; null: the pixels are a picture of RGB or 8-bit grey"
    )


class PreviewView(BaseModel):
    """A slide that is being ingested, in the form of a manifest (WI48)."""

    id: str = Field(description="the job's")
    title: str
    digest: str
    preview: Literal[True] = True
    url: str
    thumbnail: str
    width: Side
    height: Side
    tile: Literal[256] = 256
    levels: Levels
    planes: Planes
    channels: Channels
    layers: Literal[1] = 1
    profile: Literal["preview"] = "preview"
    mpp: Mpp | None
    objective_power: float | None
    vendor: str | None
    tags: dict[str, str] = {}


class SlideList(BaseModel):
    """A page of the catalog (WI6)."""

    slides: list[ListedSlide]
    total: Count
    page: int
    pages: int
    per_page: int


class SlideChange(BaseModel):
    """The fields of a slide that can be changed. A tag that is null is removed."""

    model_config = ConfigDict(extra="forbid")
    title: str | None = Field(default=None, min_length=1, max_length=400)
    tags: dict[str, str | None] = {}


class TagsChange(BaseModel):
    """Tags for several slides. One that is null is removed."""

    model_config = ConfigDict(extra="forbid")
    slides: list[Annotated[str, Field(min_length=1, max_length=128)]] = Field(min_length=1, max_length=1000)
    tags: dict[str, str | None] = Field(min_length=1)


class FacetValueView(BaseModel):
    """A label value, the text to show for it, and how many slides have it."""

    value: str
    title: str
    count: Count


class FacetView(BaseModel):
    """A kind of label (WI39)."""

    name: str
    values: list[FacetValueView]


class FacetList(BaseModel):
    """All kinds of labels of a search (WI39)."""

    facets: list[FacetView]


class BatchBody(BaseModel):
    """The blocks that a batch requests (WI17)."""

    blocks: list[tuple[int, int, int, int, int, int, int]] = Field(
        min_length=1, max_length=4096, description="[z, c, level, x, y, from, to]"
    )


class Readiness(BaseModel):
    """Whether the service can do its work."""

    status: Literal["ready"]
    disk: Literal["ok", "low", "full"] = Field(description="the space of the store; full: uploads are refused (OP22)")
    catalog: Literal["ok", "away"] = Field(description="away: a node of a cluster waits for its database (CL18)")


def slide_url(record: SlideRecord) -> str:
    """The path of the slide's current version."""
    return f"{API}/slides/{record.id}/v/{record.digest}"


def _common(record: SlideRecord) -> dict[str, Any]:
    url = slide_url(record)
    return {
        **record.manifest,
        "id": record.id,
        "title": record.title,
        "digest": record.digest,
        "created": time_of(record.created),
        "updated": time_of(record.updated),
        "url": url,
        "thumbnail": f"{url}/thumbnail",
        "tags": dict(record.tags),
        "mpp": record.mpp,
        "scale": scale_view(record),
        "findings": record.findings and {**record.findings.to_json(), "notable": record.findings.notable},
    }


def _slide_fields(record: SlideRecord, principal: Principal) -> dict[str, Any]:
    return {**_common(record), "editable": may_edit(principal, record)}


def summary(record: SlideRecord) -> SlideSummary:
    """A slide for a listing."""
    return SlideSummary.model_validate(_common(record))


def slide_list(page: SlidePage, principal: Principal) -> SlideList:
    """A page of the catalog."""
    slides = [ListedSlide.model_validate(_slide_fields(record, principal)) for record in page.slides]
    return SlideList(slides=slides, total=page.total, page=page.page, pages=page.pages, per_page=page.page_size)


def facet_list(facets: Sequence[Facet]) -> FacetList:
    """Facets as served."""
    views = [FacetView(name=one.name, values=[FacetValueView(**vars(value)) for value in one.values]) for one in facets]
    return FacetList(facets=views)


def manifest_view(record: SlideRecord, principal: Principal, shown: SlideAccess) -> ManifestView:
    """The manifest as served; ``shown``: what of the slide depends on the principal."""
    pyramid = Pyramid(record.manifest["width"], record.manifest["height"])
    original = shown.original and {**vars(shown.original), "bytes": shown.original.size}
    more = {"sizes": _sizes(pyramid), "allowed": shown.allowed, "original": original}
    return ManifestView.model_validate({**_slide_fields(record, principal), **more})


def _sizes(pyramid: Pyramid) -> list[dict[str, int]]:
    sizes = []
    for level in range(pyramid.top + 1):
        (width, height), (tiles_x, tiles_y) = pyramid.level_size(level), pyramid.tiles(level)
        sizes.append({"level": level, "width": width, "height": height, "tiles_x": tiles_x, "tiles_y": tiles_y})
    return sizes


def time_of(seconds: float) -> datetime:
    """A moment as served."""
    return datetime.fromtimestamp(seconds, UTC)

"""The text messages of a push connection (WI111, WI112, WI115, WI116, WI125)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from wavescope.geometry import MAX_PLANES, MAX_SIDE, Address
from wavescope.sessions.client_messages import Malformed
from wavescope.sessions.model import Value
from wavescope.store.version import SlideVersion

VERSIONS = (1,)
REGION_TILES = 2048
MAX_LAYERS = 4
MAX_HELD = 2 * REGION_TILES + 128  # ancestors are about as many as tiles where a region is a strip
NUMBERS = (1 << 32) - 1
BYTES = (1 << 53) - 1
FAR = 1e7  # tiles, tiles a second

Count = Annotated[int, Field(ge=0, le=MAX_SIDE)]
Side = Annotated[int, Field(ge=1, le=REGION_TILES)]
Rectangle = tuple[Count, Count, Side, Side]
"""Column and row of the first tile, columns, rows."""
Number = Annotated[float, Field(ge=-FAR, le=FAR, allow_inf_nan=False)]
Received = Annotated[int, Field(ge=0, le=BYTES)]
Clock = Annotated[float, Field(ge=0, le=1e15, allow_inf_nan=False)]
Measured = Annotated[float, Field(gt=0, le=1e12, allow_inf_nan=False)]


class PushHello(Value):
    """The first message (WI112). ``rate``: bytes a second; ``round_trip``: milliseconds."""

    type: Literal["hello"]
    versions: Annotated[tuple[Annotated[int, Field(ge=0, le=1_000_000)], ...], Field(min_length=1, max_length=16)]
    rate: Measured | None = None
    round_trip: Measured | None = None


class PushView(Value):
    """What a viewer shows, how it moves and what it has (WI115, WI116)."""

    type: Literal["view"]
    number: Annotated[int, Field(ge=0, le=NUMBERS)]
    z: Annotated[int, Field(ge=0, lt=MAX_PLANES)]
    level: Annotated[int, Field(ge=0, le=24)]
    region: Rectangle
    field: Rectangle
    held: Annotated[str, Field(pattern=r"^[0-4-]*$", max_length=MAX_HELD)]
    layers: Annotated[int, Field(ge=1, le=MAX_LAYERS)]
    centre: tuple[Number, Number]
    velocity: tuple[Number, Number]
    bytes: Received


class PushAck(Value):
    """How many bytes the client has received, and when by its clock in milliseconds (WI125)."""

    type: Literal["ack"]
    bytes: Received
    time: Clock


class PushWelcome(Value):
    """The answer to ``hello``."""

    type: Literal["welcome"] = "welcome"
    version: int


PushMessage = Annotated[PushHello | PushView | PushAck, Field(discriminator="type")]
AnyPushMessage = PushHello | PushView | PushAck
_MESSAGE: TypeAdapter[AnyPushMessage] = TypeAdapter(PushMessage, config=ConfigDict(defer_build=True))


def read_push_message(text: str) -> AnyPushMessage:
    """A client's message. Raises Malformed."""
    try:
        return _MESSAGE.validate_json(text)
    except ValidationError as cause:
        fault = cause.errors(include_url=False, include_input=False)[0]
        path = ".".join(str(part) for part in fault["loc"])
        raise Malformed(f"{path}: {fault['msg']}" if path else fault["msg"]) from cause


def rectangles(view: PushView, top: int) -> list[Rectangle]:
    """The region on its level and those of its ancestors, up to level ``top`` - 1."""
    return [_shifted(view.region, shift) for shift in range(top - view.level)]


def _shifted(rectangle: Rectangle, shift: int) -> Rectangle:
    x, y, columns, rows = rectangle
    left, up = x >> shift, y >> shift
    return left, up, ((x + columns - 1) >> shift) - left + 1, ((y + rows - 1) >> shift) - up + 1


def check_view(view: PushView, version: SlideVersion) -> None:
    """Returns if the slide has what the view names and ``held`` is as long as its region says. Raises Malformed,
    OutOfRange.
    """
    x, y, columns, rows = view.region
    version.block(view.z, 0, view.level, x, y)
    version.check_address(Address(view.z, 0, view.level, x + columns - 1, y + rows - 1))
    if columns * rows > REGION_TILES:
        raise Malformed(f"region: {columns * rows} tiles, the limit is {REGION_TILES}")
    field_x, field_y, field_columns, field_rows = view.field
    if not (
        x <= field_x and y <= field_y and field_x + field_columns <= x + columns and field_y + field_rows <= y + rows
    ):
        raise Malformed("field: outside of the region")
    size = sum(across * down for _, _, across, down in rectangles(view, version.top))
    if len(view.held) != size:
        raise Malformed(f"held: {len(view.held)} characters, the region and its ancestors have {size} blocks")

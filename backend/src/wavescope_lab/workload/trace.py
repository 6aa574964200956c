"""Traces: the requests of several clients, as JSON lines. The same plan gives the same bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass

from wavescope.errors import InvalidParameter
from wavescope.geometry import Pyramid
from wavescope_lab.errors import InvalidTrace
from wavescope_lab.workload.markov import Reading
from wavescope_lab.workload.pathologist import Field, Scene, new_user, next_move
from wavescope_lab.workload.sweep import Pattern, interesting_points

MAX_CLIENTS = 64
MAX_REQUESTS = 100_000
INTEGERS = ("client", "number", "level", "x", "y", "width", "height")


@dataclass(frozen=True)
class Plan:
    """What a trace is made from. ``patterns``: clients take them in turn. ``view``: pixels of a full view."""

    slide: str
    size: tuple[int, int]
    clients: int = 8
    requests: int = 20
    seed: int = 1998
    patterns: tuple[Pattern, ...] = (Pattern.ROWS, Pattern.COLUMNS)
    reading: Reading = Reading.MAGNIFICATION
    view: tuple[int, int] = (1000, 1000)


@dataclass(frozen=True)
class Request:
    """One request of one client. ``time``: seconds after the beginning if every answer came at once."""

    client: int
    number: int
    time: float
    think: float
    slide: str
    field: Field
    full: bool


def make_trace(plan: Plan) -> list[Request]:
    """All requests, client by client; InvalidParameter if the plan asks for nothing or too much."""
    for name, value, most in (("clients", plan.clients, MAX_CLIENTS), ("requests", plan.requests, MAX_REQUESTS)):
        if not 1 <= value <= most:
            raise InvalidParameter(name, value, f"1 to {most}")
    if min(*plan.size, *plan.view) < 1:
        raise InvalidParameter("size", (*plan.size, *plan.view), "sides of at least 1 pixel")
    scene = scene_of(plan)
    return [request for client in range(plan.clients) for request in requests_of(plan, scene, client)]


def scene_of(plan: Plan) -> Scene:
    """What the clients of a plan have in common."""
    return Scene(Pyramid(*plan.size), plan.view, interesting_points(plan.seed), plan.reading)


def requests_of(plan: Plan, scene: Scene, client: int) -> Iterable[Request]:
    """The requests of one client, whose number may be above those of the plan."""
    dice = random.Random(f"{plan.seed}/{client}")
    user, time = new_user(plan.patterns[client % len(plan.patterns)]), 0.0
    for number in range(plan.requests):
        user, move = next_move(user, scene, dice)
        think = round(move.think, 3) if number else 0.0  # all clients start at the same time
        time += think
        yield Request(client, number, round(time, 3), think, plan.slide, move.field, move.full)


def write_trace(requests: Iterable[Request]) -> str:
    """JSON lines, one request each."""
    return "".join(json.dumps(_record(request)) + "\n" for request in requests)


def _record(request: Request) -> dict[str, object]:
    field = request.field
    return {
        "client": request.client,
        "number": request.number,
        "time": request.time,
        "think": request.think,
        "slide": request.slide,
        "level": field.level,
        "x": field.ln_x,
        "y": field.ln_y,
        "width": field.ln_width,
        "height": field.ln_height,
        "full": request.full,
    }


def read_trace(text: str) -> list[Request]:
    """The requests of a trace; InvalidTrace with the number of the line that is wrong."""
    requests = [_parse(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not requests:
        raise InvalidTrace(1, "there is no request")
    if len({request.client for request in requests}) > MAX_CLIENTS:
        raise InvalidTrace(1, f"there are more than {MAX_CLIENTS} clients")
    return requests


def _parse(number: int, line: str) -> Request:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise InvalidTrace(number, f"not JSON: {error}") from error
    if not isinstance(record, dict):
        raise InvalidTrace(number, "not an object")
    for name in INTEGERS:
        if type(record.get(name)) is not int or record[name] < 0:
            raise InvalidTrace(number, f"{name} is {record.get(name)!r}; expected an integer of at least 0")
    for name in ("time", "think"):
        if type(record.get(name)) not in (int, float) or not 0 <= record[name] < 1e9:
            raise InvalidTrace(number, f"{name} is {record.get(name)!r}; expected seconds")
    if not isinstance(record.get("slide"), str):
        raise InvalidTrace(number, f"slide is {record.get('slide')!r}; expected a text")
    field = Field(record["level"], record["x"], record["y"], record["width"], record["height"])
    full = record.get("full") is not False
    return Request(record["client"], record["number"], record["time"], record["think"], record["slide"], field, full)

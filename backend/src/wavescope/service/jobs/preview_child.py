"""The child process of one preview: ``python -m wavescope.service.jobs.preview_child``.

It reads lines of JSON, and answers each with a line of JSON, followed by as many bytes as that says. The first one
names the file, whose description is the answer; the others are orders:

{"path": "/srv/a.svs", "limits": {...}}                ->    {"width": ..., "height": ..., ...}
{"z": 0, "level": 3, "x": 1, "y": 0, "kind": "png"}    ->    {"bytes": 31415} and the picture
{"z": 0, "whole": 3, "kind": "webp"}                   ->    {"bytes": 2718} and the picture of all of level 3
{"store": "/srv/slides"}                               ->    {"bytes": 271} and the advice on an ingest, as JSON
                                                         or   {"cause": "UnreadableSource", "detail": "..."}
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from wavescope.config import Limits
from wavescope.errors import SourceError, WavescopeError
from wavescope.ingest.advice import advice_fields, advise
from wavescope.ingest.memory import limited_memory
from wavescope.pixels.images import encode_image
from wavescope.service.children import received_order
from wavescope.source.base import reader_limits
from wavescope.source.open import open_source
from wavescope.source.reduced import ReducedSource


def main(path: str, limits: Limits, orders: BinaryIO, responses: BinaryIO) -> None:
    """Serves one source until the orders end."""
    reading = reader_limits(limits)
    try:
        with limited_memory(limits.ingest_memory):
            reduced = ReducedSource(open_source(path, reading), path, reading)
    except WavescopeError as error:
        _print(responses, _rejection(error))
        return
    _print(responses, description(reduced))
    for line in orders:
        _print(responses, *_response_to(reduced, {"path": path, **json.loads(line)}, limits))
    reduced.close()


def description(reduced: ReducedSource) -> dict[str, Any]:
    """What a viewer needs to know."""
    info = reduced.shown.info
    return {
        "width": info.width,
        "height": info.height,
        "planes": info.planes,
        "channels": info.channels,
        "mpp_x": info.mpp_x,
        "mpp_y": info.mpp_y,
        "objective_power": info.objective_power,
        "vendor": info.vendor,
    }


def _response_to(reduced: ReducedSource, order: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes]:
    try:
        with limited_memory(limits.ingest_memory):
            body = _body(reduced, order)
    except WavescopeError as error:
        return _rejection(error), b""
    return {"bytes": len(body)}, body


def _body(reduced: ReducedSource, order: dict[str, Any]) -> bytes:
    if "store" in order:
        return json.dumps(advice_fields(advise(reduced.source, Path(order["store"]), order["path"]))).encode()
    if "whole" in order:
        return encode_image(reduced.read_level(order["z"], order["whole"]), order["kind"])
    pixels = reduced.read_tile(order["z"], order["level"], order["x"], order["y"])
    return encode_image(pixels, order["kind"])


def _rejection(error: WavescopeError) -> dict[str, str]:
    detail = error.reason if isinstance(error, SourceError) else str(error)
    return {"cause": type(error).__name__, "detail": detail}


def _print(responses: BinaryIO, head: dict[str, Any], body: bytes = b"") -> None:
    responses.write(json.dumps(head).encode() + b"\n" + body)
    responses.flush()


if __name__ == "__main__":
    with contextlib.suppress(OSError):
        os.nice(5)  # slides that are there already come first
    # What a library prints must not stand among the answers.
    clean = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    first = received_order()
    main(first["path"], Limits(**first["limits"]), sys.stdin.buffer, clean)

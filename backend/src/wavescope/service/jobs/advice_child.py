"""The child process of one estimate: ``python -m wavescope.service.jobs.advice_child``. It reads a line of JSON:

{"store": "/srv/slides", "slide_store": "", "slide_store_seconds": 20, "digest": "5f3a...", "limits": {...}}

It answers with a line of JSON: what encoding this version again would take, or {"cause": "...", "detail": "..."}.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from wavescope.config import Config, Limits
from wavescope.errors import WavescopeError
from wavescope.ingest.advice import advice_fields
from wavescope.ingest.memory import limited_memory
from wavescope.ingest.reencode import advise_version
from wavescope.service.children import received_order
from wavescope.service.storage import version_in_folder


def response_to(order: dict[str, Any]) -> dict[str, Any]:
    """The advice, or why there is none."""
    try:
        config = Config(
            store=Path(order["store"]),
            slide_store=order["slide_store"],
            slide_store_seconds=order["slide_store_seconds"],
            limits=Limits(**order["limits"]),
        )
        with (
            limited_memory(config.limits.ingest_memory),
            version_in_folder(config, order["digest"], f"advice-{os.getpid()}") as folder,
        ):
            return advice_fields(advise_version(folder, order["digest"]))
    except WavescopeError as error:
        return {"cause": type(error).__name__, "detail": str(error)}


if __name__ == "__main__":
    with contextlib.suppress(OSError):
        os.nice(5)  # viewing comes first
    print(json.dumps(response_to(received_order())), flush=True)

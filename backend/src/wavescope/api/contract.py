"""The contract as a file: ``python -m wavescope.api.contract [PATH]`` writes shared/wire/openapi.json.

Both sides generate their types from it; a test checks that it is up to date.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from wavescope.api.app import build_app
from wavescope.config import Config
from wavescope.service.composition import compose
from wavescope.service.lifecycle import Lifecycle

CONTRACT = Path(__file__).resolve().parents[4] / "shared" / "wire" / "openapi.json"


def contract() -> str:
    """OpenAPI of the service as canonical text."""
    with tempfile.TemporaryDirectory() as folder:
        services = compose(Config(store=Path(folder)))
        document = build_app(services).openapi()
        asyncio.run(Lifecycle(services).stop())
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else CONTRACT
    target.write_text(contract())

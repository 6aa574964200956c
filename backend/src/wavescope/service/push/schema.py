"""The text messages as JSON Schema: ``python -m wavescope.service.push.schema`` writes shared/wire/push.schema.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from wavescope.service.push.messages import PushMessage, PushWelcome
from wavescope.sessions.model import Value

SCHEMA = Path(__file__).resolve().parents[5] / "shared" / "wire" / "push.schema.json"


class PushWire(Value):
    """The text messages of a push connection, from clients and from the service."""

    client: PushMessage
    server: PushWelcome


def schema() -> str:
    """The schema as canonical JSON text."""
    document = PushWire.model_json_schema()
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else SCHEMA
    target.write_text(schema())

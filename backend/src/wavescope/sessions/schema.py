"""The messages as JSON Schema: ``python -m wavescope.sessions.schema`` writes shared/wire/session.schema.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from wavescope.sessions.client_messages import ClientMessage
from wavescope.sessions.model import Value
from wavescope.sessions.recording import RecordingEntry
from wavescope.sessions.server_messages import ServerMessage

SCHEMA = Path(__file__).resolve().parents[4] / "shared" / "wire" / "session.schema.json"


class SessionWire(Value):
    """The messages of a session's WebSocket, from clients and from the service, and the entries of recordings."""

    client: ClientMessage
    server: ServerMessage
    entry: RecordingEntry


def schema() -> str:
    """The schema as canonical JSON text."""
    document = SessionWire.model_json_schema(mode="serialization")
    _tidy(document)
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _tidy(part: Any) -> None:
    """Removes titles of properties, which generators would make types of, and discriminators of unions."""
    if isinstance(part, list):
        for one in part:
            _tidy(one)
    if not isinstance(part, dict):
        return
    part.pop("discriminator", None)
    for name, one in part.get("properties", {}).items():
        if isinstance(one, dict) and one.get("title", "").replace(" ", "_").lower() == name:
            del one["title"]
    for one in part.values():
        _tidy(one)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else SCHEMA
    target.write_text(schema())

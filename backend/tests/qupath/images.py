"""What QuPath has opened, and what the service says of it."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from qupath.java import Program


def ask(qupath: Program, *words: object) -> Any:
    """The answer of ``Trial.java``."""
    return json.loads(qupath.ask(*words))


def opened(qupath: Program, url: str) -> dict[str, Any]:
    """What QuPath has opened."""
    answer: dict[str, Any] = ask(qupath, "open", url)
    assert "error" not in answer, answer
    return answer


def get(url: str) -> bytes:
    """The content of an address."""
    with urllib.request.urlopen(url) as answer:
        content: bytes = answer.read()
    return content


def get_json(url: str) -> dict[str, Any]:
    """The JSON of an address."""
    found: dict[str, Any] = json.loads(get(url))
    return found

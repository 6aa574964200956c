"""The slides of a store and of a service, and a widget whose messages the test sends itself."""

from __future__ import annotations

import json
import queue
from collections.abc import Mapping
from typing import Any

import pytest

from client.conftest import service, world  # noqa: F401
from wavescope import installation
from wavescope.notebook.widget import SlideWidget


@pytest.fixture(autouse=True)
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stands for the built parts of the page."""
    folder = tmp_path_factory.mktemp("page") / "notebook"
    folder.mkdir()
    for name in ("widget", "viewer"):
        (folder / f"{name}.js").write_text(f"export default '{name}';")
    monkeypatch.setattr(installation, "page_folder", lambda: folder.parent)


class Page:
    """Asks as the viewer does."""

    def __init__(self, widget: SlideWidget) -> None:
        self._answers: queue.Queue[tuple[dict[str, Any], bytes]] = queue.Queue()
        self._widget = widget
        widget.send = lambda content, buffers=None: self._answers.put((content, buffers[0]))

    def ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> tuple[Any, bytes]:
        """Status and body."""
        message = {"id": "1", "method": method, "path": path, "headers": dict(headers or {})}
        self._widget._receive(self._widget, message, [memoryview(body)] if body else [])
        said, answer = self._answers.get(timeout=60)
        assert said["id"] == "1"
        return said["status"], answer

    def json(self, method: str, path: str, body: Any = None) -> Any:
        """A document that is answered."""
        status, answer = self.ask(method, path, b"" if body is None else json.dumps(body).encode())
        assert status == 200, answer
        return json.loads(answer)

    def problem(self, method: str, path: str, body: bytes = b"") -> tuple[int, str]:
        """Status and name of a problem."""
        status, answer = self.ask(method, path, body)
        return status, json.loads(answer)["type"].rpartition("/")[2]

"""The versions that the page's own encoder must make are those of an import (LI20)."""

from __future__ import annotations

import json
from pathlib import Path

from ingest.make_local_vectors import VECTORS, case, file_case, rounds_case


def test_li20_the_vectors_of_the_pages_encoder_are_what_an_import_stores(tmp_path: Path) -> None:
    stored = json.loads(VECTORS.read_text())
    for one in stored["cases"]:
        assert case(tmp_path, one["width"], one["height"], one["quality"]) == one
    for one in stored["files"]:
        assert file_case(tmp_path, one["file"], one["quality"]) == one
    for one in stored["rounds"]:
        assert rounds_case(tmp_path, one["quality"], one["bytes"], one["psnr"]) == one

"""The notebooks of the tutorials, run by nbclient in a kernel of their own (NB7)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from wavescope import installation

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).resolve().parents[3] / "shared" / "tutorials" / "notebook.ipynb"
ADDRESS = "http://127.0.0.1:8000/api/v1/slides/biopsy-7"


@pytest.mark.filterwarnings("ignore")  # of the packages that run kernels
def test_nb7_the_cells_of_the_example_run(service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (installation.CHECKOUT / "frontend" / "dist" / "notebook" / "viewer.js").is_file():
        pytest.skip("the page is not built")
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    text = EXAMPLE.read_text()
    assert text.count(ADDRESS) == 1
    read: Any = nbformat.reads
    document = read(text.replace(ADDRESS, f"{service}/api/v1/slides/lossless"), as_version=4)
    nbformat.validate(document)
    client = NotebookClient(
        document, timeout=120, kernel_name="python3", resources={"metadata": {"path": os.fspath(tmp_path)}}
    )
    client.execute()
    outputs = [output for cell in document.cells for output in cell.get("outputs", ())]
    shown = [one["data"] for one in outputs if one["output_type"] == "execute_result"]
    assert "application/vnd.jupyter.widget-view+json" in shown[0]
    assert "image/png" in shown[0]
    assert not any("biopsy-7" in str(cell.get("outputs")) for cell in read(text, as_version=4).cells)

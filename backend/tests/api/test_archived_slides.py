"""A real DICOM slide in a ZIP archive becomes the slide that its folder becomes (WI94)."""

from __future__ import annotations

import zipfile
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import httpx
import pytest

from api.asking import API, running_client
from api.test_resumable import BYTES, TUS, metadata
from ingest.worlds import real
from wavescope.catalog.catalog import Catalog
from wavescope.ingest.pipeline import Options, ingest

pytestmark = pytest.mark.slow

Naming = Callable[[int, Path], str]
LAYOUTS: dict[str, Naming] = {
    "one top folder": lambda _, file: f"slide/{file.name}",
    "nested folders": lambda number, file: f"export/study/level-{number}/{file.name}",
}


def archive(target: Path, files: Sequence[Path], naming: Naming) -> Path:
    """An archive as an image archive exports it: with a table of contents and a text beside the slide."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for number, file in enumerate(files):
            out.write(file, naming(number, file))
        out.writestr("DICOMDIR", bytes(128) + b"DICM")
        out.writestr("README.TXT", b"exported")
    return target


def levels(store: Path, digest: str) -> dict[str, bytes]:
    """The stored blocks of a slide version."""
    folder = store / "slides" / digest / "levels"
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.fixture
def files() -> list[Path]:
    return sorted(real("dicom_mirax_9385x3727").glob("*.dcm"))


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with running_client(tmp_path / "store") as opened:
        yield opened


async def test_an_archive_of_a_real_dicom_slide_is_the_slide_of_its_folder_wi94(
    client: httpx.AsyncClient, files: list[Path], tmp_path: Path
) -> None:
    """One request, then in parts as the page sends files."""
    first, second = (
        archive(tmp_path / f"set-{number}.zip", files, naming) for number, naming in enumerate(LAYOUTS.values())
    )
    sent = await client.post(f"{API}/uploads?filename=nested.zip", content=second.read_bytes())
    assert sent.status_code == 202, sent.text
    await client.get(f"{API}/jobs/{sent.json()['id']}/events")
    job = (await client.get(f"{API}/jobs/{sent.json()['id']}")).json()
    assert (job["state"], job["notices"], job["error"]) == ("done", [], None)
    slide = (await client.get(f"{API}/slides/{job['slide_id']}")).json()

    content = first.read_bytes()
    head = {"upload-length": str(len(content)), "upload-metadata": metadata(filename="top.zip")}
    made = await client.post(f"{API}/uploads/resumable", headers=TUS | head)
    for offset in range(0, len(content), 1 << 20):
        part = content[offset : offset + (1 << 20)]
        made_of = made.headers["location"]
        last = await client.patch(made_of, headers=TUS | BYTES | {"upload-offset": str(offset)}, content=part)
        assert last.status_code == 204
    assert last.headers["content-location"] == f"{API}/slides/{slide['id']}"  # the same files (WI93)

    catalog = Catalog.open(tmp_path / "other")
    made_of_folder = ingest(files[0].parent, tmp_path / "other", catalog, Options("folder", "folder", "visual"))
    catalog.close()
    assert levels(tmp_path / "store", slide["digest"]) == levels(tmp_path / "other", made_of_folder.digest)

"""A client that a generator makes of the contract works with the service (WI92)."""

from __future__ import annotations

import asyncio
import importlib
import json
import subprocess
import sys
import warnings
from collections.abc import AsyncIterator, Iterator
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PIL import Image

from api.test_server import Served, serving
from service.world import World
from wavescope.api.contract import CONTRACT

pytestmark = pytest.mark.slow

PACKAGE = "generated_wavescope"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package that openapi-python-client makes of shared/wire/openapi.json, without a warning."""
    folder = tmp_path_factory.mktemp("generated")
    kinds = {
        kind
        for operations in json.loads(CONTRACT.read_text())["paths"].values()
        for operation in operations.values()
        for part in (operation.get("requestBody", {}), *operation["responses"].values())
        for kind in part.get("content", ())
        if kind not in ("application/json", "application/problem+json") and not kind.startswith("text/")
    }
    overrides = dict.fromkeys(sorted(kinds), "application/octet-stream")  # the generator knows no other binary kinds
    (folder / "config.json").write_text(json.dumps({"post_hooks": [], "content_type_overrides": overrides}))
    program = Path(sys.executable).with_name("openapi-python-client")
    files: list[str | Path] = ["--config", folder / "config.json", "--output-path", folder / PACKAGE]
    done = subprocess.run(
        [program, "generate", "--path", CONTRACT, "--meta", "none", *files, "--fail-on-warning"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    sys.path.insert(0, str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the generator writes `1and`
        importlib.import_module(f"{PACKAGE}.models")
        yield importlib.import_module(PACKAGE)
    sys.path.remove(str(folder))


@pytest.fixture
async def served(world: World, tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(world.copy(tmp_path / "store").store, runner=None) as started:
        yield started


@pytest.fixture
def client(generated: ModuleType, served: Served) -> Iterator[Any]:
    made = generated.Client(f"http://127.0.0.1:{served.port}", follow_redirects=True)
    with made.get_httpx_client():
        yield made


async def test_a_generated_client_lists_reads_uploads_waits_and_saves_wi92(client: Any) -> None:
    def part(path: str) -> Any:
        return importlib.import_module(f"{PACKAGE}.{path}")

    async def ask(name: str, *path: str, **parameters: Any) -> Any:
        return await asyncio.to_thread(part(f"api.{name}").sync_detailed, *path, client=client, **parameters)

    models = part("models")
    listed = (await ask("slides.list_slides", sort="title")).parsed
    assert [slide.id for slide in listed.slides] == ["lossless", "planes", "visual"]
    slide = (await ask("slides.get_slide", "visual")).parsed
    assert (slide.width, slide.height, slide.digest) == (1300, 1100, listed.slides[2].digest)

    where = {"x": -10, "y": 0, "width": 40, "height": 30, "format_": models.GetRegionFormat.NPY}
    region = await ask("pixels.get_region", "visual", slide.digest, fill=models.GetRegionFillType0.BACKGROUND, **where)
    assert np.load(BytesIO(region.parsed.payload.read())).shape == (30, 40, 3)
    etag = region.headers["etag"]
    wanted = {"x": 0, "y": 0, "width": 40, "height": 30, "if_none_match": etag}
    assert (await ask("pixels.get_region", "visual", slide.digest, **wanted)).status_code == 304
    assert (await ask("pixels.get_region_of_current", "visual", x=0, y=0, width=40, height=30)).status_code == 200

    picture = BytesIO()
    Image.fromarray(np.random.default_rng(5).integers(0, 255, (300, 400, 3), np.uint8)).save(picture, "PNG")
    file = part("types").File(payload=BytesIO(picture.getvalue()))
    sent = await ask("jobs.post_upload", body=file, filename="mine.png", title="Mine")
    assert sent.status_code == 202
    job = sent.parsed
    while job.state in ("queued", "running"):
        await asyncio.sleep(0.05)
        job = (await ask("jobs.get_job", job.id)).parsed
    assert job.state == "done"
    file = part("types").File(payload=BytesIO(picture.getvalue()))
    again = await ask("jobs.post_upload", body=file, filename="mine.png", title="Mine")
    assert (again.status_code, again.parsed.id) == (200, job.slide_id)

    content = models.PutAnnotationAnnotationContent.from_dict(
        {"kind": "point", "geometry": {"type": "Point", "coordinates": [5, 6]}, "name": "first"}
    )
    made = await ask("annotations.put_annotation", job.slide_id, "a1", body=content, if_none_match="*")
    assert (made.status_code, made.headers["etag"]) == (201, '"r1"')
    content.name = "second"
    saved = await ask("annotations.put_annotation", job.slide_id, "a1", body=content, if_match='"r1"')
    assert (saved.status_code, saved.parsed.revision) == (200, 2)
    content.name = "third"
    late = await ask("annotations.put_annotation", job.slide_id, "a1", body=content, if_match='"r1"')
    assert (late.status_code, late.parsed.type_) == (412, "/problems/annotation-conflict")

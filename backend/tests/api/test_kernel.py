"""The kernel from outside: its URL, and the examples as anyone would run them."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import shutil
import subprocess
from collections.abc import Callable
from contextlib import AsyncExitStack
from io import BytesIO
from pathlib import Path

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from edge.edges import served
from service.world import World, running_service
from wavescope import kernel
from wavescope.api.app import build_app
from wavescope.errors import CodecError
from wavescope.geometry import TILE, Address
from wavescope.kernel import structs
from wavescope.kernel.wasm import instance, wasm_path
from wavescope.store.reader import StoreReader

EXAMPLES = Path(__file__).resolve().parents[3] / "shared" / "kernel" / "examples"
NODE = shutil.which("node") or ""
TILES = [(0, 1, 2), (0, 5, 4), (1, 2, 2), (3, 0, 0)]  # a border tile of odd size, glass, the approximation
SCRIPT = """
const { decodeTile } = await import(process.argv[1]);
const [service, slide, level, x, y] = process.argv.slice(2);
const tile = await decodeTile(service, slide, { level: +level, x: +x, y: +y });
process.stdout.write(Buffer.from(tile.rgba));
"""


async def test_ke1_the_kernel_has_a_url(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/v1/kernel.wasm")
    assert answer.headers["content-type"] == "application/wasm"
    assert answer.headers["cache-control"] == "public, no-cache"
    assert answer.content == wasm_path().read_bytes()
    assert answer.headers["etag"] == f'"{hashlib.sha256(answer.content).hexdigest()}"'
    again = await client.get("/api/v1/kernel.wasm", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_ke2_the_kernel_states_the_sizes_of_its_structures() -> None:
    for name in ("parameters", "address", "tuning", "output", "window"):
        assert instance().call(f"ws_{name}_bytes") == getattr(structs, name.upper()).size


def in_python(service: str, slide: str, level: int, x: int, y: int) -> bytes:
    spec = importlib.util.spec_from_file_location("decode", EXAMPLES / "decode.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: bytes = module.decode_tile(service, slide, level, x, y)[2]
    return found


def in_node(service: str, slide: str, level: int, x: int, y: int) -> bytes:
    example = (EXAMPLES / "decode.mjs").as_uri()
    command = [NODE, "--input-type=module", "-e", SCRIPT, example, service, slide, *map(str, (level, x, y))]
    return subprocess.run(command, capture_output=True, timeout=120, check=True).stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "decode",
    [in_python, pytest.param(in_node, marks=pytest.mark.skipif(not NODE, reason="node is not installed"))],
)
async def test_ke3_the_examples_decode_what_the_service_shows(
    world: World, decode: Callable[[str, str, int, int, int], bytes]
) -> None:
    async with AsyncExitStack() as stack:
        services = await stack.enter_async_context(running_service(world.store))
        url = await stack.enter_async_context(served(build_app(services)))
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=url))
        for slide, place in [("visual", TILES[0]), *(("lossless", tile) for tile in TILES)]:
            rgba = await asyncio.to_thread(decode, url, slide, *place)
            level, x, y = place
            png = await client.get(f"/api/v1/slides/{slide}/tiles/0/{level}/{x}/{y}.png", follow_redirects=True)
            expected = np.asarray(Image.open(BytesIO(png.content)))
            found: NDArray[np.uint8] = np.frombuffer(rgba, np.uint8).reshape(*expected.shape[:2], 4)
            assert np.array_equal(found[:, :, :3], expected)
            assert (found[:, :, 3] == 255).all()


def test_ke4_bytes_of_another_tile_are_refused(world: World) -> None:
    reader = StoreReader.open(world.store, world.digests["lossless"])
    parent = np.zeros((3, TILE, TILE), np.int16)
    block = reader.read(Address(0, 0, 0, 1, 1), range(reader.version.layers))
    for wrong, parameters in ((Address(0, 0, 0, 2, 1), 0), (Address(0, 0, 1, 1, 1), 1)):
        with pytest.raises(CodecError):
            kernel.decode_tile(parent, [block], reader.version.parameters(parameters), wrong)

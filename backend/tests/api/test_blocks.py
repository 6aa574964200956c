"""Layers, index pages and batches on the wire."""

from __future__ import annotations

import struct

import httpx
import pytest

from api.asking import API, running_client
from api.test_batch_frames import parse_frames
from service.world import World
from wavescope.config import Limits
from wavescope.geometry import Address
from wavescope.kernel import Binding, check_layer, split_layers
from wavescope.store.manifest import parse_manifest
from wavescope.store.page import decode_page, page_seed
from wavescope.store.reader import StoreReader


@pytest.fixture
def base(world: World) -> str:
    return f"{API}/slides/lossless/v/{world.digests['lossless']}"


GLASS = "0/0/0/4/0"


async def binding_of(client: httpx.AsyncClient, base: str, level: int) -> Binding:
    """What the checksums of a level cover beside the layers, from the manifest."""
    manifest = (await client.get(base.split("/v/")[0])).json()
    return Binding.of(bytes.fromhex(manifest["parameters"][level][0]))


async def test_a_block_is_its_layers_one_after_another_wi3_wi15(client: httpx.AsyncClient, base: str) -> None:
    whole = await client.get(f"{base}/blocks/0/0/0/1/1")
    layers = split_layers(whole.content)
    binding = await binding_of(client, base, 0)
    assert len(layers) == 3
    for index, layer in enumerate(layers):
        check_layer(layer, index, binding, Address(0, 0, 0, 1, 1))
        single = await client.get(f"{base}/blocks/0/0/0/1/1?from={index}&to={index + 1}")
        assert single.content == layer
    assert (await client.get(f"{base}/blocks/0/0/0/1/1?to=2")).content == layers[0] + layers[1]


async def test_an_empty_block_has_no_content_and_no_length_in_the_index_wi14(
    client: httpx.AsyncClient, base: str
) -> None:
    response = await client.get(f"{base}/blocks/{GLASS}")
    assert (response.status_code, response.content) == (204, b"")
    assert "immutable" in response.headers["cache-control"]
    page = await client.get(f"{base}/layer-index/0/0/0/0")
    binding = await binding_of(client, base, 0)
    lengths = decode_page(page.content, (6, 5, 3), page_seed(binding, 0, 0))
    assert lengths[0, 4].tolist() == [0, 0, 0]
    assert lengths[1, 1].sum() == len((await client.get(f"{base}/blocks/0/0/0/1/1")).content)


async def test_the_approximation_comes_by_layers_wi15(client: httpx.AsyncClient, base: str) -> None:
    whole = await client.get(f"{base}/approximation/0/0")
    parts = [await client.get(f"{base}/approximation/0/0?from={n}&to={n + 1}") for n in range(3)]
    assert whole.content == b"".join(part.content for part in parts)
    assert whole.headers["content-type"] == "application/vnd.wavescope.layers"


async def test_the_digest_follows_from_the_stored_manifest_wi120(client: httpx.AsyncClient, base: str) -> None:
    answer = await client.get(f"{base}/manifest")
    assert parse_manifest(answer.content, base.rpartition("/")[2]).layers == 3


@pytest.mark.parametrize(
    "path", ["blocks/0/0/0/1/1", "manifest", "layer-index/0/0/0/0", "approximation/0/0", "tiles/0/1/0/0.png"]
)
async def test_what_has_a_version_is_immutable_conditional_and_in_ranges_wi8(
    client: httpx.AsyncClient, base: str, path: str
) -> None:
    whole = await client.get(f"{base}/{path}")
    assert whole.headers["cache-control"] == "public, max-age=31536000, immutable"
    etag = whole.headers["etag"]
    assert not etag.startswith("W/")
    same = await client.get(f"{base}/{path}", headers={"if-none-match": etag})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", etag)
    part = await client.get(f"{base}/{path}", headers={"range": "bytes=3-9"})
    assert (part.status_code, part.content) == (206, whole.content[3:10])
    assert part.headers["content-range"] == f"bytes 3-9/{len(whole.content)}"
    other = await client.get(f"{base}/{path}", headers={"range": "bytes=3-9", "if-range": '"x"'})
    assert (other.status_code, other.content) == (200, whole.content)
    beyond = await client.get(f"{base}/{path}", headers={"range": f"bytes={len(whole.content)}-"})
    assert (beyond.status_code, beyond.headers["content-range"]) == (416, f"bytes */{len(whole.content)}")


async def test_head_answers_as_get_without_the_body(client: httpx.AsyncClient, base: str) -> None:
    one_id = {"x-request-id": "get-and-head"}
    got, head = [await client.request(method, f"{base}/blocks/0/0/0/1/1", headers=one_id) for method in ("GET", "HEAD")]
    assert head.content == b""
    assert {**got.headers, "date": ""} == {**head.headers, "date": ""}


async def test_the_block_goes_from_disk_to_wire_as_stored(client: httpx.AsyncClient, world: World, base: str) -> None:
    reader = StoreReader.open(world.store, world.digests["lossless"])
    body = (await client.get(f"{base}/blocks/0/0/0/0/0")).content
    assert any(body in shard.read_bytes() for shard in world.shards("lossless", 0))
    assert reader.manifest.layers == 3


async def test_a_batch_answers_every_entry_once_and_ends_wi19_wi20(client: httpx.AsyncClient, base: str) -> None:
    blocks = [[0, 0, level, x, y, 0, 3] for level in (0, 1) for y in range(2) for x in range(3 - level)]
    blocks.append([0, 0, 0, 4, 0, 0, 3])
    blocks.append([0, 0, 0, 1, 1, 1, 2])
    response = await client.post(f"{base}/blocks:batch", json={"blocks": blocks})
    assert response.headers["content-type"] == "application/vnd.wavescope.blocks"
    frames, ended = parse_frames(response.content)
    assert ended
    assert sorted(index for index, _, _ in frames) == list(range(len(blocks)))
    for index, status, payload in frames:
        z, c, level, x, y, start, stop = blocks[index]
        single = await client.get(f"{base}/blocks/{z}/{c}/{level}/{x}/{y}?from={start}&to={stop}")
        assert payload == single.content
        assert status == (0 if payload else 1)


@pytest.mark.slow
async def test_the_largest_batch_is_4096_entries_wi17(client: httpx.AsyncClient, base: str) -> None:
    entry = [0, 0, 0, 0, 0, 0, 1]
    full = await client.post(f"{base}/blocks:batch", json={"blocks": [entry] * 4096})
    assert len(parse_frames(full.content)[0]) == 4096
    more = await client.post(f"{base}/blocks:batch", json={"blocks": [entry] * 4097})
    assert more.status_code == 413


async def test_metrics_count_requests_blocks_and_cache_hits(world: World, base: str) -> None:
    async with running_client(world.store, limits=Limits()) as client:
        size = len((await client.get(f"{base}/blocks/0/0/0/1/1")).content)
        await client.get(f"{base}/blocks/{GLASS}")
        for _ in range(2):
            await client.get(f"{base}/tiles/0/2/0/0.jpg")
        text = (await client.get("/metrics")).text
    route = 'route="/api/v1/slides/{slide_id}/v/{digest}/blocks/{z}/{c}/{level}/{x}/{y}"'
    assert f'wavescope_request_seconds_count{{method="GET",{route},status="200"}} 1.0' in text
    assert f'wavescope_request_seconds_count{{method="GET",{route},status="204"}} 1.0' in text
    for line in (
        "blocks_total 2.0",
        f"block_bytes_total {float(size)}",
        "empty_blocks_total 1.0",
        'cache_hits_total{cache="images"} 1.0',
    ):
        assert f"wavescope_{line}" in text


async def test_frames_of_a_batch_are_counted_as_blocks(world: World, base: str) -> None:
    async with running_client(world.store) as client:
        await client.post(f"{base}/blocks:batch", json={"blocks": [[0, 0, 0, 0, 0, 0, 1]] * 5})
        assert "wavescope_blocks_total 5.0" in (await client.get("/metrics")).text


async def test_metrics_count_what_is_read_of_the_block_source_wi34(damaged: World) -> None:
    digest = damaged.digests["visual"]
    base = f"{API}/slides/visual/v/{digest}"
    async with running_client(damaged.store) as client:
        block = await client.get(f"{base}/blocks/0/0/0/1/1")
        approximation = await client.get(f"{base}/approximation/0/0")
        await client.get(f"{base}/layer-index/0/0/0/0")
        damaged.shards("visual", 1)[0].unlink()
        await client.post(f"{base}/blocks:batch", json={"blocks": [[0, 0, 0, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0, 1]]})
        text = (await client.get("/metrics")).text
    for line in (
        'reads_total{kind="block"} 1.0',
        f'bytes_total{{kind="block"}} {float(len(block.content))}',
        f'bytes_total{{kind="approximation"}} {float(len(approximation.content))}',
        'reads_total{kind="index_page"} 1.0',
        'reads_total{kind="batch"} 1.0',
        'failures_total{cause="CorruptBlock",kind="batch"} 1.0',
    ):
        assert f"wavescope_block_source_{line}" in text
    assert 'wavescope_block_source_seconds_total{kind="block"} 0.0\n' not in text


def test_a_frame_head_is_twelve_bytes() -> None:
    assert struct.calcsize("<IB3xI") == 12

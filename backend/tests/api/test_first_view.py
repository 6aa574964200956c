"""The answer with the blocks of a slide's first view."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from api.asking import API, running_client
from api.test_batch_frames import parse_frames
from service.world import World
from wavescope.config import Limits

URL = f"{API}/slides/lossless/first-view"


def parts_of(content: bytes) -> tuple[dict[str, Any], list[tuple[int, int, bytes]]]:
    """The head, and the frames of blocks with their positions in it."""
    (head, *frames), complete = parse_frames(content)
    assert complete
    assert head[:2] == (0, 0)
    return json.loads(head[2]), [(index - 1, status, payload) for index, status, payload in frames]


async def test_the_answer_names_its_version_and_has_the_blocks_of_the_view_wi138(
    client: httpx.AsyncClient, world: World
) -> None:
    answer = await client.get(f"{URL}?width=1300&height=1100")
    assert answer.headers["content-type"] == "application/vnd.wavescope.first-view"
    assert answer.headers["cache-control"] == "no-store"
    head, frames = parts_of(answer.content)
    assert head["digest"] == world.digests["lossless"]
    blocks = head["blocks"]
    assert blocks[:2] == [[0, 0, 3, 0, 0, 0, 1], [0, 0, 2, 0, 0, 0, 1]]
    assert [index for index, *_ in frames] == list(range(len(blocks)))
    base = f"{API}/slides/lossless/v/{head['digest']}"
    for (z, c, level, x, y, start, stop), (_, status, payload) in zip(blocks, frames, strict=True):
        path = f"approximation/{z}/{c}" if level == 3 else f"blocks/{z}/{c}/{level}/{x}/{y}"
        alone = await client.get(f"{base}/{path}?from={start}&to={stop}")
        assert (status, payload) == (0, alone.content)


async def test_a_part_of_the_slide_at_a_level_wi139(client: httpx.AsyncClient) -> None:
    head, _ = parts_of((await client.get(f"{URL}?width=200&height=200&level=0&x=300&y=20")).content)
    blocks = head["blocks"]
    assert {tuple(one[:5]) for one in blocks} == {
        (0, 0, 3, 0, 0),
        (0, 0, 2, 0, 0),
        (0, 0, 1, 0, 0),
        (0, 0, 0, 1, 0),
    }


async def test_no_more_than_the_limit_is_sent_and_the_stream_ends_wi141(world: World) -> None:
    async with running_client(world.store, limits=Limits(first_view=300_000)) as client:
        head, frames = parts_of((await client.get(f"{URL}?width=1300&height=1100")).content)
    sent = [len(payload) for _, _, payload in frames]
    assert sum(sent) >= 300_000 > sum(sent[:-1])
    assert len(sent) < len(head["blocks"])


async def test_parts_have_the_blocks_in_turns_each_with_all_its_layers_and_share_the_limit_wi144(world: World) -> None:
    query = "width=1300&height=1100"
    async with running_client(world.store, limits=Limits(first_view=300_000)) as client:
        whole, _ = parts_of((await client.get(f"{URL}?{query}")).content)
        parts = [parts_of((await client.get(f"{URL}?{query}&part={part}&parts=3")).content) for part in range(3)]
    order = list(dict.fromkeys(tuple(one[:5]) for one in whole["blocks"]))
    for part, (head, _) in enumerate(parts):
        own = set(order[part::3])
        assert head["blocks"] == [one for one in whole["blocks"] if tuple(one[:5]) in own]
    for _, frames in parts:
        sent = [len(payload) for _, _, payload in frames]
        assert sum(sent) >= 100_000 > sum(sent[:-1])


@pytest.mark.parametrize(
    ("query", "status", "problem"),
    [
        ("", 422, "invalid-parameter"),
        ("width=1300", 422, "invalid-parameter"),
        ("width=1.5&height=3", 422, "invalid-parameter"),
        ("width=0&height=3", 400, "out-of-range"),
        ("width=16385&height=3", 400, "out-of-range"),
        ("width=3&height=3&level=25", 400, "out-of-range"),
        ("width=3&height=3&level=0&x=-99999999999", 400, "out-of-range"),
        ("width=3&height=3&z=-1", 400, "out-of-range"),
        ("width=3&height=3&parts=0", 400, "out-of-range"),
        ("width=3&height=3&parts=7", 400, "out-of-range"),
        ("width=3&height=3&part=1", 400, "out-of-range"),
        ("width=3&height=3&part=3&parts=3", 400, "out-of-range"),
        ("width=3&height=3&part=-1&parts=3", 400, "out-of-range"),
        ("width=3&height=3&zoom=1", 400, "unknown-parameter"),
    ],
)
async def test_views_that_cannot_be_are_refused_wi138(
    client: httpx.AsyncClient, query: str, status: int, problem: str
) -> None:
    answer = await client.get(f"{URL}?{query}")
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{problem}")


async def test_a_slide_that_does_not_exist_is_unknown_wi138(client: httpx.AsyncClient) -> None:
    answer = await client.get(f"{API}/slides/nothing/first-view?width=3&height=3")
    assert (answer.status_code, answer.json()["type"]) == (404, "/problems/unknown-slide")

"""Answers of an edge say where they came from (ED41); batches from memory."""

from __future__ import annotations

from api.test_batch_frames import parse_frames
from edge.conftest import Place
from edge.test_edge import BATCH, BLOCK


async def test_answers_say_whether_they_were_cached_ed41(place: Place) -> None:
    ivan = await place.signed_in("ivan")
    for path in (BLOCK, "/layer-index/0/0/0/0", "/approximation/0/0", "/manifest"):
        known = path == "/manifest"  # it was fetched with the grant
        first = await ivan.get(place.version + path)
        assert first.headers["cache-status"] == ("wavescope-edge; hit" if known else "wavescope-edge; fwd=miss; stored")
        for headers in ({}, {"if-none-match": first.headers["etag"]}, {"range": "bytes=0-3"}):
            again = await ivan.get(place.version + path, headers=headers)
            assert again.headers["cache-status"] == "wavescope-edge; hit"
    thumbnail = await ivan.get(place.version + "/thumbnail")
    assert thumbnail.headers["cache-status"] == "wavescope-edge; fwd=partial; stored"
    assert (await ivan.get(place.version + "/thumbnail")).headers["cache-status"] == "wavescope-edge; hit"
    assert "cache-status" not in (await ivan.get(place.version + "/blocks/0/0/0/99/0")).headers
    assert "cache-status" not in (await ivan.post(place.version + "/blocks:batch", json=BATCH)).headers


async def test_what_does_not_fit_into_the_cache_is_not_stored_ed41(place: Place) -> None:
    ivan = await place.signed_in("ivan")
    place.services.cached.memory.budget, place.services.cached.disk = 0, None
    for _ in range(2):
        answer = await ivan.get(place.version + BLOCK)
        assert answer.headers["cache-status"] == "wavescope-edge; fwd=miss"


async def test_a_batch_from_memory_has_the_frames_of_any_other_ed3(place: Place) -> None:
    ivan = await place.signed_in("ivan")
    glass = {"blocks": [*BATCH["blocks"], [0, 0, 0, 5, 0, 0, 2]] * 3}
    answers = [await ivan.post(place.version + "/blocks:batch", json=glass) for _ in range(2)]
    first, second = (parse_frames(answer.content) for answer in answers)
    assert (sorted(first[0]), first[1]) == (second[0], second[1])
    assert answers[0].headers["content-type"] == answers[1].headers["content-type"]
    assert place.services.cached.counts.memory_hits >= len(glass["blocks"])

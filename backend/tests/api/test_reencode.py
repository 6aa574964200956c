"""New versions of stored slides: the estimate, the job, what is refused (WI73, WI74)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from api.accounts import API
from api.asking import problem, running_client
from service.world import World

pytestmark = pytest.mark.slow


@pytest.fixture
async def site(damaged: World) -> AsyncIterator[httpx.AsyncClient]:
    async with running_client(damaged.store) as opened:
        yield opened


async def test_wi73_sizes_are_known_before_and_psnr_is_that_against_the_file(site: httpx.AsyncClient) -> None:
    advice = (await site.get(f"{API}/slides/lossless/reencode")).json()
    presets = advice["presets"]
    assert 0 < presets["compact"]["bytes"] < presets["visual"]["bytes"] < presets["lossless"]["bytes"]
    for name in ("psnr", "bytes"):
        values = [one[name] for one in advice["by_psnr"]]
        assert values == sorted(values)
    assert advice["by_psnr"][0]["psnr"] < 32
    assert advice["by_psnr"][-1]["psnr"] > 48
    stored = (await site.get(f"{API}/slides/visual")).json()["quality"]["psnr"][0][-1]
    again = (await site.get(f"{API}/slides/visual/reencode")).json()
    assert again["presets"]["lossless"]["psnr"] == pytest.approx(stored, abs=0.05)  # its losses stay
    assert again["by_psnr"][-1]["psnr"] < stored


async def test_wi74_a_job_makes_the_new_version_and_the_one_before_can_still_be_read(
    site: httpx.AsyncClient, damaged: World
) -> None:
    before = damaged.digests["lossless"]
    answer = await site.post(f"{API}/slides/lossless/reencode?quality=40dB")
    assert answer.status_code == 202, answer.text
    job = answer.json()
    assert answer.headers["location"] == f"{API}/jobs/{job['id']}"
    assert (job["reencodes"], job["quality"], job["filename"]) == ("lossless", "40dB", "The lossless one")
    assert problem(await site.get(f"{API}/jobs/{job['id']}/preview")) == (404, "unknown-job")
    await site.get(f"{API}/jobs/{job['id']}/events")
    ended = (await site.get(f"{API}/jobs/{job['id']}")).json()
    assert (ended["state"], ended["slide_id"], ended["error"]) == ("done", "lossless", None)
    slide = (await site.get(f"{API}/slides/lossless")).json()
    assert (slide["title"], slide["profile"]) == ("The lossless one", "visual")
    assert slide["chosen"]["reencoded"] == [before]
    assert abs(slide["quality"]["psnr"][0][-1] - 40) <= 0.2
    [entry] = (await site.get(f"{API}/audit?action=reencoded")).json()["entries"]
    assert (entry["slide"], entry["detail"]["quality"], entry["detail"]["job"]) == ("lossless", "40dB", job["id"])
    assert (await site.get(f"{API}/slides/lossless/v/{before}/tiles/0/0/0/0.png")).status_code == 200


@pytest.mark.parametrize(
    ("slide", "quality"), [("visual", "visual"), ("visual", "lossless"), ("lossless", "lossless"), ("lossless", "best")]
)
async def test_wi74_a_quality_that_makes_no_sense_is_refused_at_once(
    site: httpx.AsyncClient, slide: str, quality: str
) -> None:
    answer = await site.post(f"{API}/slides/{slide}/reencode?quality={quality}")
    assert problem(answer) == (422, "invalid-parameter")
    assert (await site.get(f"{API}/jobs")).json() == {"jobs": []}

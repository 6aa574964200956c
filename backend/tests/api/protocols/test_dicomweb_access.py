"""Who may read what over DICOMweb, what is recorded, and pages of other sites (DW3, DW7, IF13)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from api.accounts import Clinic, clinic
from api.asking import API, problem
from api.test_audit_trail import entries
from service.world import World
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.records import Share
from wavescope.service.protocols.dicom.uids import UidKind, uid_of
from wavescope.store.manifest import digest_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROOT = f"{API}/dicomweb"
STUDY = "0020000D"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def site(tmp_path_factory: pytest.TempPathFactory, world: World) -> AsyncIterator[Clinic]:
    """``visual`` is shared with vera, ``planes`` is public."""
    async with clinic(world.copy(tmp_path_factory.mktemp("dicom") / "store").store) as opened:
        table = SharingTable(opened.service.catalog)
        table.share("slide", "visual", False, [Share("user", opened.ids["vera"], "view")])
        table.share("slide", "planes", True, [])
        yield opened


async def studies(client: httpx.AsyncClient, query: str = "") -> set[str]:
    answer = await client.get(f"{ROOT}/studies{query}")
    assert answer.status_code == 200
    return {one[STUDY]["Value"][0] for one in answer.json()}


def study_of(world: World, name: str) -> str:
    return uid_of(world.digests[name], UidKind.STUDY)


async def test_a_search_finds_what_the_client_may_see_dw3_dw12(site: Clinic, world: World) -> None:
    visual, lossless, planes = (study_of(world, name) for name in ("visual", "lossless", "planes"))
    expected = {"anonymous": {planes}, "vera": {visual, planes}, "ivan": {visual, planes}}
    expected |= {"adam": {visual, lossless, planes}}
    for name, found in expected.items():
        client = site.client() if name == "anonymous" else await site.signed_in(name)
        assert await studies(client) == found, name
        assert await studies(client, f"?StudyInstanceUID={visual}") == found & {visual}
        instances = (await client.get(f"{ROOT}/instances")).json()
        assert {one[STUDY]["Value"][0] for one in instances} == found


async def test_a_study_of_an_unseen_slide_does_not_exist_dw3(site: Clinic, world: World) -> None:
    unseen, nowhere = study_of(world, "visual"), uid_of("e" * 32, UidKind.STUDY)
    answers = [
        await site.client().get(f"{ROOT}/studies/{study}/metadata", headers={"x-request-id": "one-for-all"})
        for study in (unseen, nowhere)
    ]
    assert problem(answers[0]) == (404, "unknown-dicom-object")
    assert answers[0].text == answers[1].text.replace(nowhere, unseen)


async def test_a_right_that_ends_ends_here_too_dw3(site: Clinic, world: World) -> None:
    vera, path = await site.signed_in("vera"), f"{ROOT}/studies/{study_of(world, 'visual')}/metadata"
    table = SharingTable(site.service.catalog)
    assert (await vera.get(path)).status_code == 200
    table.share("slide", "visual", False, [])
    try:
        assert problem(await vera.get(path)) == (404, "unknown-dicom-object")
    finally:
        table.share("slide", "visual", False, [Share("user", site.ids["vera"], "view")])
    assert (await vera.get(path)).status_code == 200


async def test_two_slides_of_one_version_are_one_study_dw1(site: Clinic, world: World) -> None:
    record = site.service.catalog.get("planes")
    site.service.catalog.publish("another", "Another", record.digest, record.manifest)
    adam = await site.signed_in("adam")
    assert len((await adam.get(f"{ROOT}/studies")).json()) == 3
    path = f"{ROOT}/studies/{study_of(world, 'planes')}/metadata"
    assert (await adam.get(path)).json()[0]["00081030"]["Value"] == ["Another"]
    assert (await site.client().get(path)).json()[0]["00081030"]["Value"] == ["The planes one"]


async def test_only_a_public_slide_is_cached_by_all_dw7(site: Clinic, world: World) -> None:
    vera = await site.signed_in("vera")
    for name, policy in (("planes", "public"), ("visual", "private")):
        digest = world.digests[name]
        uids = [uid_of(digest, kind) for kind in (UidKind.STUDY, UidKind.SERIES, UidKind.INSTANCE)]
        answer = await vera.get("{}/studies/{}/series/{}/instances/{}/frames/1".format(ROOT, *uids))
        assert answer.headers["cache-control"].startswith(policy)


async def test_reading_a_study_is_opening_its_slide_dw3_pr36(site: Clinic, world: World) -> None:
    olga = await site.signed_in("olga")
    assert (await olga.get(f"{ROOT}/studies/{study_of(world, 'planes')}/metadata")).status_code == 200
    olgas = [record.entry for record in await entries(site) if record.entry.name == "Olga"]
    assert [entry.slide_id for entry in olgas if entry.action == "opened"] == ["planes"]


async def test_a_slide_of_older_software_is_not_in_the_way_dw12(site: Clinic, world: World) -> None:
    adam, old = await site.signed_in("adam"), dict(site.service.catalog.get("visual").manifest, version=1)
    before = await studies(adam)
    site.service.catalog.publish("old", "Old", digest_of(old), old)
    assert await studies(adam) == before
    assert {one[STUDY]["Value"][0] for one in (await adam.get(f"{ROOT}/instances")).json()} == before


async def test_pages_of_other_sites_may_read_but_not_store_if13_dw7(site: Clinic, world: World) -> None:
    other = {"origin": "https://slim.example"}
    found = await site.client().get(f"{ROOT}/studies", headers=other)
    assert found.headers["access-control-allow-origin"] == "*"
    wanted = {**other, "access-control-request-method": "GET", "access-control-request-headers": "accept"}
    asked = await site.client().options(f"{ROOT}/studies", headers=wanted)
    assert "Accept" in asked.headers["access-control-allow-headers"]
    storing = await site.client().options(
        f"{ROOT}/studies", headers={**wanted, "access-control-request-method": "POST"}
    )
    assert "access-control-allow-origin" not in storing.headers

"""What one node has signed or sealed, the others read (CL12)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from catalog.databases import Server
from nodes.cluster import add_people, catalog_of, cluster
from service.world import World
from wavescope.catalog.access.keys import SigningKeys
from wavescope.catalog.access.sealing_key import SealingKey
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.cluster.keys import ClusterKeys
from wavescope.errors import Unavailable

API = "/api/v1"


@pytest.mark.slow
async def test_a_grant_of_one_node_opens_a_slide_at_the_other_cl12(
    world: World, server: Server, tmp_path: Path
) -> None:
    url = catalog_of(world, server.url)
    add_people(url)
    async with cluster(world, url, tmp_path, access="accounts") as (a, b):
        ivan = await a.signed_in("ivan")
        grant = (await ivan.post(f"{API}/grants", json={"slides": ["visual"]})).json()["grant"]
        stranger = b.client()
        answer = await stranger.get(f"{API}/slides/visual", headers={"authorization": f"Bearer {grant}"})
        assert answer.status_code == 200
        assert (await stranger.get(f"{API}/slides/visual")).status_code == 404


def test_keys_made_at_the_same_time_are_one_key_and_rotated_ones_are_trusted_by_all_cl12(
    world: World, server: Server, tmp_path: Path
) -> None:
    url = catalog_of(world, server.url)
    nodes = [(Catalog.open(url), tmp_path / str(number)) for number in range(4)]
    ClusterKeys(nodes[0][0]).hop()
    with ThreadPoolExecutor(4) as pool:
        first = set(pool.map(lambda node: SigningKeys(*node).current()["kid"], nodes))
        sealed = list(pool.map(lambda node: SealingKey(*node).seal("secret"), nodes))
    assert len(first) == 1
    assert {SealingKey(*nodes[0]).unseal(one) for one in sealed} == {"secret"}
    rotated = SigningKeys(*nodes[3]).rotate()["kid"]
    assert SigningKeys(*nodes[0]).current()["kid"] == rotated
    assert [key["kid"] for key in SigningKeys(*nodes[1]).public()["keys"]] == [rotated, *first]
    assert not any((tmp_path / str(number)).exists() for number in range(4))
    for catalog, _ in nodes:
        catalog.close()


def test_a_machine_that_becomes_a_node_brings_its_keys_cl12(world: World, server: Server, tmp_path: Path) -> None:
    catalog = Catalog.open(catalog_of(world, server.url))
    (tmp_path / "other").mkdir()
    before = SigningKeys(catalog, tmp_path).current()
    sealed = SealingKey(catalog, tmp_path).seal("secret")
    ClusterKeys(catalog).hop()
    with pytest.raises(Unavailable):
        SealingKey(catalog, tmp_path / "other").unseal(sealed)
    SigningKeys(catalog, tmp_path).adopt()
    assert SigningKeys(catalog, tmp_path).current() == before
    assert SealingKey(catalog, tmp_path).unseal(sealed) == "secret"
    assert SigningKeys(catalog, tmp_path / "other").current() == before
    assert SealingKey(catalog, tmp_path / "other").unseal(sealed) == "secret"
    catalog.close()

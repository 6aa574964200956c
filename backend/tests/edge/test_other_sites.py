"""Pages of other sites that an edge lists."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from edge.conftest import Place
from edge.edges import edge, served

LISTED, OTHER = {"origin": "https://viewer.example"}, {"origin": "https://elsewhere.example"}
ALLOWED = "access-control-allow-origin"


async def test_listed_sites_may_read_what_the_edge_makes_and_what_it_passes_on_ed42(
    place: Place, tmp_path: Path
) -> None:
    ivan = await place.signed_in("ivan")
    async with served(place.app) as origin, edge(tmp_path / "second", origin, cors_origins=[LISTED["origin"]]) as made:
        transport = httpx.ASGITransport(made[1])
        async with httpx.AsyncClient(transport=transport, base_url=origin, cookies=ivan.cookies) as client:
            made_here = ("/blocks/0/0/0/0/0", "/region?x=0&y=0&width=9&height=9", "/iiif/3/info.json")
            for path in (*(place.version + part for part in made_here), "/api/v1/slides", "/api/v1/slides/visual"):
                for _ in range(2):  # fetched, and then cached
                    answer = await client.get(path, headers=LISTED)
                    assert answer.status_code == 200
                    assert answer.headers.get_list(ALLOWED) == [LISTED["origin"]]
                    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
                    assert ALLOWED not in (await client.get(path, headers=OTHER)).headers
            refused = await client.get(place.version + "/region?x=0", headers=LISTED)
            assert (refused.status_code, refused.headers[ALLOWED]) == (422, LISTED["origin"])
            asked = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
            before = await client.options(place.version + "/blocks:batch", headers={**LISTED, **asked})
            assert (before.status_code, before.headers[ALLOWED]) == (200, LISTED["origin"])
            before = await client.options(place.version + "/blocks:batch", headers={**OTHER, **asked})
            assert ALLOWED not in before.headers
            token = {"access-control-request-method": "GET", "access-control-request-headers": "authorization"}
            for path in (f"{place.version}/blocks/0/0/0/0/0", "/api/v1/slides"):  # PR8
                before = await client.options(path, headers={**LISTED, **token})
                assert (before.status_code, before.headers[ALLOWED]) == (200, LISTED["origin"])
                assert "access-control-allow-credentials" not in before.headers
                assert (await client.options(path, headers={**OTHER, **token})).status_code == 400


async def test_without_a_list_no_other_site_may_read_from_an_edge_ed42(place: Place) -> None:
    ivan = await place.signed_in("ivan")
    answer = await ivan.get(place.version + "/blocks/0/0/0/0/0", headers=LISTED)
    assert answer.status_code == 200
    assert ALLOWED not in answer.headers


@pytest.mark.parametrize(("access", "found"), [("accounts", ["*"]), ("local", [])])
async def test_the_setting_of_the_edge_decides_whether_any_site_may_read_a_protocol_ed42(
    place: Place, tmp_path: Path, access: str, found: list[str]
) -> None:
    ivan = await place.signed_in("ivan")
    async with served(place.app) as origin, edge(tmp_path / "second", origin, access=access) as made:
        transport = httpx.ASGITransport(made[1])
        async with httpx.AsyncClient(transport=transport, base_url=origin, cookies=ivan.cookies) as client:
            answer = await client.get(f"{place.version}/iiif/3/info.json", headers=OTHER)
            assert (answer.status_code, answer.headers.get_list(ALLOWED)) == (200, found)
            assert ALLOWED not in (await client.get(f"{place.version}/blocks/0/0/0/0/0", headers=OTHER)).headers

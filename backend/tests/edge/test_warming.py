"""Filling the cache of an edge before its users come."""

from __future__ import annotations

import asyncio

import pytest

from edge.conftest import Place
from edge.edges import served
from wavescope.catalog.access.sharing import SharingTable
from wavescope.cli.app import main
from wavescope.edge.warming import Warmed, WarmOptions, warm
from wavescope.errors import InvalidParameter, SignInRequired, Unavailable, UnknownSlide

ALL = WarmOptions()


async def filled(url: str, name: str = "visual", options: WarmOptions = ALL) -> Warmed:
    return [state async for state in warm(url, "", name, options)][-1]


@pytest.fixture
async def url(place: Place):  # type: ignore[no-untyped-def]
    SharingTable(place.clinic.service.catalog).share("slide", "visual", True, [])
    async with served(place.app) as address:
        yield address


async def test_what_was_warmed_is_answered_without_the_origin_ed31(place: Place, url: str) -> None:
    state = await filled(url)
    assert (state.slides, state.blocks, state.failed, state.complete) == (1, state.of, 0, True)
    asked = len(place.switch.asked)
    anyone = place.client()
    answer = await anyone.get(place.version + "/blocks/0/0/0/1/1")
    assert answer.status_code in (200, 204)
    assert (await anyone.get(place.version + "/thumbnail")).status_code == 200
    assert len(place.switch.asked) == asked


async def test_a_second_run_costs_the_link_nothing_ed31(place: Place, url: str) -> None:
    limited = await filled(url, options=WarmOptions(max_bytes=1))
    assert not limited.complete
    coarse = await filled(url, options=WarmOptions(level=1, layers=1))
    whole = await filled(url)
    assert limited.bytes < coarse.bytes < whole.bytes
    place.switch.asked.clear()
    assert (await filled(url)).bytes == whole.bytes
    assert place.asked_for("/blocks") == place.asked_for("/layer-index") == 0


async def test_what_cannot_be_warmed_is_an_error_of_its_own_ed31(place: Place, url: str) -> None:
    with pytest.raises((UnknownSlide, SignInRequired)):
        await filled(url, "nothing")
    with pytest.raises(Unavailable):
        await filled("http://127.0.0.1:9")
    place.switch.status = 500
    with pytest.raises(Unavailable):
        await filled(url)


@pytest.mark.parametrize("options", [WarmOptions(level=99), WarmOptions(level=-1), WarmOptions(layers=0)])
async def test_a_level_or_layers_that_no_slide_has_are_refused_ed31(url: str, options: WarmOptions) -> None:
    with pytest.raises(InvalidParameter):
        await filled(url, options=options)


async def test_the_command_says_what_it_fetched_ed31(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["edge", "warm", "visual", "--edge", url, "--level", "1", "--layers", "1", "--bytes", "1 GiB"]
    assert await asyncio.to_thread(main, arguments) == 0
    shown = capsys.readouterr()
    assert '"complete": true' in shown.out
    assert "visual: " in shown.err

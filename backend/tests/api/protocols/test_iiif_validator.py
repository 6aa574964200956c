"""The validator of the IIIF consortium asks a running service (IF1 to IF8, IF13)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from types import ModuleType

import numpy as np
import pytest
import pytest_asyncio
from PIL import Image

from edge.edges import served
from service.world import running_service
from wavescope.api.app import build_app
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.catalog import Catalog
from wavescope.ingest.pipeline import Options, ingest

sys.modules.setdefault("magic", ModuleType("magic"))  # wants a library of the system, for formats beyond level 2
from iiif_validator.validator import ImageAPI, TestSuite, ValidationInfo  # type: ignore[import-untyped]  # noqa: E402

TestSuite.__test__ = False  # its name, not a test of ours
SLIDE = "67352ccc-d1b0-11e1-89ae-279075081939"
SQUARE = 100
BEYOND = {"format_gif", "format_jp2", "format_pdf", "format_tif"}  # formats that no level requires
BEYOND |= {"format_webp", "size_up"}  # the one fails by itself with Python 3, the other wants ^max not to enlarge

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """Host and path of the validator's picture, which everyone may see, in a service with accounts."""
    folder = tmp_path_factory.mktemp("iiif")
    colours = np.array(ValidationInfo().colorInfo, np.uint8)  # [column][row]
    squares = colours.transpose(1, 0, 2).repeat(SQUARE, axis=0).repeat(SQUARE, axis=1)
    Image.fromarray(squares).save(folder / "squares.png")
    catalog = Catalog.open(folder / "store")
    made = ingest(str(folder / "squares.png"), folder / "store", catalog, Options(SLIDE, "Squares", "lossless"))
    SharingTable(catalog).share("slide", SLIDE, True, [])
    catalog.close()
    async with running_service(folder / "store", access="accounts") as service, served(build_app(service)) as url:
        yield f"{url.removeprefix('http://')} {made.digest}"


def complaints(address: str, version: str, current: bool) -> tuple[int, dict[str, str]]:
    """How many tests of a version of the API were made, and what those of them say that failed. ``current``: of the
    address without a version of the slide.
    """
    server, digest = address.split()
    image = SLIDE if current else f"{SLIDE}/v/{digest}"
    suite, failed = TestSuite(ValidationInfo()), dict[str, str]()
    names = [name for name, facts in suite.list_tests(version).items() if name not in BEYOND or facts["level"] <= 2]
    for name in names:
        result = ImageAPI(f"{image}/iiif/{version[0]}", server, "api/v1/slides", "http", "", version, debug=False)
        try:
            suite.run_test(name, result)
        except Exception as error:
            failed[name] = repr(error)
        if result.exception:
            failed[name] = str(result.exception)
    return len(names), failed


@pytest.mark.parametrize("current", [False, True])
@pytest.mark.parametrize("version", ["2.0", "3.0"])
async def test_the_validator_passes_every_test_of_level_2_if1_if2_if3_if4_if5_if6_if8_if13_if16(
    address: str, version: str, current: bool
) -> None:
    count, failed = await asyncio.to_thread(complaints, address, version, current)
    assert not failed
    assert count >= 30

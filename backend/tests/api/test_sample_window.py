"""A slide of colour of 16 bits: no answer says that its 8 bits are all of the file (ST98)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import tifffile

from api.accounts import API, Clinic, clinic
from cli.test_cli import Capture, run
from service.world import World


@pytest.fixture
async def site(damaged: World) -> AsyncIterator[Clinic]:
    async with clinic(damaged.store) as opened:
        yield opened


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    samples = np.random.default_rng(0).gamma(2.0, 5000.0, (300, 400, 3)).clip(0, 65535).astype(np.uint16)
    tifffile.imwrite(tmp_path / "deep.tif", samples, tile=(256, 256), compression="zlib", photometric="rgb")
    return tmp_path / "deep.tif"


async def imported(client: httpx.AsyncClient, file: Path, quality: str) -> dict[str, Any]:
    sent = await client.post(f"{API}/uploads?filename={file.name}&quality={quality}", content=file.read_bytes())
    await client.get(f"{API}/jobs/{sent.json()['id']}/events")
    return dict((await client.get(f"{API}/jobs/{sent.json()['id']}")).json())


@pytest.mark.slow
async def test_st98_lossless_is_refused_for_16_bits_and_the_window_is_in_the_answer(site: Clinic, deep: Path) -> None:
    ivan = await site.signed_in("ivan")
    refused = await imported(ivan, deep, "lossless")
    assert (refused["state"], refused["error"]["type"].rpartition("/")[2]) == ("failed", "invalid-parameter")
    assert "16-bit values" in refused["error"]["detail"]
    made = await imported(ivan, deep, "auto")  # of a file without losses: lossless, if it had 8 bits
    assert (made["state"], len(made["notices"])) == ("done", 1)
    slide = (await ivan.get(f"{API}/slides/{made['slide_id']}")).json()
    assert slide["profile"] == "visual"
    assert made["notices"] == ["16-bit values 0 to 65535 are stored as 0 to 255"]
    assert slide["window"] == {"bits": 16, "low": 0, "high": 65535}


def test_st98_the_command_line_refuses_and_names_the_window(capsys: Capture, deep: Path, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "cli"))
    code, text, _ = run(capsys, "ingest", str(deep), "--dry-run", *store)
    assert code == 0
    assert "lossless  refused: 16-bit values" in text
    code, _, error = run(capsys, "ingest", str(deep), "--quality", "lossless", *store)
    assert code == 2
    assert "16-bit values" in error
    code, _, error = run(capsys, "ingest", str(deep), "--quality", "50dB", *store)
    assert code == 0
    assert error.startswith("wavescope: 16-bit values")
    _, text, _ = run(capsys, "info", "deep", *store)
    assert "are stored as 0 to 255" in text
    code, _, error = run(capsys, "reencode", "deep", "--quality", "compact", *store)
    assert code == 0, error
    _, again, _ = run(capsys, "info", "deep", *store)
    assert [line for line in again.splitlines() if "stored as" in line] == [
        line for line in text.splitlines() if "stored as" in line
    ]

"""The commands of the guide of the edge run as written, on a machine that is set up by the guide (OP31)."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from api.processes import free_port
from edge.edges import served
from operation.guide import lines_of_the_guide
from operation.machine import Machine, machine
from operation.proxies import SHIPPED
from service.world import World, running_service
from wavescope.api.app import build_app

pytestmark = pytest.mark.slow

NEEDED = ("curl", "systemctl", "runuser")
BEFORE = ("useradd", "install -d /etc/wavescope", "ln -s")  # what the edge needs of the guide
SETTINGS = "/etc/wavescope/edge.toml"
START_SECONDS = 60.0


def settings_of_the_edge(origin: str, port: int) -> str:
    """The block of the guide, with an origin and a port of this machine."""
    (block,) = re.findall(r"`/etc/wavescope/edge.toml`:\n\n((?: {4}.*\n)+)", (SHIPPED / "edge.md").read_text())
    text = re.sub(r"^ {4}", "", block, flags=re.MULTILINE)
    for old, new in {"https://slides.example.org": origin, "edge.example.org": "127.0.0.1"}.items():
        assert old in text
        text = text.replace(old, new)
    return f"{text}listen_port = {port}\n"


@asynccontextmanager
async def started_unit(here: Machine) -> AsyncIterator[None]:
    """What systemd would start by the unit that was installed: here none runs."""
    unit = "/etc/systemd/system/wavescope-edge.service"
    command = (await run(here, f"sed -n s/^ExecStart=//p {unit}")).strip()
    folder = (await run(here, f"sed -n s/^CacheDirectory=//p {unit}")).strip()
    await run(here, f"install -d -o wavescope /var/cache/{folder} /var/log/{folder}")
    process = (await run(here, f"cd / && {command} >/var/log/{folder}/log 2>&1 & echo $!", "wavescope")).strip()
    try:
        yield
    finally:
        await run(here, f"kill {process}")


async def run(here: Machine, command: str, user: str = "root") -> str:
    """What it prints; fails if the command does. Commands of the edge read the settings of the edge."""
    done = await asyncio.to_thread(here.run, f"export WAVESCOPE_CONFIG={SETTINGS}; {command}", user)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


async def test_every_command_of_the_guide_of_the_edge_runs_as_written_in_order_op31(
    world: World, tmp_path: Path
) -> None:
    """Only the slide and the port are other ones."""
    lines = lines_of_the_guide("edge.md")
    assert len(lines) >= 7
    if missing := [one for one in NEEDED if shutil.which(one) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    port, output = free_port(), {}
    (tmp_path / "machine").mkdir()
    store = world.copy(tmp_path / "store").store
    async with running_service(store, open_to_all=True) as service, served(build_app(service)) as origin:
        with machine(tmp_path / "machine") as here:
            for words in BEFORE:
                (line,) = [one for _, one in lines_of_the_guide() if one.startswith(words)]
                await run(here, line)
            await run(here, f"printf %s {quoted(settings_of_the_edge(origin, port))} > {SETTINGS}")
            await run(here, f"chgrp wavescope {SETTINGS}")
            started = next(at for at, (_, line) in enumerate(lines) if "systemctl start" in line)
            for sign, line in lines[: started + 1]:
                await run(here, line, "root" if sign == "#" else "wavescope")
            async with started_unit(here), asyncio.timeout(START_SECONDS):
                await answers(port)
                for sign, line in lines[started + 1 :]:
                    given = line.replace("127.0.0.1:8000", f"127.0.0.1:{port}").replace("SLIDE", "visual")
                    assert given != line
                    output[line.split()[0]] = await run(here, given, "root" if sign == "#" else "wavescope")
            links = await run(here, "ls /etc/systemd/system/multi-user.target.wants")
    assert "wavescope-edge.service" in links.split()
    assert json.loads(output["curl"]) == {"status": "ready", "origin": "ok"}
    assert json.loads(output["wavescope"])["complete"] is True


def quoted(text: str) -> str:
    """One word for a shell."""
    assert "'" not in text
    return f"'{text}'"


async def answers(port: int) -> None:
    """Returns when something listens there."""
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)  # nothing says when a port is open
            continue
        writer.close()
        await writer.wait_closed()
        return

"""The load that a node reports to a balancer."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from wavescope.service.nodes.load import LoadAgent, LoadMeter, allowance

DISK = "   8       0 sda 0 0 0 0 0 0 0 0 0 {} 0\n   8       1 sda1 0 0 0 0 0 0 0 0 0 999999 0\n"
NETWORK = "head\nhead\n  eth0: {} 0 0 0 0 0 0 0 1000 0 0 0 0 0 0 0\n    lo: 999999999 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"


@pytest.fixture
def machine(tmp_path: Path) -> tuple[Path, Path]:
    proc, sys = tmp_path / "proc", tmp_path / "sys"
    for folder in (proc / "net", proc / "self", sys / "block" / "sda", sys / "class" / "net" / "eth0"):
        folder.mkdir(parents=True)
    (sys / "class" / "net" / "eth0" / "speed").write_text("1000\n")
    (proc / "diskstats").write_text(DISK.format(0))
    (proc / "net" / "dev").write_text(NETWORK.format(0))
    return proc, sys


def test_the_busy_shares_of_disk_and_network_are_measured_cl89(machine: tuple[Path, Path]) -> None:
    meter, begun = LoadMeter(*machine), time.monotonic()
    (machine[0] / "diskstats").write_text(DISK.format(10_000_000))
    (machine[0] / "net" / "dev").write_text(NETWORK.format(0))
    load = meter.now()
    assert load.disk == 1
    assert load.network == 0
    assert load.at >= begun
    (machine[0] / "net" / "dev").write_text(NETWORK.format(10**12))
    assert meter.now().network == 1
    assert meter.now().disk == 0


def test_a_busy_loop_leaves_nothing_free_cl89(machine: tuple[Path, Path]) -> None:
    clock = iter([100.0, 100.1])
    meter = LoadMeter(*machine, lambda: next(clock))
    before = time.thread_time()
    while time.thread_time() < before + 0.05:
        pass
    assert meter.now().cpu >= 0.5


def test_a_machine_without_these_files_has_its_processor_alone_cl89(tmp_path: Path) -> None:
    load = LoadMeter(tmp_path / "proc", tmp_path / "sys").now()
    assert (load.disk, load.network) == (0, 0)


@pytest.mark.parametrize(
    ("line", "folder", "files", "cores"),
    [
        ("0::/a", "a", {"cpu.max": "15000 100000"}, 0.15),
        ("4:cpu,cpuacct:/b", "cpu/b", {"cpu.cfs_quota_us": "5000\n", "cpu.cfs_period_us": "25000\n"}, 0.2),
    ],
)
def test_the_quota_of_a_control_group_is_the_allowance_cl89(
    machine: tuple[Path, Path], line: str, folder: str, files: dict[str, str], cores: float
) -> None:
    proc, sys = machine
    unlimited = allowance(proc, sys)
    assert unlimited >= 1
    (proc / "self" / "cgroup").write_text(f"{line}\n")
    group = sys / "fs" / "cgroup" / folder
    group.mkdir(parents=True)
    assert allowance(proc, sys) == unlimited
    for name, text in files.items():
        (group / name).write_text(text)
    assert allowance(proc, sys) == pytest.approx(cores)
    for name in files:
        (group / name).write_text("max 100000" if name == "cpu.max" else "-1")
    assert allowance(proc, sys) == unlimited


async def test_the_agent_answers_one_line_and_no_more_after_its_end_cl89(machine: tuple[Path, Path]) -> None:
    agent = LoadAgent(LoadMeter(*machine), "127.0.0.1", 0)
    await agent.start()
    port = agent.port

    async def line() -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        text = (await reader.read()).decode()
        writer.close()
        return text

    assert await line() == "100%\n"
    (machine[0] / "diskstats").write_text(DISK.format(10_000_000))
    await agent.measure()
    assert await line() == "1%\n"
    await agent.stop()
    with pytest.raises(ConnectionRefusedError):
        await line()

"""What other packages add to a service: commands, routes and parts; and a service to which nothing is added."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest
from starlette.routing import Route

from wavescope.api.app import build_app
from wavescope.api.routing import new_router
from wavescope.cli import main
from wavescope.config import Config
from wavescope.service.access.gate import Gate
from wavescope.service.composition import compose
from wavescope.service.lifecycle import Lifecycle

LABORATORY = {"cluster", "plan", "simulate", "workload"}
Install = Callable[..., None]


class Recording:
    """An extension that knows whether it was stopped."""

    def __init__(self, gate: Gate, config: Config) -> None:
        self.config, self.stopped = config, False

    async def stop(self) -> None:
        self.stopped = True


router = new_router("added", "reads")


@router.get("/added")
async def get_added() -> str:
    return "added"


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Makes these entry points the only ones of Wavescope: ``group=value``."""

    def only(**values: str) -> None:
        def entry_points(*, group: str) -> list[metadata.EntryPoint]:
            value = values.get(group.removeprefix("wavescope."))
            return [metadata.EntryPoint("added", value, group)] if value else []

        monkeypatch.setattr(metadata, "entry_points", entry_points)

    return only


def paths(app: object) -> set[str]:
    return {route.path for route in app.router.routes if isinstance(route, Route)}  # type: ignore[attr-defined]


async def test_a_service_has_what_is_added_and_stops_it(install: Install, tmp_path: Path) -> None:
    install(extensions=f"{__name__}:Recording", routes=f"{__name__}:router")
    services = compose(Config(store=tmp_path))
    added = services.extensions["added"]
    assert isinstance(added, Recording)
    assert added.config is services.config
    assert "/api/v1/added" in paths(build_app(services))
    assert not added.stopped
    await Lifecycle(services).stop()
    assert added.stopped


async def test_without_the_laboratory_the_service_lacks_only_the_planner(install: Install, tmp_path: Path) -> None:
    services = compose(Config(store=tmp_path / "with"))
    complete = paths(build_app(services))
    await Lifecycle(services).stop()
    install()
    services = compose(Config(store=tmp_path / "without"))
    assert services.extensions == {}
    missing = complete - paths(build_app(services))
    assert missing
    assert all(path.startswith("/api/v1/planner") for path in missing)
    await Lifecycle(services).stop()


def test_the_commands_of_the_laboratory_are_there_if_it_is(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    def commands() -> set[str]:
        with pytest.raises(SystemExit) as ended:
            main(["--help"])
        assert ended.value.code == 0
        return {
            line.split()[0]
            for line in capsys.readouterr().out.splitlines()
            if line.startswith("    ") and line[4] > " "
        }

    complete = commands()
    install()
    assert complete - commands() == LABORATORY
    with pytest.raises(SystemExit) as ended:
        main(["plan", "--clients", "1", "--mean-seconds", "1"])
    assert ended.value.code == 2


def test_a_command_of_the_product_loads_nothing_of_the_laboratory(tmp_path: Path) -> None:
    code = """if True:
        import sys
        from wavescope.cli import main
        code = main(sys.argv[1:])
        sys.exit(code or sum(name.startswith("wavescope_lab") for name in sys.modules))
    """
    command = [sys.executable, "-c", code, "config", "--store", str(tmp_path)]
    assert subprocess.run(command, capture_output=True, timeout=120, check=False).returncode == 0

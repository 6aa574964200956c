"""The Nth file-system call of an ingest, of saved annotations, of changed accounts fails, or kills the process.
Afterwards the store opens, good slides are whole, and nothing acknowledged is lost (ST7, ST8, ST54, ST55)."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from attack.nursery import Done, Fault, Nursery
from attack.report import Findings, Workspace
from attack.service import API, PASSWORD
from attack.slides import Contents, make_slides, read_all

FAULTS = ("killed import", "full disk", "failing disk")  # rows of shared/operations/faults.md
SOURCE, NEWER = "specimen:1100x700", "specimen:900x1100"
OTHER_PASSWORD = "another horse battery"
ANNOTATIONS = f"{API}/slides/good/annotations"


@dataclass(frozen=True)
class World:
    """A store to be copied, and what its slide ``good`` gives."""

    nursery: Nursery
    store: Path
    digest: str
    contents: Contents


Start = Callable[[World, Path, Fault | None], Done]
Look = Callable[[World, Path, Done], str]


@dataclass(frozen=True)
class Scenario:
    """Something that is interrupted, and what must hold afterwards: an empty text, or what does not."""

    start: Start
    look: Look


def attack(workspace: Workspace, findings: Findings) -> None:
    store = workspace.folder / "store"
    with Nursery() as nursery:  # it gets warm meanwhile
        digest = make_slides(store, {"good": SOURCE})["good"]
        world = World(nursery, store, digest, read_all(store, digest).contents)
        added = ["user", "add", "adam", "--role", "admin", "--store", str(store)]
        done = nursery.run("command", store, arguments=added, stdin=f"{PASSWORD}\n")
        if not findings.check(done.code == 0, f"an account cannot be added: {done}"):
            return
        cases: list[tuple[str, Fault]] = []
        for name, scenario in findings.until_late(list(SCENARIOS.items()), 0.6):
            copy = _copy(world, workspace.folder / "counted")
            done = scenario.start(world, copy, None)
            reason = scenario.look(world, copy, done)
            findings.check(done.calls > 3 and done.code == 0 and not reason, f"{name}, undisturbed: {done} {reason}")
            faults = _faults(done.calls, workspace.random(name), 7 if workspace.short else 60)
            cases += [(name, fault) for fault in faults[1:]]
            _try(world, name, faults[0], workspace.folder / "tried", findings)
        workspace.random("kill_points").shuffle(cases)
        for name, fault in findings.until_late(cases):
            _try(world, name, fault, workspace.folder / "tried", findings)


def _faults(calls: int, random: Random, count: int) -> list[Fault]:
    """The last and the first call and a choice between them, each in all ways."""
    chosen = {1, calls, *random.sample(range(1, calls + 1), min(count, calls))}
    ways: list[tuple[str, int]] = [("kill", 0), ("once", errno.EIO), ("once", errno.ENOSPC), ("from", errno.ENOSPC)]
    picked = [(number, way) for number in sorted(chosen) for way in ways]
    return [Fault(number, way, error) for number, (way, error) in random.sample(picked, min(count, len(picked)))]


def _try(world: World, name: str, fault: Fault, place: Path, findings: Findings) -> None:
    scenario, copy = SCENARIOS[name], _copy(world, place)
    done = scenario.start(world, copy, fault)
    words = f"{name}, {fault} (exit code {done.code})"
    reason = done.stopped or _good_slide(world, copy) or scenario.look(world, copy, done)
    if not reason and "Traceback" in done.errors and done.code != -9:
        reason = f"a traceback that ends {done.errors.rstrip().splitlines()[-1][:160]!r}"
    findings.check(not reason, f"{words}: {reason}")


def _copy(world: World, place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(world.store, place)
    return place


def _command(world: World, store: Path, *arguments: str, fault: Fault | None = None) -> Done:
    return world.nursery.run("command", store, fault, arguments=[*arguments, "--store", str(store)])


def _listed(world: World, store: Path) -> dict[str, dict[str, Any]] | str:
    """The catalog's slides by id, or why it cannot be read."""
    done = _command(world, store, "list", "--json")
    slides = done.said[0] if done.code == 0 and done.said else None
    if slides is None:
        return f"wavescope list: {done.code} {done.errors[-200:]}"
    return {slide["id"]: slide for slide in (slides["slides"] if isinstance(slides, dict) else slides)}


def _good_slide(world: World, store: Path) -> str:
    """Every byte of the slide that was there before, as long as its version is."""
    if not (store / "slides" / world.digest).exists():
        return ""  # a newer version is its own scenario's matter
    found = read_all(store, world.digest)
    return "" if found.contents == world.contents else f"the good slide is damaged: {list(found.refused.items())[:2]}"


def _whole(world: World, store: Path, slide_id: str) -> str:
    done = _command(world, store, "verify", slide_id)
    return "" if done.code == 0 else f"verify {slide_id}: {done.code} {(done.output + done.errors)[-200:]}"


def _ingest(world: World, store: Path, fault: Fault | None) -> Done:
    return _command(world, store, "ingest", NEWER, "--id", "new", "--workers", "1", fault=fault)


def _after_ingest(world: World, store: Path, done: Done) -> str:
    """The slide is whole or not there; an exit code of 0 says that it is; a second try succeeds."""
    listed = _listed(world, store)
    if isinstance(listed, str):
        return listed
    if "good" not in listed:
        return "the good slide is gone from the list"
    if "new" in listed:
        return _whole(world, store, "new")
    if done.code == 0:
        return "exit code 0, and the slide is not there"
    again = _ingest(world, store, None)
    return _whole(world, store, "new") if again.code == 0 else f"the second try: {again.code} {again.errors[-200:]}"


def _replace(world: World, store: Path, fault: Fault | None) -> Done:
    return _command(world, store, "ingest", NEWER, "--id", "good", "--workers", "1", fault=fault)


def _after_replace(world: World, store: Path, done: Done) -> str:
    """Always a whole slide, the old or the new one; the new one once that is acknowledged."""
    listed = _listed(world, store)
    if isinstance(listed, str):
        return listed
    if "good" not in listed:
        return "the slide is gone from the list"
    if done.code == 0 and listed["good"]["digest"] == world.digest:
        return "exit code 0, and the old version is there"
    return _whole(world, store, "good")


def _trash(world: World, store: Path, fault: Fault | None) -> Done:
    return _command(world, store, "delete", "good", fault=fault)


def _after_trash(world: World, store: Path, done: Done) -> str:
    """In the list or in the trash, and whole again when it is restored."""
    listed = _listed(world, store)
    if isinstance(listed, str):
        return listed
    if done.code == 0 and "good" in listed:
        return "exit code 0, and the slide is still listed"
    if "good" not in listed:
        back = _command(world, store, "restore", "good")
        if back.code:
            return f"restore: {back.code} {back.errors[-200:]}"
    return _whole(world, store, "good")


def _content(index: int) -> dict[str, Any]:
    return {"kind": "point", "geometry": {"type": "Point", "coordinates": [10 + index, 20]}, "name": f"n{index}"}


SAVES: Sequence[Any] = [
    *(["PUT", f"{ANNOTATIONS}/a{index}", _content(index), {"if-none-match": "*"}] for index in range(5)),
    ["PUT", f"{ANNOTATIONS}/a0", _content(90), {"if-match": '"r1"'}],
    ["DELETE", f"{ANNOTATIONS}/a4", None, {"if-match": '"r1"'}],
]


def _save(world: World, store: Path, fault: Fault | None) -> Done:
    return world.nursery.run("requests", store, fault, asked=SAVES)


def _after_save(world: World, store: Path, done: Done) -> str:
    """Each answer of 2xx holds."""
    asked: list[list[Any]] = [["GET", f"{ANNOTATIONS}/a{index}", None, {}] for index in range(5)]
    found = {line[0]: line[1:] for line in world.nursery.run("requests", store, asked=asked).said}
    if len(found) < 5:
        return "the service does not start again"
    acknowledged = {line[0] for line in done.said if 200 <= line[1] < 300}
    for index in acknowledged & set(range(4)):
        if found[index][0] != 200:
            return f"annotation a{index} was saved and is gone"
    if 5 in acknowledged and '"n90"' not in found[0][1]:
        return "a change of annotation a0 was saved and is gone"
    return "annotation a4 was deleted and is there" if 6 in acknowledged and found[4][0] != 404 else ""


ACCOUNTS: Sequence[Any] = [
    *(
        ["POST", f"{API}/users", {"name": name, "password": PASSWORD, "role": "viewer"}, {}]
        for name in ("vera", "bela")
    ),
    ["PUT", f"{API}/account/password", {"old": PASSWORD, "new": OTHER_PASSWORD}, {}],
]


def _account(world: World, store: Path, fault: Fault | None) -> Done:
    how: dict[str, Any] = {"access": "accounts", "name": "adam", "password": PASSWORD}
    return world.nursery.run("requests", store, fault, asked=ACCOUNTS, **how)


def _signs_in(world: World, store: Path, name: str, password: str) -> bool:
    asked = [["POST", f"{API}/sign-in", {"name": name, "password": password}, {}]]
    said = world.nursery.run("requests", store, asked=asked, access="accounts").said
    return bool(said) and said[0][1] == 200


def _after_account(world: World, store: Path, done: Done) -> str:
    """Who was added can sign in; a password that was changed is the new one, else one of both."""
    acknowledged = {line[0] for line in done.said if 200 <= line[1] < 300}
    for index, name in enumerate(("vera", "bela")):
        if index in acknowledged and not _signs_in(world, store, name, PASSWORD):
            return f"{name} was added and cannot sign in"
    new = _signs_in(world, store, "adam", OTHER_PASSWORD)
    if 2 in acknowledged:
        return "" if new else "the password was changed and is not accepted"
    return "" if new or _signs_in(world, store, "adam", PASSWORD) else "adam can sign in with neither password"


SCENARIOS = {
    "ingest": Scenario(_ingest, _after_ingest),
    "ingest of a new version": Scenario(_replace, _after_replace),
    "delete": Scenario(_trash, _after_trash),
    "annotations": Scenario(_save, _after_save),
    "accounts": Scenario(_account, _after_account),
}

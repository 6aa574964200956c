"""A file system that keeps through a power failure what was synced, and of the rest what a test chooses.

Contents of a file are on the disk when it is fsynced; names when their directory is. A rename is one step: both
directories change, or none. Changes of names that touch the same directory reach the disk in their order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from power.trace import Call


@dataclass(eq=False)
class File:
    """What a reader sees now, and what is on the disk."""

    data: bytearray = field(default_factory=bytearray)
    synced: bytes = b""


@dataclass(eq=False)
class Folder:
    """Names now, and on the disk."""

    names: dict[str, Node] = field(default_factory=dict)
    synced: dict[str, Node] = field(default_factory=dict)


ACKNOWLEDGED = "acknowledged "
"""How a line on stdout begins that tells of something done."""
Node = File | Folder
Step = list[tuple[Folder, str, Node | None]]
"""Names that change together; None: removed."""


class State(NamedTuple):
    """What a power failure leaves: path -> content, None for a folder; and how much had been acknowledged by then."""

    kind: str
    moment: str
    files: dict[str, bytes | None]
    acknowledged: tuple[str, ...]


KINDS: tuple[tuple[str, bool, Callable[[str], bool]], ...] = (
    ("only what is synced", False, lambda path: False),
    ("names without contents", True, lambda path: False),
    ("contents without names", False, lambda path: True),
    ("some contents", True, lambda path: crc32(path.encode()) % 2 == 0),
    ("the other contents", True, lambda path: crc32(path.encode()) % 2 == 1),
    ("everything", True, lambda path: True),
)
"""Name, whether names that are not synced are there, and of which files the contents are."""


class Disk:
    """The files below ``root``; what lies there at first is on the disk."""

    def __init__(self, root: Path) -> None:
        self.root = os.path.realpath(root)
        self.top = _loaded(Path(self.root))
        self.acknowledged: list[str] = []
        self._pending: list[Step] = []
        self._places: dict[str, int] = {}
        self._open: dict[str, File] = {}

    def states(self, calls: list[Call]) -> Iterator[State]:
        """After each call that matters: what is there if all was lost that is not synced, if nothing was, and if only
        names, only contents, or the contents of every second file were.
        """
        seen: set[int] = set()
        for call in calls:
            if not self.execute(call):
                continue
            for kind, names, contents in KINDS:
                files = dict(_walk(self.top, "", names, contents))
                acknowledged = tuple(self.acknowledged)
                mark = hash((tuple(files.items()), acknowledged))
                if mark not in seen:
                    seen.add(mark)
                    yield State(kind, f"{call.name} {call.paths} {call.strings[-1:]!r}"[:200], files, acknowledged)

    def execute(self, call: Call) -> bool:
        """Whether the call is one after which a failure is worth a look."""
        handler: Callable[[Call], bool] | None = getattr(self, f"_{call.name}", None)
        inside = self._mine(call) or (call.name == "write" and call.text.startswith("1,"))
        if handler is None:
            assert not inside or call.name in ("close",), f"{call.name} is not modelled"
            return False
        return handler(call) if inside else False

    # -- calls

    def _openat(self, call: Call) -> bool:
        path, made = self._path(call), False
        folder, name = self._parent(path)
        flags = call.arguments[2] if len(call.arguments) > 2 else ""
        node = folder.names.get(name) if folder else None
        if folder and node is None and "O_CREAT" in flags:
            node = File()
            self._change([(folder, name, node)])
            made = True
        number = str(call.value)
        if isinstance(node, File):
            if "O_TRUNC" in flags:
                node.data.clear()
            self._open[number] = node
            self._places[number] = len(node.data) if "O_APPEND" in flags else 0
        return made

    def _lseek(self, call: Call) -> bool:
        self._places[call.arguments[0]] = call.value
        return False

    def _write(self, call: Call) -> bool:
        number = call.arguments[0]
        if number == "1":
            lines = call.strings[0].decode().splitlines()
            self.acknowledged += [line.removeprefix(ACKNOWLEDGED) for line in lines if line.startswith(ACKNOWLEDGED)]
            return True
        self._put(number, self._places[number], call.strings[0][: call.value])
        self._places[number] += call.value
        return False

    def _pwrite64(self, call: Call) -> bool:
        self._put(call.arguments[0], int(call.arguments[-1]), call.strings[0][: call.value])
        return False

    def _ftruncate(self, call: Call) -> bool:
        data, length = self._open[call.arguments[0]].data, int(call.arguments[1])
        data[length:] = bytes(max(0, length - len(data)))
        return False

    def _fsync(self, call: Call) -> bool:
        node = self._open.get(call.arguments[0])
        if node is not None and not self._is_folder(call.paths[0]):
            node.synced = bytes(node.data)
        else:
            folder = self._node(call.paths[0])
            assert isinstance(folder, Folder), call
            self._sync(folder)
        return True

    _fdatasync = _fsync

    def _mkdir(self, call: Call) -> bool:
        folder, name = self._parent(self._path(call))
        assert folder is not None
        self._change([(folder, name, Folder())])
        return True

    _mkdirat = _mkdir

    def _unlink(self, call: Call) -> bool:
        folder, name = self._parent(self._path(call))
        assert folder is not None
        self._change([(folder, name, None)])
        return True

    _unlinkat = _rmdir = _unlink

    def _rename(self, call: Call) -> bool:
        (one, old), (other, new) = (self._parent(os.fsdecode(text)) for text in call.strings)
        assert one is not None
        assert other is not None
        moved = one.names[old]
        left = other.names[new] if "RENAME_EXCHANGE" in call.text else None
        self._change([(one, old, left), (other, new, moved)])
        return True

    _renameat2 = _renameat = _rename

    # -- inside

    def _change(self, step: Step) -> None:
        for folder, name, node in step:
            _set(folder.names, name, node)
        self._pending.append(step)

    def _sync(self, folder: Folder) -> None:
        """All pending steps that touch the folder, and those before them that touch what they touch."""
        wanted, due = {id(folder)}, []
        for step in reversed(self._pending):
            if any(id(one) in wanted for one, _, _ in step):
                wanted |= {id(one) for one, _, _ in step}
                due.append(step)
        for step in reversed(due):
            for one, name, node in step:
                _set(one.synced, name, node)
        self._pending = [step for step in self._pending if step not in due]

    def _put(self, number: str, offset: int, piece: bytes) -> None:
        data = self._open[number].data
        data.extend(bytes(max(0, offset - len(data))))
        data[offset : offset + len(piece)] = piece

    def _mine(self, call: Call) -> bool:
        if call.name in ("lseek", "write", "pwrite64", "ftruncate", "fsync", "fdatasync", "close"):
            return call.paths[:1] != () and self._below(call.paths[0])
        return bool(call.strings) and self._below(self._path(call))

    def _path(self, call: Call) -> str:
        path = os.fsdecode(call.strings[0])
        return path if path.startswith("/") or not call.paths else os.path.join(call.paths[0], path)

    def _below(self, path: str) -> bool:
        return path == self.root or path.startswith(self.root + "/")

    def _is_folder(self, path: str) -> bool:
        return self._below(path) and isinstance(self._node(path), Folder)

    def _node(self, path: str) -> Node | None:
        node: Node | None = self.top
        for name in path[len(self.root) :].split("/"):
            if name:
                node = node.names.get(name) if isinstance(node, Folder) else None
        return node

    def _parent(self, path: str) -> tuple[Folder | None, str]:
        above, _, name = path.rstrip("/").rpartition("/")
        folder = self._node(above) if self._below(above) else None
        return (folder if isinstance(folder, Folder) else None), name


def laid_out(state: State, root: Path) -> Path:
    """The state as real files."""
    for path, content in state.files.items():
        target = root / path.lstrip("/")
        if content is None:
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.write_bytes(content)
    return root


def _loaded(path: Path) -> Folder:
    folder = Folder()
    for entry in sorted(path.iterdir()):
        node: Node
        if entry.is_dir():
            node = _loaded(entry)
        else:
            data = entry.read_bytes()
            node = File(bytearray(data), data)
        folder.names[entry.name] = folder.synced[entry.name] = node
    return folder


def _set(names: dict[str, Node], name: str, node: Node | None) -> None:
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node


def _walk(
    folder: Folder, path: str, names: bool, contents: Callable[[str], bool]
) -> Iterator[tuple[str, bytes | None]]:
    yield path or "/", None
    for name, node in sorted((folder.names if names else folder.synced).items()):
        if isinstance(node, Folder):
            yield from _walk(node, f"{path}/{name}", names, contents)
        else:
            yield f"{path}/{name}", bytes(node.data) if contents(f"{path}/{name}") else node.synced

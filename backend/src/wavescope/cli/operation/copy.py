"""``wavescope copy``"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from wavescope.cli.configured import config_of
from wavescope.cli.operation.copy_files import copied_files
from wavescope.cli.operation.copy_identity import copied_identity
from wavescope.cli.output import DAMAGED, OK, print_line, print_stderr, quantity, result
from wavescope.config import Config
from wavescope.errors import CorruptStore, InvalidParameter
from wavescope.store.files.stored import ORIGINALS, OVERLAYS
from wavescope.store.objects.backend import FolderBackend, ObjectBackend, VersionBackend
from wavescope.store.objects.client import Objects
from wavescope.store.objects.copy import Copied, CopyProgress, Report, copy
from wavescope.store.objects.location import is_location

DIGEST = re.compile(r"[0-9a-f]{32}")


def run(arguments: argparse.Namespace) -> int:
    """Copy versions; exit code 1 if one is damaged at its source. The others are copied."""
    config = config_of(arguments)
    source, target = _backend(arguments.source, config, exists=True), _backend(arguments.target, config)
    for digest in arguments.digests:
        if not DIGEST.fullmatch(digest):
            raise InvalidParameter("DIGEST", digest, "32 hexadecimal digits, as wavescope list --json prints them")
    digests = list(dict.fromkeys(arguments.digests)) or source.digests()
    if not digests:
        raise InvalidParameter("FROM", arguments.source, "a folder or s3://BUCKET/PREFIX with slide versions")
    copied: list[Copied] = []
    damaged: list[CorruptStore] = []
    for digest in digests:
        try:
            with _progress(arguments.json, digest) as report:
                copied.append(copy(source, target, digest, report))
        except CorruptStore as error:
            damaged.append(error)
            print_stderr(str(error))
            continue
        if not arguments.json:
            print_line(_sentence(copied[-1]))
    files = copied_files(source, target, ORIGINALS, wanted=arguments.originals)
    overlays = copied_files(source, target, OVERLAYS, wanted=arguments.overlays)
    whole_versions = [one.digest for one in copied]
    identified, unreadable = copied_identity(source, target, whole_versions, wanted=arguments.identity)
    if arguments.json:
        facts = {"copied": [vars(one) for one in copied], "damaged": [error.digest for error in damaged]}
        stored = {"originals": [vars(one) for one in files], "overlays": [vars(one) for one in overlays]}
        result({**facts, **stored, "identity": identified})
    whole = not damaged and not unreadable and all(one.reason is None for one in (*files, *overlays))
    return OK if whole else DAMAGED


def _backend(text: str, config: Config, *, exists: bool = False) -> VersionBackend:
    if is_location(text):
        return ObjectBackend(Objects.at(text, config.slide_store_seconds))
    if exists and not Path(text).is_dir():
        raise InvalidParameter("FROM", text, "a folder that exists, or s3://BUCKET/PREFIX")
    return FolderBackend(Path(text))


def _sentence(copied: Copied) -> str:
    if copied.sent == 0:
        return f"{copied.digest}: is there already, every byte verified"
    before = copied.files - 1 - copied.sent
    there = f", {before} were there already" if before else ""
    return f"{copied.digest}: {copied.sent} files, {quantity(copied.sent_bytes)}{there}; every byte verified"


@contextmanager
def _progress(as_json: bool, digest: str) -> Iterator[Report]:
    """Lines of JSON or a bar, on stderr."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("files"))
    console = Console(stderr=True)
    hidden = as_json or not console.is_terminal
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task(digest[:12], total=None)

        def report(progress: CopyProgress) -> None:
            if as_json:
                line = {"event": "progress", "digest": digest, **vars(progress)}
                print(json.dumps(line), file=sys.stderr, flush=True)
            bar.update(task, total=progress.total, completed=progress.done)

        yield report

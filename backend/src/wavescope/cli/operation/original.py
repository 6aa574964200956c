"""``wavescope original``"""

from __future__ import annotations

import argparse
import time

from wavescope.catalog.originals.table import OriginalTable
from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line, print_stderr, quantity, result
from wavescope.cli.recorded import record
from wavescope.cli.store import opened_catalog
from wavescope.errors import OriginalDamaged, UnknownOriginal
from wavescope.service.slides.removal import collect_originals
from wavescope.service.storage import object_backend
from wavescope.store.durable import write_file
from wavescope.store.files.location import files_at
from wavescope.store.files.stored import ORIGINALS
from wavescope.store.layout import StorePaths


def run(arguments: argparse.Namespace) -> int:
    """Describe, save or delete the original file of a slide."""
    config = config_of(arguments)
    backend = object_backend(config)
    originals = files_at(StorePaths(config.store), backend, ORIGINALS)
    with opened_catalog(config) as catalog:
        table = OriginalTable(catalog)
        file = table.of(arguments.id)
        if file is None:
            raise UnknownOriginal(arguments.id)
        if arguments.drop:
            record(catalog, "original deleted", arguments.id, file=file.name)
            table.drop(arguments.id)
            collect_originals(table, config.store, time.time(), backend)
            print_line(f"{arguments.id}: the original file is deleted permanently")
            return OK
        if arguments.output is not None:
            record(catalog, "original downloaded", arguments.id, file=file.name)
    if arguments.output is not None:
        target = arguments.output
        try:
            written = write_file(target, originals.chunks(file.sha256), private=True)
        except FileNotFoundError as cause:
            if originals.size(file.sha256) is not None:  # the folder of the target is what is missing
                raise
            raise OriginalDamaged(file.sha256, "the file is missing") from cause
        if written.sha256.hex() != file.sha256:
            target.unlink()
            raise OriginalDamaged(file.sha256, "its SHA-256 does not match")
    if arguments.json:
        facts = {"name": file.name, "bytes": file.size, "files": file.files, "sha256": file.sha256}
        result({"id": arguments.id, **facts})
        return OK
    packed = f", a ZIP of {file.files} files" if file.files > 1 else ""
    print_line(f"{file.name}: {quantity(file.size)}{packed}, SHA-256 {file.sha256}")
    if arguments.output is not None:
        print_stderr("this access was written to the audit log")
    return OK

"""``wavescope backup`` and ``restore-backup``"""

from __future__ import annotations

import argparse

from wavescope.catalog.access.audit import AuditLog
from wavescope.cli.configured import config_of
from wavescope.cli.output import DAMAGED, OK, print_line, print_stderr, quantity, result
from wavescope.cli.recorded import record
from wavescope.cli.store import opened_catalog
from wavescope.service.backup import Contents, make_backup, restore_backup, verify_backup
from wavescope.service.opening import url_of
from wavescope.service.storage import object_backend


def make(arguments: argparse.Namespace) -> int:
    """Write the catalog, and the slides' bytes if wanted, into one file."""
    config = config_of(arguments)
    if arguments.verify:
        return _print_contents(arguments, verify_backup(arguments.file), "whole")
    with opened_catalog(config) as catalog:
        contents = make_backup(
            catalog,
            config.store,
            arguments.file,
            pixels=arguments.pixels,
            replace=arguments.replace,
            backend=object_backend(config),
        )
        record(catalog, "backup made", file=arguments.file.name, pixels=arguments.pixels)
    return _print_contents(arguments, contents, quantity(arguments.file.stat().st_size))


def restore(arguments: argparse.Namespace) -> int:
    """Bring a store back from a backup."""
    config = config_of(arguments)
    restored = restore_backup(
        arguments.file, config.store, url_of(config), replace=arguments.replace, backend=object_backend(config)
    )
    with opened_catalog(config) as catalog:
        fault = AuditLog(catalog.engine).verify().fault
        record(catalog, "backup restored", file=arguments.file.name)
    for slide_id in restored.missing:
        print_stderr(f"{slide_id}: its version is not in this store; import its file again, or restore its folder")
    if fault is not None:
        print_stderr(f"the audit log of this backup is damaged: {fault}")
    code = _print_contents(arguments, restored.contents, "restored", missing=restored.missing)
    return DAMAGED if fault is not None or restored.missing else code


def _print_contents(arguments: argparse.Namespace, contents: Contents, word: str, missing: tuple[str, ...] = ()) -> int:
    rows = sum(contents.tables.values())
    if arguments.json:
        facts = {"revision": contents.revision, "tables": contents.tables, "slides": contents.slides}
        result({"file": str(arguments.file), "pixels": contents.pixels, **facts, "missing": missing})
    else:
        kind = "with" if contents.pixels else "without"
        print_line(f"{arguments.file}: {word}; {rows} rows of {len(contents.tables)} tables")
        print_line(f"{len(contents.slides)} slides {kind} their bytes")
    return OK

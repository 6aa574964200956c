"""``wavescope identity``"""

from __future__ import annotations

import argparse

from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line, print_stderr, result
from wavescope.cli.recorded import record
from wavescope.cli.store import opened_catalog
from wavescope.service.storage import object_backend
from wavescope.store.durable import write_file
from wavescope.store.layout import StorePaths
from wavescope.store.objects.phi import phi_of
from wavescope.store.private import FOLDER


def run(arguments: argparse.Namespace) -> int:
    """Show, save or delete the identifying data of a source file."""
    config = config_of(arguments)
    store = phi_of(StorePaths(config.store), object_backend(config))
    with opened_catalog(config) as catalog:
        digest = catalog.resolve(arguments.id)
        record(catalog, "label removed" if arguments.drop else "looked at label", arguments.id)
    if arguments.drop:
        there = store.drop(digest)
        print_line(f"{arguments.id}: deleted permanently" if there else f"{arguments.id}: nothing to delete")
        return OK
    texts, images = store.texts(digest), store.images(digest)
    if arguments.save:
        arguments.save.mkdir(FOLDER, parents=True, exist_ok=True)
        for name in images:
            write_file(arguments.save / f"{arguments.id}.{name}.png", [store.image(digest, name) or b""], private=True)
    if arguments.json:
        result({"id": arguments.id, "images": images, "texts": texts})
        return OK
    for name, text in texts.items():
        print_line(f"{name:40} {' '.join(text.split())[:200]}")
    print_line(f"pictures: {', '.join(images) or 'none'}")
    print_stderr("this access was written to the audit log")
    return OK

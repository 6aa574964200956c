"""``wavescope presign``"""

from __future__ import annotations

import argparse

from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line, result
from wavescope.cli.recorded import record
from wavescope.cli.store import opened_catalog
from wavescope.errors import InvalidParameter
from wavescope.service.storage import object_backend
from wavescope.store.objects.contents import MANIFEST
from wavescope.store.objects.copy import contents_of, manifest_of

MAX_SECONDS = 7 * 24 * 3600
"""The limit of S3."""


def run(arguments: argparse.Namespace) -> int:
    """Print a URL for every file of the current version; anyone who has them reads the slide until they expire."""
    config, seconds = config_of(arguments), arguments.seconds
    backend = object_backend(config)
    if backend is None:
        raise InvalidParameter("slide_store", "", "s3://BUCKET/PREFIX: only files of an object store have such URLs")
    if not 1 <= seconds <= MAX_SECONDS:
        raise InvalidParameter("--seconds", seconds, f"1 to {MAX_SECONDS}")
    with opened_catalog(config) as catalog:
        digest = catalog.resolve(arguments.id)
        files = backend.files(digest)
        manifest, _ = manifest_of(files, digest)
        paths = [MANIFEST, *contents_of(files, digest, manifest)]
        record(catalog, "presigned", arguments.id, seconds=seconds)
    urls = backend.signed(digest, paths, seconds)
    if arguments.json:
        result({"id": arguments.id, "digest": digest, "seconds": seconds, "files": urls})
    else:
        for path, url in urls.items():
            print_line(f"{path} {url}")
    return OK

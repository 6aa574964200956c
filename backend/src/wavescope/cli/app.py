"""The ``wavescope`` command: every subcommand with its parameters, and one table from errors to exit codes.

Exit codes: 0 done; 1 damage found, or an internal error; 2 the request cannot be executed (one line on stderr);
130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from wavescope.cli.access_options import audit_options, lti_options, user_options
from wavescope.cli.opening.options import open_options
from wavescope.cli.operation.copy_options import copy_options
from wavescope.cli.operation.edge_options import edge_options
from wavescope.cli.operation.export_options import export_options
from wavescope.cli.operation.original_options import original_options
from wavescope.cli.output import DAMAGED, INTERRUPTED, OK, USER_ERROR, library_messages, print_stderr
from wavescope.cli.overlays.options import overlay_options
from wavescope.deferred import permanent
from wavescope.errors import IngestCancelled, InvalidParameter, WavescopeError
from wavescope.ingest.quality.presets import quality_of
from wavescope.installation import additions


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    parser = _parser(words)
    parsed = parser.parse_args(words)
    if parsed.store is not None and not parsed.takes_store:
        parser.error("this command has no --store")
    try:
        module, function = parsed.run.split(":")
        with library_messages(shown=parsed.verbose):
            code: int = getattr(_imported(f"{parsed.package}.{module}"), function)(parsed)
        sys.stdout.flush()
        return code
    except (KeyboardInterrupt, IngestCancelled):
        print_stderr("interrupted; finished parts are saved, run the same command again to continue")
        return INTERRUPTED
    except WavescopeError as error:
        print_stderr(str(error))
        return USER_ERROR
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        print_stderr(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
        return USER_ERROR
    except Exception as error:
        if os.environ.get("WAVESCOPE_DEBUG"):
            raise
        print_stderr(f"internal error: {type(error).__name__}: {error} (WAVESCOPE_DEBUG=1 prints a traceback)")
        return DAMAGED


def _imported(name: str) -> ModuleType:
    if name in sys.modules:
        return sys.modules[name]
    with permanent():
        return importlib.import_module(name)


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("wavescope", description="A virtual microscope and its wavelet tile service.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    parser.set_defaults(takes_store=True, package="wavescope.cli")
    _general(_common(parser))
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    general = _general(argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS))
    common = _common(argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS, parents=[general]))
    json = argparse.ArgumentParser(add_help=False)
    json.add_argument("--json", action="store_true", help="one JSON value on stdout, for scripts")

    def command(name: str, run: str, text: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text, parents=[common, *parents])
        added.set_defaults(run=run)
        return added

    opening = command("open", "opening.run:run", "open a slide file in the browser, from a store of this user")
    open_options(opening)
    _quality(opening, default="visual")
    _ingest(command("ingest", "imports.ingest:run", "import slide files and publish them", json))
    reencode = command(
        "reencode", "imports.reencode:run", "make a smaller version of a stored slide from its own pixels", json
    )
    reencode.add_argument("id", metavar="SLIDE")
    _quality(reencode, default=None)
    _steps(reencode)
    reencode.add_argument("--workers", type=int, metavar="N", help="threads (default: one per processor)")
    edge_options(command("edge", "operation.edge:run", "cache the slides of other services near their users"))
    serve = command("serve", "serve:run", "serve the microscope and the API")
    serve.add_argument("--host", help="address to bind to (default: 127.0.0.1)")
    serve.add_argument("--port", type=int, help="port to bind to (default: 8000)")
    serve.add_argument("--watch", type=Path, metavar="DIR", help="import the files that are put into this folder")
    serve.add_argument(
        "--new-catalog", action="store_true", help="start with an empty catalog if the catalog of the slides is missing"
    )
    command("list", "slides:list_slides", "list all slides", json)
    for name, run, text in (
        ("info", "slides:info", "show bytes per level and layer, and ratios to raw pixels and to the source file"),
        ("verify", "slides:verify_slide", "check every stored byte of a slide"),
    ):
        command(name, run, text, json).add_argument("id", metavar="ID")
    command("delete", "trash:delete", "move a slide to the trash").add_argument("id", metavar="ID")
    command("trash", "trash:list_trash", "list the slides in the trash", json)
    command("restore", "trash:restore", "restore a slide from the trash").add_argument("id", metavar="ID")
    purge = command("purge", "trash:purge", "permanently delete a slide that is in the trash")
    purge.add_argument("id", metavar="ID", nargs="?")
    purge.add_argument("--all", action="store_true", help="empty the trash")
    rename = command("rename", "slides:rename", "change the title of a slide")
    rename.add_argument("id", metavar="ID")
    rename.add_argument("title", metavar="NEW")
    calibrate = command("calibrate", "slides:calibrate", "set the scale of a slide whose file does not state it")
    calibrate.add_argument("id", metavar="SLIDE")
    scale = calibrate.add_mutually_exclusive_group(required=True)
    scale.add_argument("--um-per-pixel", type=float, metavar="V", help="micrometres per level-0 pixel")
    scale.add_argument("--remove", action="store_true", help="delete the scale that was set")
    collect = command("collect", "slides:collect", "delete versions that no slide uses any more")
    collect.add_argument("--work", action="store_true", help="also delete the files of interrupted imports")
    _region(command("region", "pixels:region", "write a region of a slide to an image or array file"))
    register = command("register", "registration:run", "find where the tissue of a slide lies on another one", json)
    register.add_argument("left", metavar="LEFT")
    register.add_argument("right", metavar="RIGHT")
    scan = command("scan-quality", "scan_quality:run", "find what is out of focus, inked or under bubbles", json)
    scan.add_argument("slide", metavar="SLIDE")
    scan.add_argument(
        "--map",
        type=Path,
        metavar="FILE",
        help="write the map as TIFF, for: wavescope overlay add SLIDE FILE --content labels",
    )
    _prove(command("prove", "proof:run", "prove that browsers show the pixels of a slide, by a report", json))
    _rd(command("rd", "rd:run", "measure rate and distortion of the codec on one image", json))
    audit_options(commands, common, json)
    copy_options(commands, general, json)
    export_options(command("export", "operation.export:run", "write a slide for any web server, or as one file", json))
    presign = command("presign", "operation.presign:run", "print URLs that read a slide in an object store", json)
    presign.add_argument("id", metavar="ID")
    presign.add_argument("--seconds", type=int, default=3600, help="time until the URLs expire (default: 3600)")
    keys = command("grant-keys", "users:grant_keys", "print the public keys with which edge nodes verify grants")
    keys.add_argument("--rotate", action="store_true", help="sign with a new key; the previous key stays valid")
    user_options(
        commands.add_parser(
            "user", help="accounts: add, import, list, passwd, role, disable, enable, reset-second-factor"
        ),
        common,
        json,
    )
    lti_options(commands, common, json)
    _backup(
        command("backup", "backup:make", "write catalog, accounts, annotations and sessions to one file", json), True
    )
    _backup(command("restore-backup", "backup:restore", "restore a store from a backup file", json), False)
    rebuild = command("rebuild-catalog", "rebuild:run", "rebuild a lost catalog from the stored slides", json)
    rebuild.add_argument("--replace", action="store_true", help="rename a damaged catalog and start a new one")
    original_options(command("original", "operation.original:run", "save or delete the original file of a slide", json))
    overlay_options(commands, common, json)
    identity = command(
        "identity", "identity:run", "identifying data of a slide: show it (logged), save it or delete it", json
    )
    identity.add_argument("id", metavar="ID")
    identity.add_argument("--save", type=Path, metavar="DIR", help="write the label and macro images to this folder")
    identity.add_argument("--drop", action="store_true", help="delete it permanently")
    settings = command("config", "operation.settings:run", "list every setting with its value and source", json)
    settings.add_argument("--reference", action="store_true", help="print the reference page in Markdown instead")
    command("doctor", "operation.doctor:run", "check this installation", json)
    if not words or words[0] not in commands.choices:  # else they are not needed
        for point in additions("commands"):
            point.load()(commands, json)
    return parser


def _general(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Adds the options of every command, which stand before or after it: one that suppresses its defaults leaves what
    stood before.
    """
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings in TOML (default: $WAVESCOPE_CONFIG)")
    parser.add_argument(
        "--verbose",
        action="store_const",
        const=True,
        help="also print the warnings of the libraries that read slide files",
    )
    return parser


def _common(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Adds the option of the commands of one store."""
    parser.add_argument(
        "--store",
        metavar="DIR|s3://BUCKET/PREFIX",
        help="the store's folder (default: $WAVESCOPE_STORE or ./.wavescope), or the object store with its slides",
    )
    return parser


class _Version(argparse.Action):
    """Prints the version and ends the command."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib import metadata  # here: it imports a reader of e-mail

        print(f"wavescope {metadata.version('wavescope')}")
        parser.exit()


def _prove(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "slide",
        nargs="*",
        metavar="SLIDE",
        help="a slide of the store, or the address of its page; with --check also an exported slide or a file, "
        "of compared slides each, or nothing: what the receipt names",
    )
    parser.add_argument("--views", type=int, default=1000, metavar="N", help="views in each browser (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="chooses the views (default: 1)")
    parser.add_argument(
        "--browser",
        action="append",
        choices=("chromium", "firefox", "webkit"),
        help="once for each (default: chromium)",
    )
    parser.add_argument(
        "--out", type=Path, default=Path("proof"), metavar="DIR", help="folder of the report (default: proof)"
    )
    parser.add_argument("--key", type=Path, metavar="FILE", help="a private key (Ed25519, PEM) that signs the report")
    parser.add_argument(
        "--check", type=Path, metavar="RECEIPT", help="compare a receipt of the viewer with what it shows"
    )


def _ingest(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a slide file, a DICOM folder, or specimen:WxH[xPLANES]"
    )
    parser.add_argument("--id", help="the slide's id (default: from the file's name)")
    parser.add_argument("--title", help="the slide's title (default: its present title, else its id)")
    _quality(parser, default="visual")
    _steps(parser)
    parser.add_argument("--time", type=int, default=1, metavar="N", help="the time point, from 1, if FILE has several")
    parser.add_argument("--owner", metavar="NAME", help="the account that a new slide belongs to (default: the admins)")
    parser.add_argument("--if-new", action="store_true", help="skip a file from which a slide was already made")
    parser.add_argument(
        "--deidentify",
        action="store_true",
        help="leave out label, macro image, identifying texts and the file name; report them",
    )
    parser.add_argument(
        "--keep-original",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="store the file itself beside the slide, for its owner (default: the setting keep_originals)",
    )
    parser.add_argument(
        "--dry-run",
        action="store_const",
        dest="run",
        const="imports.advice:run",
        help="estimate size, PSNR and time of every quality; write nothing",
    )
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: one per processor)")
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="the scheduler of a Dask cluster whose workers help, such as tcp://dask:8786; they must see FILE too",
    )


def _backup(parser: argparse.ArgumentParser, making: bool) -> None:
    parser.add_argument("file", metavar="FILE", type=Path)
    if making:
        parser.add_argument("--pixels", action="store_true", help="also the slides' bytes and their identifying data")
        parser.add_argument("--verify", action="store_true", help="only verify every byte of FILE")
    what = "an existing FILE" if making else "the whole catalog"
    parser.add_argument("--replace", action="store_true", help=f"replace {what}")


def _region(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID")
    for name, text in (("x", "level-0 pixels"), ("y", "level-0 pixels")):
        parser.add_argument(f"--{name}", type=int, required=True, help=text)
    for name in ("width", "height"):
        parser.add_argument(f"--{name}", type=int, required=True, help="pixels of the level")
    parser.add_argument("--level", type=int, default=0)
    parser.add_argument("--z", type=int, default=None, help="focal plane; the middle one if absent")
    parser.add_argument("--layers", type=int, help="use only the first layers (default: all)")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a .png, .jpg, .webp or .npy file")


def _quality(parser: argparse.ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "--quality",
        "--profile",
        type=_quality_name,
        default=default,
        required=default is None,
        metavar="QUALITY",
        help="visual: no difference side by side at 1:1 (default); fine: none in a flicker test; compact: hard to "
        "notice without the original; lossless; auto: what the compression of the source deserves, never larger than "
        "its tiles; a PSNR of level 0 such as 40dB; of channels an error in units of noise such as 0.3sigma",
    )


def _quality_name(text: str) -> str:
    try:
        return quality_of(text).name
    except InvalidParameter as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _steps(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    usual = f"default: {default}" if default else "default: even for a PSNR, else perceptual"
    parser.add_argument(
        "--steps",
        choices=("even", "perceptual"),
        default=default,
        help=f"visual profile: perceptual for the best look, even for the least squared error ({usual})",
    )


def _rd(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("image", metavar="IMAGE")
    parser.add_argument("--profile", choices=("visual", "lossless"), default="visual")
    _steps(parser, "even")
    parser.add_argument("--save", type=Path, metavar="DIR", help="also write the decoded pictures")

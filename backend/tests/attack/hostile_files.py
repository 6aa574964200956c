"""Files made to hurt: each is refused in one line or becomes a slide that opens, in bounded time and memory."""

from __future__ import annotations

import io
import os
import socket
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tifffile
from PIL import Image

from attack.nursery import Done, Nursery
from attack.report import Findings, Workspace
from attack.slides import make_slides, read_all
from source.worlds import tissue, write_dicom, write_dicom_text, write_svs

FAULTS = ("hostile slide file",)  # rows of shared/operations/faults.md
SECONDS = 30.0  # for one file: those that are no attack are small
MAX_BYTES = 1 << 30  # resident, of a whole ingest
Make = Callable[[Path], Path]


def attack(workspace: Workspace, findings: Findings) -> None:
    store = workspace.folder / "store"
    files = workspace.place("files")
    cases = list(_cases())
    if not workspace.short:
        cases += list(_cuts(files))
    workspace.random("hostile_files").shuffle(cases)
    cases.sort(key=lambda case: "cut" in case[0])
    with Nursery() as nursery:  # it gets warm meanwhile
        digest = make_slides(store, {"good": "specimen:600x500"})["good"]
        right = read_all(store, digest).contents
        for index, (name, make) in enumerate(findings.until_late(cases)):
            folder = files / str(index)
            folder.mkdir()
            made = make(folder)
            over = index % 4 == 0  # over the good slide, which must not be lost by it
            _try(nursery, store, made, name, "good" if over else f"s{index}", findings)
            if over and (store / "slides" / digest).exists():
                findings.check(read_all(store, digest).contents == right, f"{name}: the good slide is damaged")


def _try(nursery: Nursery, store: Path, file: Path, name: str, slide_id: str, findings: Findings) -> None:
    arguments = ["ingest", str(file), "--id", slide_id, "--store", str(store)]
    done = nursery.run("command", store, arguments=arguments, seconds=SECONDS)
    findings.check(not (reason := _reason(done)), f"{name}: {reason}")
    listed = nursery.run("command", store, arguments=["list", "--json", "--store", str(store)])
    found = slide_id in listed.output
    if done.code == 0 or (slide_id == "good" and found):
        opened = nursery.run("requests", store, asked=[["GET", f"/api/v1/slides/{slide_id}", None, {}]])
        status = opened.said[0][1] if opened.said else None
        findings.check(
            found and status == 200, f"{name}: exit code {done.code}, and GET /slides/{slide_id} is {status}"
        )
    if slide_id == "good":
        findings.check(found, f"{name}: the slide that was there before is gone")


def _reason(done: Done) -> str:
    """What is wrong with how an ingest ended."""
    if done.stopped:
        return f"{done.stopped}: {done.seconds:.0f} s, {done.peak >> 20} MiB"
    if done.peak > MAX_BYTES:
        return f"took {done.peak >> 20} MiB"
    if "Traceback" in done.errors or done.code not in (0, 2):
        return f"exit code {done.code}: {done.errors.rstrip()[-200:]!r}"
    lines = [line for line in done.errors.splitlines() if line.strip()]
    return f"says {len(lines)} lines: {lines[:3]}" if done.code == 2 and len(lines) > 3 else ""


def _cases() -> Iterator[tuple[str, Make]]:
    for pages in (4_200, 8_000):
        yield f"TIFF of {pages} pages of 8 x 8", _in("s.tif", _pages, pages)
    for width, height in ((16_777_276, 1), (1, 16_777_276), (1 << 31, 1 << 31), (0, 5), (65_536, 65_536)):
        yield f"TIFF of {width} x {height}", _in("s.tif", _sides, width, height)
    for name, xml in OME.items():
        yield f"OME-TIFF: {name}", _in("s.ome.tif", _ome, xml)
    yield "PNG of 11000 x 11000", lambda folder: _png(folder / "s.png", 11_000, 11_000)
    yield "PNG of 30000 x 30000, head only", lambda folder: _png(folder / "s.png", 30_000, 30_000, rows=1)
    yield "JPEG that says 65500 x 65500", _jpeg
    yield "a FIFO", _fifo
    yield "a socket", _socket
    yield "a symbolic link to itself", _loop
    yield "a symbolic link to /dev/zero", _zero
    yield "an empty file", lambda folder: _bytes(folder / "s.svs", b"")
    yield "a directory of nothing", lambda folder: folder
    yield "a TIFF whose directories are a ring", _ring
    yield "a text called .svs", lambda folder: _bytes(folder / "s.svs", b"hello " * 1000)
    yield "DICOM with a damaged file beside it", _dicom


def _cuts(folder: Path) -> Iterator[tuple[str, Make]]:
    """A good file of each format, cut at many points."""
    picture = tissue(150, 200)
    svs = write_svs(folder / "whole.svs", picture).read_bytes()
    png, jpeg = io.BytesIO(), io.BytesIO()
    Image.fromarray(picture).save(png, "png")
    Image.fromarray(picture).save(jpeg, "jpeg")
    for kind, data in (("svs", svs), ("tif", svs), ("png", png.getvalue()), ("jpg", jpeg.getvalue())):
        for share in (0.01, 0.05, 0.2, 0.5, 0.9, 0.999):
            part = data[: int(len(data) * share)]
            yield f"{kind} cut at {share:.1%}", _in(f"s.{kind}", _bytes, part)


def _in(name: str, write: Callable[..., Path], *given: Any) -> Make:
    """What writes a file of this name into a folder."""
    return lambda folder: write(folder / name, *given)


def _bytes(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def _pages(path: Path, count: int) -> Path:
    page = np.zeros((8, 8), np.uint8)
    with tifffile.TiffWriter(path) as writer:
        for _ in range(count):
            writer.write(page, metadata=None, contiguous=False)
    return path


def _sides(path: Path, width: int, height: int) -> Path:
    """A TIFF of one strip whose head says these sides, whatever its bytes are."""
    data = zlib.compress(bytes(min(width * height, 1 << 25)))
    tags = [
        (256, 4, width & 0xFFFFFFFF), (257, 4, height & 0xFFFFFFFF), (258, 3, 8), (259, 3, 8), (262, 3, 1), (273, 4, 8),
        (277, 3, 1), (278, 4, height & 0xFFFFFFFF), (279, 4, len(data)),
    ]  # fmt: skip
    entries = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags)
    directory = struct.pack("<H", len(tags)) + entries + bytes(4)
    return _bytes(path, struct.pack("<2sHI", b"II", 42, 8 + len(data)) + data + directory)


def _ring(folder: Path) -> Path:
    """The last directory says that the first comes next."""
    path = folder / "s.tif"
    _pages(path, 3)
    with tifffile.TiffFile(path) as opened:
        last, first = opened.pages[-1].offset, opened.pages[0].offset
    data = bytearray(path.read_bytes())
    (count,) = struct.unpack_from("<H", data, last)
    struct.pack_into("<I", data, last + 2 + 12 * count, first)
    return _bytes(path, bytes(data))


PIXELS = (
    '<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">{before}'
    '<Image ID="Image:0"><Pixels '
    'ID="Pixels:0" DimensionOrder="XYZCT" Type="uint8" SizeX="{x}" SizeY="{y}" SizeZ="{z}" SizeC="{c}" SizeT="1">'
    '<Channel ID="Channel:0:0" SamplesPerPixel="1"/><TiffData/></Pixels></Image></OME>'
)
OME = {
    "SizeZ of a thousand million": PIXELS.format(before="", x=64, y=64, z=1_000_000_000, c=1),
    "SizeC of a thousand million": PIXELS.format(before="", x=64, y=64, z=1, c=1_000_000_000),
    "negative SizeZ": PIXELS.format(before="", x=64, y=64, z=-4, c=1),
    "SizeX of 10^18": PIXELS.format(before="", x=10**18, y=64, z=1, c=1),
    "SizeZ that is no number": PIXELS.format(before="", x=64, y=64, z="many", c=1),
    "XML nested 200,000 deep": PIXELS.format(before="<a>" * 200_000 + "</a>" * 200_000, x=64, y=64, z=1, c=1),
    "XML of 20 MB": PIXELS.format(before="<!--" + "x" * 20_000_000 + "-->", x=64, y=64, z=1, c=1),
    "XML that ends early": PIXELS.format(before="", x=64, y=64, z=1, c=1)[:200],
}


def _ome(path: Path, xml: str) -> Path:
    tifffile.imwrite(path, np.zeros((64, 64), np.uint8), description=xml.encode(), metadata=None)
    return path


def _png(path: Path, width: int, height: int, rows: int | None = None) -> Path:
    """Grey, each row of zeros; all rows or fewer."""
    packer = zlib.compressobj(1)
    data = b"".join(packer.compress(bytes(1 + width)) for _ in range(rows or height)) + packer.flush()
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)), (b"IDAT", data), (b"IEND", b"")]
    chunks = [
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in parts
    ]
    return _bytes(path, b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


def _jpeg(folder: Path) -> Path:
    made = io.BytesIO()
    Image.fromarray(tissue(64, 64)).save(made, "jpeg")
    data = bytearray(made.getvalue())
    at = data.index(b"\xff\xc0") + 5
    struct.pack_into(">HH", data, at, 65_500, 65_500)
    return _bytes(folder / "s.jpg", bytes(data))


def _fifo(folder: Path) -> Path:
    os.mkfifo(folder / "s.svs")
    return folder / "s.svs"


def _socket(folder: Path) -> Path:
    name = os.getcwd()
    os.chdir(folder)  # the name of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("s.tif")
    finally:
        os.chdir(name)
    return folder / "s.tif"


def _loop(folder: Path) -> Path:
    (folder / "s.svs").symlink_to(folder / "s.svs")
    return folder / "s.svs"


def _zero(folder: Path) -> Path:
    (folder / "s.tif").symlink_to("/dev/zero")
    return folder / "s.tif"


def _dicom(folder: Path) -> Path:
    """A series that is whole, a text, and a foreign file cut in the middle."""
    from source.test_dicom import HEIGHT, SIDE, WIDTH, frames

    whole = write_dicom(folder / "level0", frames(), (WIDTH, HEIGHT), side=SIDE, series="1.2.3")
    foreign = write_dicom(folder / "other", frames(), (WIDTH, HEIGHT), side=SIDE, series="1.2.9")
    foreign.write_bytes(foreign.read_bytes()[:600])
    write_dicom_text(folder / "report.dcm")
    return whole

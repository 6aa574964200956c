"""iipsrv on a JPEG 2000 file of the slide, as FastCGI behind nginx; Debian's, which decodes with OpenJPEG.

The file is made by vips at a PSNR: tiles of 512 x 512, full colour resolution.
"""

from __future__ import annotations

import http.client
import io
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from edge.processes import Program, nginx, program
from numpy.typing import NDArray
from PIL import Image
from setting import free_port, missing

from region_peers.places import SIDE, Place

IIPSRV = Path("/usr/lib/iipimage-server/iipsrv.fcgi")
NAME = "slide.jp2"


def needs() -> str:
    """What must be installed; empty if everything is there."""
    packages = {"vips": "libvips-tools", "nginx": "nginx"}
    wanted = [packages[name] for name in missing(*packages)] + ([] if IIPSRV.exists() else ["iipimage-server"])
    return f"the Debian packages {', '.join(wanted)}" if wanted else ""


def make_jpeg_2000(slide: Path, folder: Path, distortion: float) -> Path:
    """The slide as a file in this folder, without transparency. ``distortion``: the encoder's, about the PSNR in dB."""
    target = folder / NAME
    output = f"{target}[Q={min(round(distortion), 100)},strip]"
    subprocess.run(["vips", "extract_band", slide, output, "0", "--n", "3"], check=True)
    return target


def cut(image: Path, target: Path, place: Place, side: int) -> Path:
    """A square of a picture as a file of its own."""
    subprocess.run(["vips", "crop", image, target, *map(str, (*place, side, side))], check=True)
    return target


def pixels_of(image: Path, place: Place, folder: Path) -> NDArray[np.uint8]:
    """What a file has at a place (SIDE, SIDE, channels)."""
    return np.asarray(Image.open(cut(image, folder / "place.png", place, SIDE)).convert("RGB"))


class Iipsrv:
    """A running server: one request after another."""

    def __init__(self, port: int, process: Program) -> None:
        self._connection, self._process = http.client.HTTPConnection("127.0.0.1", port, timeout=60), process

    def cpu(self, places: Sequence[Place]) -> float:
        """Milliseconds of its process for each of these regions; nginx's are not counted."""
        self._connection.close()  # nginx ends one that waits long
        begun = self._process.cpu_seconds()
        for place in places:
            self.jpeg(place)
        return 1000 * (self._process.cpu_seconds() - begun) / len(places)

    def jpeg(self, place: Place) -> bytes:
        """The region as a file. A picture of another size, or another answer, ends the bench."""
        where = ",".join(map(str, (*place, SIDE, SIDE)))
        self._connection.request("GET", f"/?IIIF={NAME}/{where}/{SIDE},{SIDE}/0/default.jpg")
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.status != 200 or Image.open(io.BytesIO(body)).size != (SIDE, SIDE):
            raise SystemExit(f"iipsrv: {answer.status}, {body[:200]!r}")
        return body


@contextmanager
def serving(folder: Path, work: Path) -> Iterator[Iipsrv]:
    """A server on the files of a folder, with JPEGs of quality 90. ``work``: a new folder for nginx."""
    inner, outer = free_port(), free_port()
    settings = {"FILESYSTEM_PREFIX": f"{folder}/", "JPEG_QUALITY": 90, "LOGFILE": "/dev/null", "VERBOSITY": 0}
    command = ["env", *(f"{name}={value}" for name, value in settings.items()), IIPSRV, "--bind", f"127.0.0.1:{inner}"]
    passed = "".join(f"fastcgi_param {name.upper()} ${name};" for name in ("query_string", "request_method"))
    inside = f"server {{ listen 127.0.0.1:{outer}; location / {{ fastcgi_pass 127.0.0.1:{inner}; {passed} }} }}"
    with program(command, inner) as process, program(nginx(work, inside), outer):
        yield Iipsrv(outer, process)

"""The child process of one registration: ``python -m wavescope.service.slides.registration_child``.

Its order is a line of JSON with ``left`` and ``right``, each {"shape": [height, width, channels], "dtype": "uint8",
"pixel": 16, "um": 4.0}; the samples of both follow. It answers with a line of JSON: a registration (RE3, RE4),
{"differ": "why"} or {"missing": true}.
"""

from __future__ import annotations

import json
import math
import os
import resource
import sys
from typing import Any, BinaryIO

import numpy as np

from wavescope.errors import SectionsDiffer
from wavescope.service.children import received_order

CPU_SECONDS = 120
"""After which the process is ended: six times what a registration takes on a slow machine."""


def main(order: dict[str, Any], samples: BinaryIO) -> dict[str, Any]:
    """The answer to an order."""
    try:
        import cv2
    except ImportError:
        return {"missing": True}
    from wavescope.registration.register import Picture, register

    cv2.setNumThreads(1)
    pictures = []
    for side in ("left", "right"):
        given = order[side]
        dtype = np.dtype(given["dtype"])
        read = samples.read(math.prod(given["shape"]) * dtype.itemsize)
        pictures.append(Picture(np.frombuffer(read, dtype).reshape(given["shape"]), given["pixel"], given["um"]))
    try:
        return register(*pictures).to_json()
    except SectionsDiffer as differ:
        return {"differ": differ.reason}


if __name__ == "__main__":
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))
    os.nice(5)  # those who view slides come first
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    answer = main(received_order(), sys.stdin.buffer)
    sys.stdout.write(json.dumps(answer) + "\n")

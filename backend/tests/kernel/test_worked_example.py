"""The worked example of codestream.md is what the pinned vector gives."""

from __future__ import annotations

import numpy as np

from kernel.conftest import vectors
from kernel.worked_example import BLOCK, DOCUMENT, VECTOR, crc_of, example, in_document
from wavescope import kernel
from wavescope.geometry import TILE, Address

TEXT = in_document(DOCUMENT.read_text())


def test_the_worked_example_in_the_document_is_made_from_the_vector_cs45() -> None:
    assert f"\n{example()}\n" == TEXT, "python -m kernel.worked_example --write"


def test_the_kernel_gives_the_results_of_the_worked_example_cs45() -> None:
    layers, (level, x, y) = vectors()[VECTOR].blocks[BLOCK], BLOCK
    parameters = kernel.read_parameters(vectors()[VECTOR].parameters[level])
    parent = np.zeros((parameters.channels, TILE, TILE), np.int16)
    for count in range(1, len(layers) + 1):
        samples = kernel.decode_tile(parent, layers[:count], parameters, Address(0, 0, level, x, y))
        assert (
            f"after layer {count - 1} | 1 x {TILE} x {TILE} | {np.count_nonzero(samples)} | {crc_of(samples)} |" in TEXT
        )

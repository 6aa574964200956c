"""The worked example of codestream.md is what the pinned vector gives."""

from __future__ import annotations

from kernel.conftest import vectors
from kernel.worked_example import BLOCK, DOCUMENT, VECTOR, crc_of, example, in_document
from wavescope import kernel


def test_the_worked_example_in_the_document_is_made_from_the_vector_cs45() -> None:
    assert in_document(DOCUMENT.read_text()) == f"\n{example()}\n", "python -m kernel.worked_example --write"


def test_the_kernel_gives_the_results_of_the_worked_example_cs45() -> None:
    layers = vectors()[VECTOR].blocks[BLOCK]
    for count in range(1, len(layers) + 1):
        assert crc_of(kernel.decode_block(layers[:count])) in in_document(DOCUMENT.read_text())

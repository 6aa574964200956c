"""Calls into the kernel: the number of arguments, and faults of the kernel itself."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest
import wasmtime

from wavescope.kernel.wasm import instance

ZSTD = b"\x28\xb5\x2f\xfd"
COMPILES = """
from wavescope.kernel.wasm import instance
assert instance().call("ws_scratch_bytes") > 0
"""


def test_a_result_is_that_of_the_function_and_arguments_are_counted() -> None:
    kernel = instance()
    size = kernel.write("bytes", b"123456789")
    assert kernel.call("ws_crc32c", kernel.address["bytes"], size) & 0xFFFFFFFF == 0xE3069283
    for arguments in ((), (kernel.address["bytes"],), (kernel.address["bytes"], size, 0)):
        with pytest.raises(struct.error):
            kernel.call("ws_crc32c", *arguments)


def test_an_access_outside_the_memory_is_a_trap_and_the_instance_works_afterwards() -> None:
    kernel = instance()
    with pytest.raises(wasmtime.Trap, match="out of bounds"):
        kernel.call("ws_crc32c", 0x7FFFFFF0, 1000)
    assert kernel.call("ws_crc32c", kernel.address["bytes"], 0) == 0


def _compile(cache: Path) -> None:
    subprocess.run([sys.executable, "-c", COMPILES], env=os.environ | {"XDG_CACHE_HOME": str(cache)}, check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="the folder has another name")
def test_a_compiled_module_is_kept_for_the_next_process(tmp_path: Path) -> None:
    _compile(tmp_path)
    kept = [path for path in tmp_path.rglob("modules/*/*") if path.is_file()]
    assert any(path.read_bytes()[:4] == ZSTD for path in kept)
    for path in kept:
        path.write_bytes(b"damaged")
    _compile(tmp_path)


def test_a_cache_folder_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")
    _compile(file)

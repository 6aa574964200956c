"""One tile of a slide of a service as RGBA bytes, decoded here with wasmtime and the standard library alone."""

import json
import struct
from typing import Any, cast
from urllib.request import urlopen

from wasmtime import Instance, Module, Store


def decode_tile(service: str, slide: str, level: int, x: int, y: int, z: int = 0) -> tuple[int, int, bytes]:
    """Width, height and RGBA of the tile (level, x, y). The size of each structure is asked of the kernel itself."""

    def get(path: str) -> bytes:
        with urlopen(f"{service}/api/v1/{path}") as answer:
            return answer.read()

    manifest = json.loads(get(f"slides/{slide}"))
    top = manifest["levels"] - 1
    store = Store()
    ws = cast(Any, Instance(store, Module(store.engine, get("kernel.wasm")), []).exports(store))
    end = ws["__heap_base"].value(store)
    places = []
    bounds = ("ws_parameters_bytes", "ws_address_bytes", "ws_scratch_bytes", "ws_encode_bound")
    for size in [*(ws[name](store) for name in bounds), 4 << 16, 6 << 16, 6 << 16]:
        places.append(-(-end // 64) * 64)
        end = places[-1] + size
    parameters, address, scratch, data, pixels, parent, samples = places
    memory = ws["memory"]
    memory.grow(store, max(0, -(-(end - memory.data_len(store)) // 65536)))

    def put(content: bytes, place: int = data) -> int:
        return memory.write(store, content, place)

    def call(name: str, *arguments: int) -> None:
        if (result := ws[name](store, *arguments)) < 0:
            raise ValueError(f"the kernel refuses it: {result}")

    for at in range(top, level - 1, -1):
        tx, ty = x >> (at - level), y >> (at - level)
        call("ws_read_parameters", data, put(bytes.fromhex(manifest["parameters"][at][0])), parameters)
        put(struct.pack("<3I", z, tx, ty), address)
        part = f"approximation/{z}/0" if at == top else f"blocks/{z}/0/{at}/{tx}/{ty}"
        size = put(get(f"slides/{slide}/v/{manifest['digest']}/{part}"))  # an empty block has 0 bytes
        if at == top:
            call("ws_decode_approximation", parameters, address, data, size, samples, scratch)
        else:
            call("ws_decode_tile", parent, parameters, address, data, size, samples, scratch)
        put(bytes(memory.read(store, samples, samples + (6 << 16))), parent)
    found = manifest["sizes"][level]
    width, height = min(256, found["width"] - 256 * x), min(256, found["height"] - 256 * y)
    call("ws_pixels_from_samples", samples, parameters, width, height, 4, pixels)
    return width, height, bytes(memory.read(store, pixels, pixels + 4 * width * height))

// One tile of a slide of a service as RGBA, decoded here: in Node >= 20 and in a page alike, without any other file.
// `service`: its address; the tile (level, x, y) of plane z. The size of each structure is asked of the kernel itself.
export async function decodeTile(service, slide, { z = 0, level, x, y }) {
  const get = async (path, kind) => {
    const answer = await fetch(new URL(`/api/v1/${path}`, service));
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer[kind]();
  };
  const { digest, levels, channels, parameters, sizes } = await get(`slides/${slide}`, "json");
  const { instance } = await WebAssembly.instantiate(await get("kernel.wasm", "arrayBuffer"));
  const ws = instance.exports;
  let end = ws.__heap_base.value;
  const allocate = (size) => {
    const at = Math.ceil(end / 64) * 64;
    end = at + size;
    return at;
  };
  const [set, address, scratch] = [ws.ws_parameters_bytes(), ws.ws_address_bytes(), ws.ws_scratch_bytes()].map(
    allocate,
  );
  const [input, pixels, parent, samples] = [ws.ws_encode_bound(), 1 << 18, 6 << 16, 6 << 16].map(allocate);
  ws.memory.grow(Math.ceil(Math.max(0, end - ws.memory.buffer.byteLength) / 65536));
  const put = (bytes) => (new Uint8Array(ws.memory.buffer).set(bytes, input), bytes.length);
  const check = (result) => {
    if (result < 0) throw new Error(`the kernel refuses it: ${result}`);
  };
  for (let at = levels - 1; at >= level; at--) {
    const [tx, ty] = [x >> (at - level), y >> (at - level)];
    check(
      ws.ws_read_parameters(input, put(Uint8Array.from(parameters[at][0].match(/../g), (h) => parseInt(h, 16))), set),
    );
    new Uint32Array(ws.memory.buffer, address, 3).set([z, tx, ty]);
    const part = at === levels - 1 ? `approximation/${z}/0` : `blocks/${z}/0/${at}/${tx}/${ty}`;
    const size = put(new Uint8Array(await get(`slides/${slide}/v/${digest}/${part}`, "arrayBuffer"))); // 204: 0 bytes
    if (at === levels - 1) check(ws.ws_decode_approximation(set, address, input, size, samples, scratch));
    else check(ws.ws_decode_tile(parent, set, address, input, size, samples, scratch));
    new Int16Array(ws.memory.buffer).copyWithin(parent / 2, samples / 2, samples / 2 + channels * 65536);
  }
  const [width, height] = [sizes[level].width - 256 * x, sizes[level].height - 256 * y].map((side) =>
    Math.min(256, side),
  );
  check(ws.ws_pixels_from_samples(samples, set, width, height, 4, pixels));
  return { width, height, rgba: new Uint8ClampedArray(ws.memory.buffer.slice(pixels, pixels + 4 * width * height)) };
}

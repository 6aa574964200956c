import { describe, expect, it } from "vitest";
import { Pyramid, address } from "../../geometry/pyramid";
import { CorruptError } from "../http/errors";
import { FRAME_STATUS, type Frame } from "../slides/batchFrames";
import { bytesOfHex } from "../slides/hexadecimal";
import { splitLayers } from "../slides/layers";
import type { BlockRange } from "../slides/slideClient";
import { crc32c } from "../stored/crc32c";
import { directoryBytes, parseDirectory } from "./directory";
import { FilesSlideClient } from "./filesClient";
import { CHANNELS, type Files, filesOf, goldenDigests, goldenFiles, goldenManifest, memoryFolder } from "./testing";

const traffic = () => {
  const counted = { requests: 0, bytes: 0 };
  return { counted, requested: () => void (counted.requests += 1), received: (n: number) => void (counted.bytes += n) };
};

function opened(files: Files) {
  const manifest = goldenManifest(files);
  const folder = memoryFolder(files);
  const meter = traffic();
  return { manifest, folder, meter, client: new FilesSlideClient(manifest, folder, meter, queueMicrotask) };
}

/** Every block of the middle plane, with all its layers. */
function allBlocks({ width, height, layers }: { width: number; height: number; layers: number }): BlockRange[] {
  const pyramid = new Pyramid(width, height);
  return Array.from({ length: pyramid.top }, (_, level) => level).flatMap((level) => {
    const { columns, rows } = pyramid.tiles(level);
    return Array.from({ length: columns * rows }, (_, i) => ({
      address: address(0, level, i % columns, Math.floor(i / columns)),
      from: 0,
      to: layers,
    }));
  });
}

/** What the shard's own index says (ST10): this client reads none. */
function byShardIndex(files: Files, { address: a }: BlockRange): Uint8Array | null {
  const shard = files.get(`levels/${a.level}/c.${a.z}.${a.c}.0.${a.y >> 4}.${a.x >> 4}`);
  if (!shard) return null;
  const index = new DataView(shard.buffer, shard.byteOffset + shard.length - 4100);
  const entry = 16 * (16 * (a.y & 15) + (a.x & 15));
  const offset = index.getBigUint64(entry, true);
  if (offset === 2n ** 64n - 1n) return null;
  return shard.slice(Number(offset), Number(offset + index.getBigUint64(entry + 8, true)));
}

async function gathered(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const found: Frame[] = [];
  for await (const frame of frames) found[frame.index] = frame;
  return found;
}

describe.each(goldenDigests())("the stored slide %s", (digest) => {
  it("gives every block as the index of its shard says, and reads no such index (SH5)", async () => {
    const files = goldenFiles(digest);
    const { client, manifest, folder } = opened(files);
    const ranges = allBlocks(manifest);
    const frames = await gathered(client.batch(ranges));
    for (const [i, range] of ranges.entries()) {
      const expected = byShardIndex(files, range);
      expect(frames[i]!.status).toBe(expected ? FRAME_STATUS.ok : FRAME_STATUS.empty);
      expect(frames[i]!.payload).toEqual(expected ?? new Uint8Array(0));
      if (expected) expect(splitLayers(frames[i]!.payload)).toHaveLength(manifest.layers);
    }
    expect(folder.reads.length).toBeLessThanOrEqual(2 + 2 * manifest.top); // directory, pages together; a range for each shard
  });

  it("gives some layers of a block, and the layers of the approximation (SH5)", async () => {
    const files = goldenFiles(digest);
    const { client, manifest } = opened(files);
    const first = allBlocks(manifest).find((range) => byShardIndex(files, range) !== null)!;
    const all = splitLayers(byShardIndex(files, first)!)!;
    const [frame] = await gathered(client.get([{ ...first, from: 1, to: manifest.layers }]));
    expect(splitLayers(frame!.payload)).toEqual(all.slice(1));
    const layers = await Promise.all(
      Array.from({ length: manifest.layers }, (_, layer) => client.approximationLayer(0, 0, layer)),
    );
    expect(layers).toEqual(splitLayers(files.get("approximation/c.0.0.0.0")!));
  });

  it("is read with no byte too many where all of it is wanted (SH6)", async () => {
    const files = goldenFiles(digest);
    const { client, manifest, meter } = opened(files);
    const frames = await gathered(client.batch(allBlocks(manifest)));
    const blocks = frames.reduce((sum, { payload }) => sum + payload.length, 0);
    expect(meter.counted.bytes).toBe(blocks + files.get("layer-index")!.length);
  });

  it("has a directory that is refused at every truncated length and with every changed byte (SH8)", () => {
    const files = goldenFiles(digest);
    const { width, height, planes, layers, parameters, top } = goldenManifest(files);
    const shape = { pyramid: new Pyramid(width, height), pictures: planes, layers };
    const seed = crc32c(bytesOfHex(parameters[top]!));
    const bytes = files.get("layer-index")!.slice(0, directoryBytes(shape));
    expect(parseDirectory(bytes, shape, seed).approximationEnds(0).at(-1)).toBe(
      files.get("approximation/c.0.0.0.0")!.length,
    );
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => parseDirectory(bytes.slice(0, length), shape, seed)).toThrow(CorruptError);
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = bytes.slice();
      damaged[at]! ^= 1;
      expect(() => parseDirectory(damaged, shape, seed)).toThrow(CorruptError);
    }
    expect(() => parseDirectory(bytes, shape, seed + 1)).toThrow(CorruptError); // of another slide
  });

  it("says that blocks are corrupt where their shard is missing, too short or exchanged; others are not (SH8)", async () => {
    for (const damage of ["missing", "short", "listed"] as const) {
      const files = goldenFiles(digest);
      const shard = files.get("levels/0/c.0.0.0.0.0")!;
      if (damage === "missing") files.delete("levels/0/c.0.0.0.0.0");
      if (damage === "short") files.set("levels/0/c.0.0.0.0.0", shard.slice(0, 10));
      if (damage === "listed") files.set("layer-index", files.get("layer-index")!.slice(0, -1));
      const { client, manifest } = opened(files);
      const ranges = allBlocks(manifest);
      const frames = await gathered(client.batch(ranges));
      const stored = ranges.map((range) => damage === "listed" || byShardIndex(goldenFiles(digest), range) !== null);
      const lastLevel = manifest.top - 1;
      for (const [i, { address: a }] of ranges.entries()) {
        const hit = damage === "listed" ? a.level === lastLevel : a.level === 0 && stored[i];
        if (hit) expect(frames[i]!.status, `${damage} ${i}`).toBe(FRAME_STATUS.corrupt);
        else expect(frames[i]!.status, `${damage} ${i}`).not.toBe(FRAME_STATUS.corrupt);
      }
    }
  });
});

it("ST110: reads every block and approximation of every channel and plane", async () => {
  const files = filesOf(CHANNELS);
  const manifest = goldenManifest(files);
  const client = new FilesSlideClient(manifest, memoryFolder(files), traffic(), queueMicrotask);
  const { channel_groups: groups } = manifest.groups!;
  expect([groups, manifest.planes]).toEqual([2, 2]);
  for (const [z, c] of [0, 1].flatMap((plane) => [0, 1].map((group) => [plane, group] as const))) {
    const ranges = allBlocks(manifest).map((range) => ({ ...range, address: { ...range.address, z, c } }));
    const frames = await gathered(client.batch(ranges));
    for (const [i, range] of ranges.entries())
      expect(frames[i]!.payload).toEqual(byShardIndex(files, range) ?? new Uint8Array(0));
    const first = await client.approximationLayer(z, c, 0);
    expect(first).toEqual(splitLayers(files.get(`approximation/c.${z}.${c}.0.0`)!)![0]);
  }
});

it("refuses a directory that is larger than the page reads before it is read (SH8)", () => {
  const shape = { pyramid: new Pyramid(2 ** 24, 2 ** 24), pictures: 4096, layers: 2 };
  expect(() => directoryBytes(shape)).toThrow(expect.objectContaining({ fault: "too-large" }) as Error);
});

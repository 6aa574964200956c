// Pictures that a test makes itself.
import { writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

/** Repeatable noise in 0..1 (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Disc {
  readonly l0_x: number;
  readonly l0_y: number;
  readonly radius: number;
}

const EDGE = 8; // pixels: how wide the edge of a disc is

/** A light, faintly grained field with one dark soft-edged disc: its centre of mass is its centre at every scale. */
export function writeFiducial(path: string, width: number, height: number, disc: Disc): void {
  const rows = Buffer.alloc(height * (1 + 3 * width)); // the first byte of each, 0: not filtered
  const random = dice(7);
  for (let y = 0, i = 0; y < height; y++) {
    i++;
    const down = y + 0.5 - disc.l0_y;
    const crossed = Math.abs(down) < disc.radius + EDGE / 2;
    for (let x = 0; x < width; x++) {
      const inside = crossed ? disc.radius - Math.hypot(x + 0.5 - disc.l0_x, down) : -EDGE;
      const depth = Math.min(1, Math.max(0, inside / EDGE + 0.5));
      const grain = (random() - 0.5) * 16;
      rows[i++] = 236 - 200 * depth + grain;
      rows[i++] = 228 - 196 * depth + grain;
      rows[i++] = 232 - 150 * depth + grain;
    }
  }
  writeFileSync(path, rgbPng(width, height, rows));
}

/** A PNG of 8-bit RGB rows; a library that chooses a filter for each row takes many times as long. */
function rgbPng(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(rows, { level: 1 });
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Bytes before the pixels of `writeTiff`. */
const TIFF_HEAD = 256;

/** An OME-TIFF of 16-bit grey with several time points, each brighter than the one before. */
export function writeTimeSeries(path: string, side: number, times: number): void {
  const text =
    `<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYZCT" ` +
    `Type="uint16" SizeX="${side}" SizeY="${side}" SizeZ="1" SizeC="1" SizeT="${times}" BigEndian="false"><Channel ID="Channel:0:0" ` +
    `SamplesPerPixel="1"/><TiffData/></Pixels></Image></OME>\0`;
  const [head, size] = [8 + text.length, 2 * side * side];
  const page = 128 + size; // a directory and its pixels
  const bytes = Buffer.alloc(head + times * page);
  bytes.write("II*\0", "latin1");
  bytes.writeUInt32LE(head, 4);
  bytes.write(text, 8, "latin1");
  for (let t = 0; t < times; t += 1) {
    const at = head + t * page;
    const entries = [
      [256, 4, 1, side], // width, height, bits, compression, photometric
      [257, 4, 1, side],
      [258, 3, 1, 16],
      [259, 3, 1, 1],
      [262, 3, 1, 1],
      ...(t === 0 ? [[270, 2, text.length, 8]] : []),
      [273, 4, 1, at + 128], // where the pixels are, samples, rows, bytes
      [277, 3, 1, 1],
      [278, 4, 1, side],
      [279, 4, 1, size],
    ];
    bytes.writeUInt16LE(entries.length, at);
    entries.forEach(([tag, type, count, value], i) => {
      bytes.writeUInt16LE(tag!, at + 2 + 12 * i);
      bytes.writeUInt16LE(type!, at + 4 + 12 * i);
      bytes.writeUInt32LE(count!, at + 6 + 12 * i);
      bytes.writeUInt32LE(value!, at + 10 + 12 * i);
    });
    bytes.writeUInt32LE(t + 1 < times ? at + page : 0, at + 2 + 12 * entries.length);
    for (let i = 0; i < side * side; i += 1)
      bytes.writeUInt16LE(1000 * (t + 1) + ((i * 7919) % 97) + (i % side), at + 128 + 2 * i);
  }
  writeFileSync(path, bytes);
}

/** An uncompressed grey square as a TIFF whose directory comes before its pixels. The bytes that it has. */
export function writeTiff(path: string, side: number): number {
  const bytes = Buffer.alloc(TIFF_HEAD + 3 * side * side, 200);
  bytes.write("II*\0", "latin1");
  bytes.writeUInt32LE(8, 4);
  const entries = [
    [256, 4, 1, side], // width, height, bits, compression, photometric
    [257, 4, 1, side],
    [258, 3, 3, 200],
    [259, 3, 1, 1],
    [262, 3, 1, 2],
    [273, 4, 1, TIFF_HEAD], // where the pixels are, samples, rows, bytes
    [277, 3, 1, 3],
    [278, 4, 1, side],
    [279, 4, 1, 3 * side * side],
  ] as const;
  bytes.writeUInt16LE(entries.length, 8);
  entries.forEach(([tag, type, count, value], i) => {
    bytes.writeUInt16LE(tag, 10 + 12 * i);
    bytes.writeUInt16LE(type, 12 + 12 * i);
    bytes.writeUInt32LE(count, 14 + 12 * i);
    bytes.writeUInt32LE(value, 18 + 12 * i);
  });
  bytes.writeUInt32LE(0, 10 + 12 * entries.length);
  for (const sample of [0, 1, 2]) bytes.writeUInt16LE(8, 200 + 2 * sample);
  writeFileSync(path, bytes);
  return bytes.length;
}

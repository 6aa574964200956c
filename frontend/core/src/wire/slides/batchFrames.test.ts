import { describe, expect, it } from "vitest";
import { CorruptError, CutStreamError } from "../http/errors";
import { type Frame, FrameParser } from "./batchFrames";
import { frameBytes, joinBytes, seeded } from "../testing";

const LAST = frameBytes(0xffffffff, 0);
const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const stream = joinBytes(frameBytes(1, 0, text("layers")), frameBytes(0, 1), frameBytes(2, 2, text("corrupt")), LAST);

function parse(bytes: Uint8Array, cuts: readonly number[], entries = 3): Frame[] {
  const parser = new FrameParser(entries);
  const frames: Frame[] = [];
  let offset = 0;
  for (const cut of [...cuts, bytes.length]) {
    frames.push(...parser.push(bytes.subarray(offset, cut)));
    offset = cut;
  }
  parser.end();
  return frames;
}

const readable = (frames: readonly Frame[]) =>
  frames.map(({ index, status, payload }) => [index, status, new TextDecoder().decode(payload)]);
const whole = [
  [1, 0, "layers"],
  [0, 1, ""],
  [2, 2, "corrupt"],
];

describe("FrameParser", () => {
  it("WI18: gives the same frames wherever the stream is cut into pieces", () => {
    for (let cut = 0; cut <= stream.length; cut += 1) expect(readable(parse(stream, [cut]))).toEqual(whole);
    const every = Array.from({ length: stream.length }, (_, offset) => offset);
    expect(readable(parse(stream, every))).toEqual(whole);
  });

  it("WI20: calls every shorter stream cut", () => {
    for (let length = 0; length < stream.length; length += 1) {
      expect(() => parse(stream.subarray(0, length), [])).toThrow(CutStreamError);
    }
  });

  it("WI19: misses entries that got no frame", () => {
    expect(() => parse(joinBytes(frameBytes(0, 1), LAST), [], 2)).toThrow(CutStreamError);
  });

  it.each([
    ["an index that was not asked for", frameBytes(3, 0)],
    ["the same index twice", joinBytes(frameBytes(1, 1), frameBytes(1, 1))],
    ["an unknown status", frameBytes(0, 4)],
    ["bytes after the last frame", joinBytes(frameBytes(0, 1), frameBytes(1, 1), frameBytes(2, 1), LAST, text("x"))],
    ["a last frame that carries something", frameBytes(0xffffffff, 0, text("x"))],
    ["a last frame with a status", frameBytes(0xffffffff, 2)],
    ["an absurd length", Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255])],
    ["padding that is not zero", Uint8Array.from([0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0])],
  ])("refuses %s", (_, bytes) => {
    expect(() => parse(bytes, [])).toThrow(CorruptError);
  });

  it("survives noise with its own errors only", () => {
    const random = seeded(11);
    for (let round = 0; round < 500; round += 1) {
      const bytes = stream.slice();
      for (let hit = 0; hit < 3; hit += 1) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      try {
        parse(bytes, [Math.floor(random() * bytes.length)]);
      } catch (error) {
        expect(error instanceof CorruptError || error instanceof CutStreamError).toBe(true);
      }
    }
  });

  it("hands out payloads that do not change when the stream's buffer is used again", () => {
    const parser = new FrameParser(1);
    const buffer = frameBytes(0, 0, text("layers"));
    const frame = parser.push(buffer)[0]!;
    buffer.fill(0);
    expect(new TextDecoder().decode(frame.payload)).toBe("layers");
  });
});

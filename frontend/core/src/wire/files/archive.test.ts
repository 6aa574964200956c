import { describe, expect, it } from "vitest";
import { CorruptError } from "../http/errors";
import { entriesOf, listPlace, openArchive } from "./archive";
import { SlideFileError } from "./errors";
import { archiveOf, memoryFile } from "./testing";

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const FILES = new Map([
  ["export.json", text("{}")],
  ["levels/0/c.0.0.0.0.0", text("0123456789")],
  ["icc", new Uint8Array(0)],
]);

async function faultOf(bytes: Uint8Array): Promise<string> {
  const error: unknown = await openArchive(memoryFile(bytes)).then(
    () => null,
    (caught: unknown) => caught,
  );
  return error instanceof SlideFileError ? error.fault : error instanceof CorruptError ? "corrupt" : String(error);
}

function changed(bytes: Uint8Array, at: number, values: readonly number[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(values, at);
  return copy;
}

describe("an archive", () => {
  for (const large of [false, true])
    it(`gives ranges of its entries, ${large ? "beyond" : "below"} 4 GiB (SH10, SH12)`, async () => {
      const folder = await openArchive(memoryFile(archiveOf(FILES, large).bytes));
      expect(await folder.read("levels/0/c.0.0.0.0.0", 2, 5)).toEqual(text("234"));
      expect(await folder.whole("export.json", 10)).toEqual(text("{}"));
      expect(await folder.whole("icc", 10)).toEqual(new Uint8Array(0));
      await expect(folder.read("levels/0/c.0.0.0.0.0", 8, 11)).rejects.toBeInstanceOf(CorruptError);
      await expect(folder.read("levels/0/c.0.0.0.0.1", 0, 1)).rejects.toBeInstanceOf(CorruptError);
      await expect(folder.whole("levels/0/c.0.0.0.0.0", 9)).rejects.toMatchObject({ fault: "too-large" });
    });

  it("of 2 to 4 GiB has 64-bit fields beside offsets of 32 bits, as Python writes them (SH12)", async () => {
    const { bytes, list } = archiveOf(FILES, true);
    const folder = await openArchive(memoryFile(changed(bytes, bytes.length - 6, [list & 255, list >> 8, 0, 0])));
    expect(await folder.whole("export.json", 10)).toEqual(text("{}"));
  });

  it("is read by two ranges before the first entry (SH12)", async () => {
    const { bytes } = archiveOf(FILES);
    const reads: [number, number][] = [];
    const file = memoryFile(bytes);
    await openArchive({ ...file, read: (from, to) => (reads.push([from, to]), file.read(from, to)) });
    expect(reads).toHaveLength(2);
  });

  for (const large of [false, true])
    it(`is refused at every truncated length, ${large ? "beyond" : "below"} 4 GiB (SH13)`, async () => {
      const { bytes } = archiveOf(FILES, large);
      for (let length = 0; length < bytes.length; length += 1)
        expect(await faultOf(bytes.slice(0, length)), `${length} bytes`).toBe("malformed");
      expect(await faultOf(Uint8Array.from([...bytes, 0]))).toBe("malformed");
    });

  it("survives every changed byte of its list and its end: it is refused, or its entries stay inside (SH13)", () => {
    for (const large of [false, true]) {
      const { bytes, list } = archiveOf(FILES, large);
      for (let at = list; at < bytes.length; at += 1)
        for (const value of [0, 1, 0x7f, 0xff]) {
          const damaged = changed(bytes, at, [value]);
          const tail = damaged.slice(Math.max(0, damaged.length - 98));
          try {
            const place = listPlace(tail, damaged.length);
            for (const { offset, size } of entriesOf(
              damaged.slice(place.offset, place.offset + place.size),
              place,
            ).values())
              expect(offset + size).toBeLessThanOrEqual(list);
          } catch (error) {
            expect(error).toBeInstanceOf(SlideFileError);
          }
        }
    }
  });

  const { bytes, list } = archiveOf(FILES);
  const end = bytes.length - 22;
  const cases: readonly [string, Uint8Array][] = [
    ["compressed", changed(bytes, list + 10, [8])],
    ["encrypted", changed(bytes, list + 8, [1])],
    ["with sizes after its bytes", changed(bytes, list + 8, [8])],
    ["of two sizes", changed(bytes, list + 20, [1])],
    ["with a place that is not after the one before", changed(bytes, list + 42, [1])],
    ["with a name that leads outside", changed(bytes, list + 46, [...text("../../a.bin")])],
    ["with an absolute name", changed(bytes, list + 46, [...text("/xport.json")])],
    ["with a zero in its name", changed(bytes, list + 46, [0])],
    ["with more entries than its list has", changed(bytes, end + 10, [4])],
    ["with fewer entries than its list has", changed(bytes, end + 10, [2])],
    ["with a comment", changed(bytes, end + 20, [1])],
  ];
  for (const [name, damaged] of cases)
    it(`${name} is refused (SH12, SH13)`, async () => expect(await faultOf(damaged)).toBe("malformed"));

  it("with a name twice is refused (SH13)", async () => {
    const twice = archiveOf(new Map([...FILES, ["export.jsoN", text("{}")]]));
    const name = twice.bytes.lastIndexOf("N".charCodeAt(0));
    expect(await faultOf(changed(twice.bytes, name, ["n".charCodeAt(0)]))).toBe("malformed");
  });

  it("with a list that is larger than the page reads is refused before it is read (SH13)", () => {
    const tail = archiveOf(FILES, true).bytes.slice(-98);
    const size = 65 << 20;
    const offset = 2 ** 40;
    const view = new DataView(tail.buffer);
    view.setBigUint64(40, BigInt(size), true);
    view.setBigUint64(48, BigInt(offset), true);
    view.setBigUint64(56 + 8, BigInt(offset + size), true);
    expect(() => listPlace(tail, offset + size + 98)).toThrow(expect.objectContaining({ fault: "too-large" }) as Error);
  });
});

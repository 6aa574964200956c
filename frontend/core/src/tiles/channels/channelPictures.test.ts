import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MixKernel } from "../../codec/mixKernel";
import { type Address, address } from "../../geometry/pyramid";
import type { DecodedValues } from "../../codec/protocol";
import type { Manifest } from "../../wire/slides/manifest";
import type { SlideClient } from "../../wire/slides/slideClient";
import type { Availability, FieldRequest, Priority, RgbaPixels, TileImage } from "../pictures";
import { CanvasMixer } from "./canvasMixer";
import { ChannelClient, manifestOfChannel } from "./channelClient";
import { ChannelPictures, type ChannelSource } from "./channelPictures";
import { type SampleRange, entriesOf } from "./mix";
import type { MixEntries } from "./mixEntries";
import type { Mixer } from "./mixer";
import { type FakeCanvas, fakeCanvas } from "./testing";

const WASM = new URL("../../../../../shared/kernel/build/kernel.wasm", import.meta.url);
const kernel = await MixKernel.load(readFileSync(WASM));

const display = (on: boolean) => ({ low: 0, high: 255, gamma: 100, on });
const described = ["FF0000", "00FF00", "0000FF", "FFFFFF"].map((colour, c) => ({ colour, display: display(c < 2) }));
const parameters = [
  ["a0", "a1", "a2", "a3"],
  ["b0", "b1", "b2", "b3"],
];
const manifest = {
  digest: "d",
  planes: 3,
  channels: 4,
  layers: 2,
  top: 2,
  groups: { parameters, channel_groups: 4, channel_descriptions: described, bit_depth: 8, signed: false },
} as unknown as Manifest;

/** The pictures of one channel: one pixel, 10 times its number plus the plane. */
class OneChannel implements ChannelSource {
  readonly kind = "wavelet";
  readonly fields: FieldRequest[] = [];
  decoded = 0;
  closed = false;
  available: Availability = { layers: 2, attainable: 3, reason: null };

  extended = false;

  constructor(private readonly c: number) {}

  /** What looks at the pictures as soon as a channel has changed. */
  looked: () => unknown = () => undefined;

  setExtended(on: boolean): void {
    if (on === this.extended) return;
    this.extended = on;
    this.looked();
  }

  fetch(field: FieldRequest): void {
    this.fields.push(field);
  }

  prefetch(): void {
    return undefined;
  }

  availability(): Availability {
    return this.available;
  }

  make(): Promise<TileImage | null> {
    return Promise.resolve(null);
  }

  pixels(): Promise<RgbaPixels> {
    return Promise.reject(new Error("samples are mixed, not pictures"));
  }

  /** With one layer a sample is 1 more than with all. */
  values(tile: Address, layers: number, priority: Priority = () => 0): Promise<DecodedValues | null> {
    if (priority() === null) return Promise.resolve(null);
    this.decoded += 1;
    const value = 10 * (this.c + 1) + (this.extended ? 5 : tile.z) + (layers === 1 ? 1 : 0);
    return Promise.resolve({ width: 1, height: 1, values: Uint8Array.of(value) });
  }

  reprioritise(): void {
    return undefined;
  }

  retryNow(): void {
    return undefined;
  }

  memory() {
    return Promise.resolve({ decodedBytes: 1, wasmBytes: 2, compressedBytes: 3, workers: 4 });
  }

  close(): void {
    this.closed = true;
  }
}

beforeEach(fakeCanvas);

interface World {
  readonly mix: MixEntries | null;
  readonly budget: number;
  readonly of: Manifest;
}

function opened({ mix = null, budget = 1 << 20, of = manifest }: Partial<World> = {}) {
  const channels = new Map<number, OneChannel>();
  const changed = vi.fn();
  const open = (c: number): OneChannel => {
    const one = new OneChannel(c);
    channels.set(c, one);
    return one;
  };
  const frames: (() => void)[] = [];
  let lose = (): void => undefined;
  const openMixer = (range: SampleRange, lost: (() => void) | null): Mixer => {
    const mixer = new CanvasMixer(range, kernel);
    if (!lost) return mixer;
    lose = lost;
    return Object.assign(mixer, { kind: "webgl" as const });
  };
  const nextFrame = (work: () => void): void => void frames.push(work);
  const pictures = new ChannelPictures({ manifest: of, mix, open, changed, openMixer, budget, nextFrame });
  const frame = (): void => frames.splice(0).forEach((work) => work());
  return { pictures, channels, changed, frame, lose: () => lose() };
}

/** A picture of one pixel. */
const colourOf = (image: TileImage | null): readonly number[] | null => image && (image as unknown as FakeCanvas).rgba;
const WANTED = (): number => 0;

const field: FieldRequest = { tiles: [address(1, 0, 2, 1)], layers: 3 };
const shown = (c: number, colour: string) => ({ c, colour, low: 0, high: 255, gamma: 100 });

describe("pictures of several channels", () => {
  it("fetch the channels that are on, and no others", () => {
    const { pictures, channels } = opened();
    pictures.fetch(field);
    expect([...channels.keys()]).toEqual([0, 1]);
    for (const one of channels.values()) expect(one.fields).toEqual([{ tiles: [address(1, 0, 2, 1)], layers: 3 }]);
  });

  it("CM8: fetch those of the mix they open with alone; a mix of none of the slide's channels is the default mix", () => {
    const { pictures, channels } = opened({ mix: entriesOf([shown(3, "FFFFFF")]) });
    pictures.fetch(field);
    expect([...channels.keys()]).toEqual([3]);
    expect([pictures.variant, pictures.ownVariant]).toEqual([
      "3:FFFFFF:0-255:100",
      "0:FF0000:0-255:100,1:00FF00:0-255:100",
    ]);
    expect(opened({ mix: entriesOf([shown(9, "FFFFFF")]) }).pictures.variant).toBe(pictures.ownVariant);
  });

  it("say when there is more of a channel, or another mix, as long as someone asks", () => {
    const { pictures, channels } = opened();
    const reported = vi.fn();
    const stop = pictures.subscribe(reported);
    pictures.fetch(field);
    channels.get(0)!.available = { layers: 0, attainable: 3, reason: null };
    expect([pictures.hasHistogram(0), pictures.hasHistogram(1), pictures.hasHistogram(3)]).toEqual([
      false,
      true,
      false,
    ]);
    channels.get(0)!.available = { layers: 1, attainable: 3, reason: null };
    pictures.reportChange();
    expect([reported.mock.calls.length, pictures.hasHistogram(0)]).toEqual([1, true]);
    pictures.setMix(entriesOf([shown(3, "FFFFFF")]));
    expect(reported).toHaveBeenCalledTimes(2);
    stop();
    pictures.reportChange();
    expect(reported).toHaveBeenCalledTimes(2);
  });

  it("fetch a channel when it is switched on, and stop when it is off", () => {
    const { pictures, channels } = opened();
    pictures.fetch(field);
    pictures.setMix(entriesOf([shown(0, "FF0000"), shown(3, "FFFFFF")]));
    expect([...channels.keys()]).toEqual([0, 1, 3]);
    expect(channels.get(3)!.fields.at(-1)!.tiles).toEqual([address(1, 0, 2, 1)]);
    expect(channels.get(1)!.fields.at(-1)!.tiles).toEqual([]);
  });

  it("are mixed of the samples of the plane", async () => {
    const { rgba } = await opened().pictures.pixels(address(2, 0, 0, 0), 1);
    expect([...rgba]).toEqual([13, 23, 0, 255]);
  });

  it("WI137: are named by their mix, and say when it changes", () => {
    const { pictures, changed, frame } = opened();
    const before = pictures.variant;
    expect(before).toBe("0:FF0000:0-255:100,1:00FF00:0-255:100");
    pictures.setMix(entriesOf([{ c: 2, colour: "0000FF", low: 5, high: 7, gamma: 45 }]));
    expect([pictures.variant, changed.mock.calls.length]).toEqual(["2:0000FF:5-7:45", 1]);
    frame();
    pictures.setMix(entriesOf([shown(0, "FF0000"), shown(1, "00FF00")]));
    expect(pictures.variant).toBe(before);
  });

  it("CM1: leave out what the slide does not have, and are as the slide says without a mix", () => {
    const { pictures } = opened();
    const before = pictures.variant;
    pictures.setMix(entriesOf([shown(0, "FF0000"), shown(4, "FF0000"), { ...shown(1, "FF0000"), high: 256 }]));
    expect(pictures.mix.map(({ c }) => c)).toEqual([0]);
    pictures.setMix(entriesOf([{ ...shown(2, "FF0000"), low: -1 }]));
    expect(pictures.variant).toBe(before);
    pictures.setMix(entriesOf([shown(3, "FF0000")]));
    pictures.setMix(null);
    expect(pictures.variant).toBe(before);
  });

  it("take another window and colour at once, without decoding anything again", async () => {
    const { pictures, channels } = opened();
    const tile = address(0, 0, 0, 0);
    expect(pictures.makeNow(tile, 2)).toBeNull(); // nothing is decoded yet
    expect(colourOf(await pictures.make(tile, 2, WANTED))).toEqual([10, 20, 0, 255]);
    pictures.setMix(entriesOf([{ ...shown(0, "00FFFF"), high: 20 }, shown(1, "00FF00")]));
    const mixed = [0, 148, 128, 255];
    expect(colourOf(pictures.makeNow(tile, 2))).toEqual(mixed);
    expect([...(await pictures.pixels(tile, 2)).rgba]).toEqual(mixed);
    expect([...channels.values()].map(({ decoded }) => decoded)).toEqual([1, 1]);
  });

  it("have extended depth of field in each channel, also one that is switched on later, and their plane again (ZS8)", async () => {
    const { pictures, channels, changed } = opened();
    const tile = address(1, 0, 2, 1);
    const before = pictures.variant;
    expect(colourOf(await pictures.make(tile, 2, WANTED))).toEqual([11, 21, 0, 255]);
    pictures.setExtended!(true);
    expect([pictures.variant === before, pictures.ownVariant === before, changed.mock.calls.length]).toEqual([
      false,
      true,
      1,
    ]);
    expect(pictures.makeNow(tile, 2)).toBeNull(); // a plane's picture is not taken for it
    expect(colourOf(await pictures.make(tile, 2, WANTED))).toEqual([15, 25, 0, 255]);
    pictures.setMix(entriesOf([shown(0, "FF0000"), shown(2, "0000FF")]));
    expect(channels.get(2)!.extended).toBe(true);
    expect([...(await pictures.pixels(tile, 2)).rgba]).toEqual([15, 0, 35, 255]);
    pictures.setExtended!(false);
    expect([...(await pictures.pixels(tile, 2)).rgba]).toEqual([11, 0, 31, 255]);
  });

  it("have no plane of a channel among extended ones, also where something looks before all channels know (ZS8)", async () => {
    const { pictures, channels } = opened();
    const tile = address(1, 0, 2, 1);
    let seen = pictures.pixels(tile, 2);
    channels.get(0)!.looked = () => (seen = pictures.pixels(tile, 2));
    pictures.setExtended!(true);
    expect([...(await seen).rgba]).toEqual([15, 25, 0, 255]);
  });

  it("wait at once only for a channel that is switched on", async () => {
    const { pictures, channels } = opened();
    const tile = address(0, 0, 0, 0);
    pictures.fetch({ tiles: [tile], layers: 2 });
    await pictures.make(tile, 2, WANTED);
    pictures.setMix(entriesOf([shown(0, "FF0000"), shown(1, "00FF00"), shown(2, "0000FF")]));
    expect(pictures.makeNow(tile, 2)).toBeNull();
    channels.get(2)!.available = { layers: 1, attainable: 2, reason: null };
    expect(colourOf(await pictures.make(tile, 1, WANTED))).toEqual([10, 20, 31, 255]); // the others keep all their layers
    channels.get(2)!.available = { layers: 2, attainable: 2, reason: null };
    expect(colourOf(await pictures.make(tile, 2, WANTED))).toEqual([10, 20, 30, 255]);
    expect([...channels.values()].map(({ decoded }) => decoded)).toEqual([1, 1, 2]);
    pictures.setMix(entriesOf([shown(0, "FF0000"), shown(2, "0000FF")]));
    expect(colourOf(pictures.makeNow(tile, 2))).toEqual([10, 0, 30, 255]);
  });

  it("have no more layers than are wanted of the field", async () => {
    const { pictures } = opened();
    const tile = address(0, 0, 0, 0);
    pictures.fetch({ tiles: [tile], layers: 2 });
    await pictures.make(tile, 2, WANTED);
    pictures.fetch({ tiles: [tile], layers: 1 });
    expect(colourOf(await pictures.make(tile, 1, WANTED))).toEqual([11, 21, 0, 255]);
  });

  it("report changes once a frame", () => {
    const { pictures, changed, frame } = opened();
    const window = (high: number) => pictures.setMix(entriesOf([{ ...shown(0, "FF0000"), high }]));
    for (const high of [50, 51, 52, 53]) window(high);
    expect([changed.mock.calls.length, pictures.variant]).toEqual([1, "0:FF0000:0-53:100"]);
    frame();
    expect(changed.mock.calls.length).toBe(2);
    frame();
    frame();
    expect(changed.mock.calls.length).toBe(2);
    window(54);
    expect(changed.mock.calls.length).toBe(3);
  });

  it("CM10: are made anew on the processor when the graphics processor is lost", async () => {
    const { pictures, changed, lose } = opened();
    const tile = address(0, 0, 0, 0);
    await pictures.make(tile, 2, WANTED);
    const { variant } = pictures;
    expect((await pictures.memory()).mixer).toBe("webgl");
    lose();
    expect([(await pictures.memory()).mixer, changed.mock.calls.length]).toEqual(["canvas", 1]);
    expect(pictures.variant).not.toBe(variant);
    expect(colourOf(pictures.makeNow(tile, 2))).toEqual([10, 20, 0, 255]); // of the samples that are here
    pictures.setMix(entriesOf([shown(0, "FF0000"), shown(1, "00FF00")]));
    expect(changed.mock.calls.length).toBe(1);
  });

  it("keep what is decoded within a budget, and make every picture all the same", async () => {
    const { pictures, channels } = opened({ budget: 2 }); // bytes: less than a sum
    const tile = address(0, 0, 0, 0);
    pictures.setMix(entriesOf([0, 1, 2, 3].map((c) => shown(c, ["FF0000", "00FF00", "0000FF", "010000"][c]!))));
    expect(colourOf(await pictures.make(tile, 2, WANTED))).toEqual([10, 20, 30, 255]);
    expect((await pictures.memory()).decodedBytes).toBeLessThan(6 * MixKernel.slotBytes); // a sum, a table of each channel
    expect([...channels.values()].map(({ decoded }) => decoded)).toEqual([1, 1, 1, 1]);
  });

  it("know how the samples of a channel are spread, without fetching anything", async () => {
    const { pictures, channels } = opened();
    expect((await pictures.histogram(1))!.contrast).toEqual({ low: 21, high: 22 });
    expect(await pictures.histogram(3)).toBeNull(); // it was never on
    channels.get(0)!.available = { layers: 0, attainable: 3, reason: null };
    expect(await pictures.histogram(0)).toBeNull();
    expect([...channels.values()].flatMap(({ fields }) => fields)).toEqual([]);
  });

  it("CM7: tell the samples at a place that are decoded, and how complete they are", async () => {
    const { pictures, channels } = opened();
    const tile = address(0, 0, 0, 0);
    expect(pictures.samplesAt(tile, 0, 0)).toEqual([]);
    await pictures.pixels(tile, 1);
    const values = [11, 21].map((value, c) => ({ c, value, whole: false }));
    expect(pictures.samplesAt(tile, 0, 0)).toEqual(values);
    expect(pictures.samplesAt(tile, 1, 1)).toEqual([]);
    expect([...channels.values()].map(({ decoded }) => decoded)).toEqual([1, 1]);
  });

  it("are as complete as the least complete channel that is on", () => {
    const { pictures, channels } = opened();
    channels.get(1)!.available = { layers: 0, attainable: 1, reason: "damaged" };
    expect(pictures.availability(address(0, 0, 0, 0))).toEqual({ layers: 0, attainable: 1, reason: "damaged" });
  });

  it("close and count all channels, with one pool of workers", async () => {
    const { pictures, channels } = opened();
    expect(await pictures.memory()).toEqual({
      ...{ decodedBytes: 1, wasmBytes: 2, compressedBytes: 6, workers: 4 },
      mixer: "webgl",
    });
    pictures.close();
    expect([...channels.values()].every(({ closed }) => closed)).toBe(true);
  });

  it("ST111: are refused where a channel is not described", () => {
    const groups = { ...manifest.groups, channel_groups: 5 };
    const broken = { ...manifest, groups } as unknown as Manifest;
    expect(() => opened({ budget: 1, of: broken })).toThrow("does not describe each channel");
  });

  it("make nothing that is no longer wanted", async () => {
    const { pictures, channels } = opened();
    expect(await pictures.make(address(0, 0, 0, 0), 1, () => null)).toBeNull();
    const made = pictures.make(address(0, 0, 0, 0), 1, WANTED);
    pictures.setMix(entriesOf([shown(3, "FFFFFF")]));
    expect(await made).toBeNull();
    expect(channels.get(3)!.decoded).toBe(0);
  });
});

describe("a channel of a slide", () => {
  it("has parameter sets and a name of its own", () => {
    expect(manifestOfChannel(manifest, 2)).toMatchObject({
      digest: "d/2",
      channels: 1,
      groups: null,
      parameters: ["a2", "b2"],
    });
  });

  it("WI1: is in the address of every request", async () => {
    const asked: unknown[] = [];
    const record = (...request: unknown[]) => {
      asked.push(request);
      return undefined as never;
    };
    const inner = { layerIndexPage: record, approximationLayer: record, batch: record, get: record };
    const client = new ChannelClient(inner as unknown as SlideClient, 3);
    const ranges = [{ address: address(1, 2, 3, 4), from: 0, to: 1 }];
    const own = [{ address: address(1, 2, 3, 4, 3), from: 0, to: 1 }];
    void client.layerIndexPage(1, 0, 2, 9);
    void client.approximationLayer(1, 0, 2);
    client.batch(ranges);
    client.get(ranges);
    expect(asked).toEqual([
      [1, 3, 2, 9, undefined],
      [1, 3, 2, undefined],
      [own, undefined],
      [own, undefined],
    ]);
    await expect(client.tile()).rejects.toThrow("no picture of one channel");
  });
});

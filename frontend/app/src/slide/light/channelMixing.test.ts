import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type StoreApi, createStore } from "zustand/vanilla";
import { entriesOf, mixOfEntries } from "@wavescope/core/tiles/channels/mix";
import { ProblemError } from "@wavescope/core/wire/http/errors";
import type { SavedMix } from "@wavescope/core/wire/catalog/mixesClient";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { stub } from "@wavescope/core/stub";
import { type Adjustments, plain } from "@wavescope/viewer/light/adjustments";
import type { Light } from "@wavescope/viewer/light/light";
import { ChannelMixing } from "./channelMixing";
import { adding, removing } from "./savedMixes";

const wire = vi.hoisted(() => ({ readMixes: vi.fn(), saveMixes: vi.fn() }));
vi.mock("@wavescope/core/wire/catalog/mixesClient", () => wire);

vi.mock("@wavescope/viewer/light/light", () => ({ lightOf: vi.fn() }));

const names = ["DAPI", "CD3", "CD8", "CD20", "PanCK", "Ki67"];
const colours = ["0000FF", "FF0000", "00FF00", "FFFF00", "FF00FF", "00FFFF"];
const described = names.map((name, c) => ({
  name,
  colour: colours[c],
  display: { low: 0, high: 255, gamma: 100, on: c < 2 },
}));
const groups = { channel_groups: 6, channel_descriptions: described, bit_depth: 8, signed: false };
const manifest = stub<Manifest>({ id: "cells", url: "u", groups: groups as never });

let mixing: ChannelMixing;
let state: StoreApi<{ adjustments: Adjustments }>;
const contrast = { low: 10, high: 90 };
beforeEach(() => {
  state = createStore(() => ({ adjustments: plain }));
  const light = { state, set: (adjustments: Adjustments) => state.setState({ adjustments }) };
  const source = {
    get mix() {
      return mixOfEntries(state.getState().adjustments.mix ?? {});
    },
    histogram: (c: number) => Promise.resolve(c < 2 ? { from: 0, to: 9, counts: [], contrast } : null),
    hasHistogram: () => true,
    subscribe: () => () => undefined,
  };
  mixing = new ChannelMixing({ manifest }, stub<Light>(light), source);
});
afterEach(() => vi.resetAllMocks());

const on = (): string =>
  mixing
    .settings()
    .filter((one) => one.on)
    .map(({ name, low, high }) => `${name} ${low}-${high}`)
    .join(", ");
const FIRST = "DAPI 0-255, CD3 0-255";

describe("what is set for channels", () => {
  it("is taken back and done again: reset, contrast of all, solo, a group", async () => {
    await mixing.autoContrast();
    expect(on()).toBe("DAPI 10-90, CD3 10-90");
    mixing.solo(1);
    mixing.reset();
    expect([on(), state.getState().adjustments.mix]).toEqual([FIRST, null]);
    mixing.undo();
    expect(on()).toBe("CD3 10-90");
    mixing.undo();
    mixing.undo();
    expect([on(), state.getState().adjustments.mix]).toEqual([FIRST, null]);
    mixing.undo(); // there is nothing left
    mixing.redo();
    mixing.redo();
    expect(on()).toBe("CD3 10-90");
  });

  it("is one step while a slider moves", () => {
    mixing.set(0, { low: 5 });
    mixing.set(0, { low: 6 });
    mixing.set(1, { low: 7 });
    mixing.undo();
    expect(on()).toBe("DAPI 6-255, CD3 0-255");
    mixing.undo();
    expect(on()).toBe(FIRST);
  });

  it("comes back with a channel that is on again, also after steps were taken back", () => {
    mixing.set(1, { low: 7 });
    mixing.set(1, { on: false });
    mixing.set(1, { on: true });
    expect(on()).toBe("DAPI 0-255, CD3 7-255");
    mixing.undo();
    mixing.redo();
    expect(on()).toBe("DAPI 0-255, CD3 7-255");
  });

  it("is as before when a channel is alone no longer", () => {
    mixing.solo(2);
    expect(on()).toBe("CD8 0-255");
    mixing.solo(2);
    expect(on()).toBe(FIRST + ", CD8 0-255");
  });
});

const NUCLEI: SavedMix = { name: "Nuclei", channels: { c0: [0xffffff, 1, 9, 100] } };
const LOST: SavedMix = { name: "Lost", channels: { c40: [0xffffff, 1, 9, 100] } };

describe("mixes to choose (CM9)", () => {
  it("are the saved ones that the slide has channels for, and its groups; each is a step", async () => {
    wire.readMixes.mockResolvedValue({ revision: 3, mixes: [NUCLEI, LOST] });
    await mixing.load();
    expect(mixing.choices().map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "saved Nuclei",
      "group DAPI + CD3 + CD8 + CD20",
      "group DAPI + PanCK + Ki67",
    ]);
    expect(mixing.chosen()).toBeNull();
    expect([mixing.step(1), on(), mixing.chosen()?.name]).toEqual(["Nuclei", "DAPI 1-9", "Nuclei"]);
    expect([mixing.step(-1), on()]).toEqual(["DAPI + PanCK + Ki67", "DAPI 0-255, PanCK 0-255, Ki67 0-255"]);
    mixing.undo();
    expect(on()).toBe("DAPI 1-9");
    await mixing.load();
    expect(wire.readMixes).toHaveBeenCalledTimes(1);
  });

  it("are saved with the revision that they were read with; of another user's changes none is lost", async () => {
    wire.readMixes.mockResolvedValueOnce({ revision: 1, mixes: [] });
    wire.saveMixes.mockImplementation((_: string, mixes: unknown, revision: number) =>
      Promise.resolve({ revision: revision + 1, mixes }),
    );
    await mixing.save(adding(NUCLEI));
    expect(wire.saveMixes).toHaveBeenLastCalledWith("cells", [NUCLEI], 1);
    wire.saveMixes.mockRejectedValueOnce(new ProblemError("stale-revision", 412, "", ""));
    wire.readMixes.mockResolvedValueOnce({ revision: 7, mixes: [NUCLEI, LOST] });
    await mixing.save(removing("Nuclei"));
    expect(wire.saveMixes).toHaveBeenLastCalledWith("cells", [LOST], 7);
    expect(mixing.state.getState().saved).toEqual({ revision: 8, mixes: [LOST] });
  });

  it("are those of the slide alone where it is read from files", async () => {
    mixing = new ChannelMixing(
      { manifest: { ...manifest, files: stub<NonNullable<Manifest["files"]>>({}) } },
      mixing.light,
      mixing.source,
    );
    await mixing.load();
    expect([mixing.choices().length, wire.readMixes.mock.calls.length]).toEqual([2, 0]);
  });

  it("are an adjustment: links and sessions have what was chosen", () => {
    mixing.step(1);
    expect(state.getState().adjustments.mix).toEqual(entriesOf(mixing.choices()[0]!.mix));
  });
});

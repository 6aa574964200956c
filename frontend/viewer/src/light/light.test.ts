import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OfflineError, ProblemError } from "@wavescope/core/wire/http/errors";
import type { Colour } from "@wavescope/core/wire/slides/colourClient";
import { FakeMicroscope } from "../core/testing";
import { type Adjustments, plain } from "./adjustments";
import type { ColourTable } from "./colour";
import { Light, lightOf, pickColour, readLight, setLight, shownCanvas } from "./light";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);

interface FakeFilter {
  readonly kind: "gpu" | "cpu";
  readonly canvas: { style: Record<string, string>; dataset: Record<string, string> };
  readonly sets: [ColourTable | null, Adjustments, ({ name: string } | null)?][];
  readonly shows: boolean[];
  closed: boolean;
  lose(): void;
}
const fakes = vi.hoisted(() => ({ hasGpu: true, made: [] as FakeFilter[] }));
const makeFilter = vi.hoisted(() => (kind: "gpu" | "cpu", lose: () => void) => {
  const filter = {
    kind,
    lose,
    canvas: { style: {} as Record<string, string>, dataset: {} as Record<string, string> },
    sets: [] as FakeFilter["sets"],
    shows: [] as boolean[],
    closed: false,
    set: (...[table, adjustments, stage]: FakeFilter["sets"][number]) =>
      void filter.sets.push(stage ? [table, adjustments, stage] : [table, adjustments]),
    show: (_: unknown, moving: boolean) => void filter.shows.push(moving),
    close: () => void (filter.closed = true),
  };
  fakes.made.push(filter);
  return filter;
});
vi.mock("./gpuColourFilter", () => ({
  texture: () => undefined,
  GpuColourFilter: { open: (lost: () => void) => (fakes.hasGpu ? makeFilter("gpu", lost) : null) },
}));
vi.mock("./colourFilter", () => ({
  CpuColourFilter: function () {
    return makeFilter("cpu", () => undefined);
  },
}));
const readColour = vi.hoisted(() => vi.fn<(manifest: unknown, signal: AbortSignal) => Promise<Colour>>());
vi.mock("@wavescope/core/wire/slides/colourClient", () => ({ readColour }));

const SLIDE = { id: "he", width: 4000, height: 3000, planes: 1, mpp: null, planeSpacingUm: null };
const table: ColourTable = { nodes: 2, rgb: new Uint8Array(24) };
const withTable: Colour = { profile: "Scanner", state: "table", table };
const without: Colour = { profile: null, state: "none", table: null };
const dark: Adjustments = { ...plain, brightness: -0.5 };

/** The canvas of the slide: it is asked for its pixels, and has the filter after it. */
class FakeCanvas {
  readonly style: Record<string, string> = {};
  readonly covers: object[] = [];
  pixels: Uint8ClampedArray = new Uint8ClampedArray();
  readonly asked: number[][] = [];
  after = (cover: object): void => void this.covers.push(cover);
  getContext = () => ({
    getImageData: (...rect: number[]) => {
      this.asked.push(rect);
      return { data: this.pixels };
    },
  });
}

let microscope: FakeMicroscope & { canvas: FakeCanvas };
let light: Light;
beforeEach(() => {
  vi.useFakeTimers();
  fakes.hasGpu = true;
  fakes.made.length = 0;
  readColour.mockReset();
});
afterEach(() => {
  microscope.viewer.raiseEvent("before-destroy");
  vi.useRealTimers();
});

async function open(...responses: (Colour | Error)[]): Promise<void> {
  for (const response of responses)
    if (response instanceof Error) readColour.mockRejectedValueOnce(response);
    else readColour.mockResolvedValueOnce(response);
  microscope = Object.assign(new FakeMicroscope(SLIDE), { canvas: new FakeCanvas() });
  light = lightOf(microscope.microscope);
  await vi.advanceTimersByTimeAsync(0);
}

const state = () => light.state.getState();
/** Which of the two canvases are visible: the slide's, and that of the newest filter. */
const visible = () => [
  microscope.canvas.style.visibility !== "hidden",
  fakes.made.at(-1)?.canvas.style.visibility === "",
];

describe("a slide without a profile, not adjusted", () => {
  it("is shown as it is stored: no filter is made", async () => {
    await open(without);
    microscope.viewer.frame();
    expect(fakes.made).toEqual([]);
    expect(state()).toMatchObject({ colour: without, filter: null, profiled: false });
    expect(shownCanvas(microscope.microscope)).toBe(microscope.canvas);
  });

  it("gets a filter with the first adjustment, and is seen through it until the adjustments are reset", async () => {
    await open(without);
    setLight(microscope.microscope, dark);
    expect([fakes.made.length, visible(), state().filter]).toEqual([1, [false, true], "gpu"]);
    expect(readLight(microscope.microscope)).toBe(dark);
    expect(shownCanvas(microscope.microscope)).toBe(fakes.made[0]!.canvas);
    setLight(microscope.microscope, plain);
    expect([visible(), state().filter]).toEqual([[true, false], null]);
    setLight(microscope.microscope, dark);
    expect([fakes.made.length, visible()]).toEqual([1, [false, true]]);
  });
});

describe("the profile of the slide", () => {
  it("is applied as soon as it is known", async () => {
    await open(withTable);
    expect(fakes.made[0]!.sets).toEqual([[table, plain]]);
    expect(state()).toMatchObject({ filter: "gpu", profiled: true });
  });

  it("is left out where the user has switched it off", async () => {
    await open(withTable);
    light.set({ ...plain, profile: false });
    expect([state().profiled, state().filter, visible()]).toEqual([false, null, [true, false]]);
    light.set({ ...dark, profile: false });
    expect(fakes.made[0]!.sets.at(-1)).toEqual([null, { ...dark, profile: false }]);
  });

  it("is asked for again, every two seconds, while the service does not answer", async () => {
    await open(new OfflineError("x"), new ProblemError("unavailable", 503, "", ""), withTable);
    expect(state().colour).toBeNull();
    await vi.advanceTimersByTimeAsync(2000);
    expect([readColour.mock.calls.length, state().colour]).toEqual([2, null]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(state().colour).toBe(withTable);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(readColour).toHaveBeenCalledTimes(3);
  });

  it("is unusable where the service refuses it: the slide is shown as it is stored", async () => {
    await open(new ProblemError("unknown-version", 404, "", ""));
    expect(state()).toMatchObject({ colour: { state: "unusable", table: null }, filter: null });
  });

  it("is not asked for any more once the viewer is closed", async () => {
    await open(new OfflineError("x"), withTable);
    microscope.viewer.raiseEvent("before-destroy");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(readColour).toHaveBeenCalledOnce();
    expect(readColour.mock.calls[0]![1].aborted).toBe(true);
  });
});

describe("the filter", () => {
  it("shows every frame, in haste while the view moves and sharp when it rests", async () => {
    await open(withTable);
    const filter = fakes.made[0]!;
    filter.shows.length = 0;
    microscope.viewer.raiseEvent("animation-start");
    microscope.viewer.raiseEvent("update-viewport");
    microscope.viewer.raiseEvent("update-viewport");
    microscope.viewer.raiseEvent("animation-finish");
    expect(filter.shows).toEqual([true, true, false]);
  });

  it("is computed by the processor where there is no graphics processor", async () => {
    fakes.hasGpu = false;
    await open(withTable);
    expect(state().filter).toBe("cpu");
  });

  it("is replaced by one of the processor when the graphics processor goes away, and stays so", async () => {
    await open(withTable);
    light.set(dark);
    fakes.made[0]!.lose();
    expect([fakes.made[0]!.closed, fakes.made.map(({ kind }) => kind), state().filter]).toEqual([
      true,
      ["gpu", "cpu"],
      "cpu",
    ]);
    expect(fakes.made[1]!.sets).toEqual([[table, dark]]);
    expect([visible(), microscope.canvas.covers.at(-1)]).toEqual([[false, true], fakes.made[1]!.canvas]);
  });

  it("is not made anew when the graphics processor goes away while nothing is adjusted", async () => {
    await open(without);
    light.set(dark);
    light.set(plain);
    fakes.made[0]!.lose();
    expect([fakes.made.length, visible()[0]]).toEqual([1, true]);
    light.set(dark);
    expect(fakes.made.map(({ kind }) => kind)).toEqual(["gpu", "cpu"]);
  });

  it("is closed with the viewer", async () => {
    await open(withTable);
    microscope.viewer.raiseEvent("before-destroy");
    expect(fakes.made[0]!.closed).toBe(true);
  });
});

describe("the stored colour at a point", () => {
  const pixels = (...rgba: number[][]): Uint8ClampedArray => Uint8ClampedArray.from(rgba.flat());

  it("is the mean around it, without what lies beside the slide", async () => {
    await open(without);
    microscope.canvas.pixels = pixels([10, 20, 30, 255], [30, 40, 50, 255], [99, 99, 99, 0]);
    expect(light.stored(100.4, 50.6)).toEqual([20, 30, 40]);
    expect(microscope.canvas.asked).toEqual([[97, 48, 7, 7]]);
  });

  it("is none outside of the slide", async () => {
    await open(without);
    microscope.canvas.pixels = pixels([0, 0, 0, 0], [99, 99, 99, 128]);
    expect(light.stored(0, 0)).toBeNull();
  });
});

describe("picking a colour", () => {
  const at = { x: 100, y: 50, distanceTo: () => 0 };

  it("gives the stored colour where the user clicks, and takes that click from the viewer", async () => {
    await open(without);
    microscope.canvas.pixels = Uint8ClampedArray.of(240, 241, 242, 255);
    const picked = pickColour(microscope.microscope, new AbortController().signal);
    expect(microscope.viewer.element.dataset.picking).toBe("true");
    microscope.viewer.raiseEvent("canvas-press", { position: at });
    const click = { position: at, preventDefaultAction: false };
    microscope.viewer.raiseEvent("canvas-click", click);
    expect(await picked).toEqual([240, 241, 242]);
    expect(click.preventDefaultAction).toBe(true);
    expect(microscope.viewer.element.dataset.picking).toBeUndefined();
  });

  it("gives nothing when it is cancelled, and leaves the next click to the viewer", async () => {
    await open(without);
    const wish = new AbortController();
    const handlers = microscope.viewer.handlerCount;
    const picked = pickColour(microscope.microscope, wish.signal);
    wish.abort();
    expect(await picked).toBeNull();
    expect([microscope.viewer.handlerCount, microscope.viewer.element.dataset.picking]).toEqual([handlers, undefined]);
  });
});

it("CM8: the mix of channels goes to the source of the pictures, without a filter", () => {
  const setMix = vi.fn();
  Object.assign(microscope, { source: { setMix } });
  const mix = { c1: [0xff0000, 0, 9, 100] };
  light.set({ ...plain, mix });
  light.set(plain);
  expect(setMix.mock.calls).toEqual([[mix], [null]]);
  expect(light.state.getState().filter).toBeNull();
});

describe("a stain view", () => {
  const stained = { ...plain, stain: { stain: 2 } };

  it("SN9: is made of the stored colours without the profile, and the white point has no other part; then come the other adjustments", async () => {
    await open(withTable);
    light.set({ ...stained, gamma: 1.5, white: [240, 240, 240] });
    await light.ready();
    expect(fakes.made[0]!.sets.at(-1)).toEqual([
      null,
      { ...plain, gamma: 1.5 },
      expect.objectContaining({ name: "Eosin" }),
    ]);
    expect(state()).toMatchObject({ view: "Eosin", profiled: false, filter: "gpu" });
    light.set(plain);
    expect(state()).toMatchObject({ view: null, profiled: true });
  });

  it("SN7: is not made of entries that describe none: the slide is shown as it is stored", async () => {
    await open(without);
    light.set({ ...plain, stain: { stain: 0 } });
    await light.ready();
    expect(state()).toMatchObject({ view: null, filter: null });
  });
});

it("a microscope has one light for all that ask for it", async () => {
  await open(without);
  expect(lightOf(microscope.microscope)).toBe(light);
  expect(readColour).toHaveBeenCalledOnce();
});

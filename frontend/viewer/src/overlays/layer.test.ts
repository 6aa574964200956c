import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { placeOf } from "@wavescope/core/overlays/plan";
import { BINS, type ClassCounts, type TilePlace } from "@wavescope/core/overlays/tile";
import { stub } from "@wavescope/core/stub";
import type { OverlayInfo } from "@wavescope/core/wire/catalog/overlaysClient";
import { ProblemError } from "@wavescope/core/wire/http/errors";
import { FakeMicroscope } from "../core/testing";
import { FakeFrames } from "../fakeBrowser";
import { type LayerStatus, OverlayLayer } from "./layer";
import type { Answers, Kind, Requests } from "./protocol";
import { settingsFor } from "./settings";
import { OverlayWorkerError, type WorkerLink } from "./workerLink";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);
const view = vi.hoisted(() => ({ matrix: { a: 1, b: 0, c: 0, d: 1, e: -1000, f: -1000 } }));
vi.mock("../annotate/paint/viewMatrix", () => ({ viewMatrix: () => view.matrix }));
const service = vi.hoisted(() => ({
  fetch: (place: TilePlace): Promise<Uint8Array<ArrayBuffer> | null> => Promise.reject(new Error(`${place.level}`)),
}));
vi.mock("@wavescope/core/wire/catalog/overlaysClient", () => ({
  overlayTile: (_slide: string, _info: unknown, place: TilePlace) => service.fetch(place),
  overlayTileUrl: (_slide: string, _info: unknown, place: TilePlace) => `/${JSON.stringify(place)}`,
}));

const SLIDE = { id: "he", width: 8192, height: 8192, planes: 1, mpp: null, planeSpacingUm: null };
const INFO = stub<OverlayInfo>({
  id: "cells",
  width: 8192,
  height: 8192,
  top: 4,
  shapes: 10_000,
  classes: [{ name: "cell", color: "FF0000", count: 10_000 }],
  score: null,
  raster: null,
  outlines: [10_000, 0, 0, 0, 0],
});
const COUNTS: readonly ClassCounts[] = [
  { of: 0, shapes: new Uint32Array(BINS * BINS).fill(10), scores: new Float64Array(BINS * BINS) },
];

/** The worker's end: answers as a test says. */
class FakeLink {
  readonly asked: { readonly kind: Kind; readonly request: Requests[Kind] }[] = [];
  readonly pictures: { readonly scene: Requests["paint"]["scene"]; answer(): void; fail(error: Error): void }[] = [];
  decode: (key: string) => Pick<NonNullable<Answers["tile"]>, "bytes" | "counts"> = () => ({
    bytes: 1000,
    counts: COUNTS,
  });
  /** Whether it can fetch. */
  fetches = true;

  readonly ask = (kind: Kind, request: Requests[Kind]): Promise<unknown> => {
    this.asked.push({ kind, request });
    if (kind === "tile") return this.tile(request as Requests["tile"]);
    if (kind !== "paint") return Promise.resolve(null);
    const { scene } = request as Requests["paint"];
    return new Promise((resolve, reject) => {
      const bitmap = { width: scene.width, close: () => closed.push(scene.width) };
      this.pictures.push({
        scene,
        answer: () => resolve({ bitmap, painter: "canvas", milliseconds: 1 }),
        fail: reject,
      });
    });
  };

  private async tile({ key, from }: Requests["tile"]): Promise<Answers["tile"]> {
    if (typeof from === "string" && !this.fetches) return null;
    const member = typeof from === "string" ? await service.fetch(placeOf(key)) : from;
    return member && { received: member.length, ...this.decode(key) };
  }
}

const closed: number[] = [];
let displayed: number[];
let style: Record<string, string>;
let frames: FakeFrames;
let link: FakeLink;
let statuses: LayerStatus[];
let layer: OverlayLayer;

beforeEach(() => {
  vi.useFakeTimers();
  frames = new FakeFrames();
  const measures = { mark: vi.fn(), measure: vi.fn(), clearMeasures: vi.fn(), clearMarks: vi.fn() };
  vi.stubGlobal("performance", { now: () => frames.now, ...measures });
  displayed = [];
  closed.length = 0;
  style = {};
  const context = {
    transferFromImageBitmap: (bitmap: { width: number } | null) => displayed.push(bitmap?.width ?? 0),
  };
  const canvas = { dataset: {}, style, setAttribute: vi.fn(), remove: vi.fn(), getContext: () => context };
  vi.stubGlobal("document", { createElement: () => canvas });
  vi.stubGlobal("location", { href: "http://127.0.0.1/slides/he" });
  view.matrix = { a: 1, b: 0, c: 0, d: 1, e: -1000, f: -1000 };
  service.fetch = () => Promise.resolve(new Uint8Array(100));
  link = new FakeLink();
  statuses = [];
  const microscope = Object.assign(new FakeMicroscope(SLIDE), { canvas: { width: 800, height: 600 } });
  Object.assign(microscope.viewer, { isOpen: () => true });
  layer = new OverlayLayer(microscope.microscope, INFO, settingsFor(INFO, true).style, {
    link: stub<WorkerLink>(link),
    number: 1,
    budget: () => 64e6,
    status: (status) => statuses.push(status),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Frames, and what is answered between them, until nothing is asked for any more. */
async function drawAll(): Promise<void> {
  for (let i = 0; i < 60; i += 1) {
    frames.draw();
    await vi.advanceTimersByTimeAsync(0);
  }
}

/** Draws all, with the pictures that are asked for. */
async function settle(): Promise<void> {
  for (let i = 0; i < 4; i += 1) {
    await drawAll();
    link.pictures.at(-1)?.answer();
    await vi.advanceTimersByTimeAsync(200);
  }
}

const moved = (e: number): void => {
  view.matrix = { ...view.matrix, e };
  layer.update();
};
const parts = (at: number): string[] => [...new Set(link.pictures.at(at)!.scene.drawn.map(({ part }) => part))];

describe("the layer of an overlay", () => {
  it("OV42: shows counts in place of tiles until they are here", async () => {
    let arrive: (() => void)[] = [];
    service.fetch = ({ level }) =>
      level === INFO.top
        ? Promise.resolve(new Uint8Array(100))
        : new Promise((resolve) => arrive.push(() => resolve(new Uint8Array(100))));
    await drawAll();
    expect(link.pictures).toHaveLength(1);
    expect(parts(0)).toEqual(["counts"]);
    expect(link.pictures[0]!.scene.drawn.every(({ window }) => window !== null)).toBe(true);
    link.pictures[0]!.answer();
    for (let i = 0; i < 20 && arrive.length > 0; i += 1) {
      const now = arrive;
      arrive = [];
      for (const work of now) work();
      await settle();
    }
    expect(parts(-1)).toEqual(["outlines"]);
    expect(layer.settled).toBe(true);
    expect(statuses.at(-1)).toEqual({ detail: "outlines", settled: true, damaged: 0, refusal: null });
  });

  it("OV48: draws a view that leapt alone at first, then with more around it", async () => {
    await settle();
    expect(link.pictures.at(-1)!.scene).toMatchObject({ width: 1120, height: 840 });
    expect(layer.settled).toBe(true);
    const before = link.pictures.length;
    moved(-3000);
    expect(link.pictures).toHaveLength(before + 1);
    expect(link.pictures.at(-1)!.scene).toMatchObject({ width: 800, height: 600 });
  });

  it("OV48: moves the picture along with the view, and asks for another one before its margin ends", async () => {
    await settle();
    const before = link.pictures.length;
    moved(-1020);
    expect(link.pictures).toHaveLength(before);
    expect(style["transform"]).toBe("matrix(1, 0, 0, 1, -20, 0)");
    for (let e = -1040; e >= -1140; e -= 20) moved(e);
    expect(link.pictures).toHaveLength(before + 1);
    const { width, matrix } = link.pictures.at(-1)!.scene;
    expect(width).toBe(1120);
    expect(matrix.e).toBeLessThan(-1140 + 160); // the picture lies ahead
  });

  it("asks for one picture at a time, and then for that of the view as it is", async () => {
    await drawAll();
    moved(-2000);
    moved(-4000);
    expect(link.pictures).toHaveLength(1);
    link.pictures[0]!.answer();
    await drawAll();
    expect(link.pictures).toHaveLength(2);
    expect(link.pictures[1]!.scene.matrix.e).toBe(-4000);
  });

  it("OV42: draws nothing in place of a damaged tile, and says that it is damaged", async () => {
    link.decode = (key) => (key === "0/2/2" ? { bytes: null, counts: null } : { bytes: 1000, counts: COUNTS });
    await settle();
    expect(link.pictures.at(-1)!.scene.drawn.some(({ key }) => key === "0/2/2")).toBe(false);
    expect(link.pictures.at(-1)!.scene.drawn.some(({ part }) => part === "counts")).toBe(false);
    expect(statuses.at(-1)).toMatchObject({ damaged: 1, settled: true });
  });

  it("fetches for the worker what that was refused, and says why it cannot be had", async () => {
    link.fetches = false;
    await settle();
    expect(layer.settled).toBe(true);
    const refused = new ProblemError("unknown-overlay", 404, "", "");
    service.fetch = () => Promise.reject(refused);
    moved(-6000);
    await drawAll();
    expect(statuses.at(-1)).toMatchObject({ refusal: refused });
  });

  it("draws nothing while it is hidden, and drops its picture", async () => {
    await settle();
    const before = link.pictures.length;
    layer.show(false, 1);
    expect(displayed.at(-1)).toBe(0);
    moved(-5000);
    await drawAll();
    expect(link.pictures).toHaveLength(before);
    layer.show(true, 0.5);
    await drawAll();
    expect(link.pictures).toHaveLength(before + 1);
    expect(style["opacity"]).toBe("0.5");
  });

  it("drops a picture that comes after it was closed", async () => {
    await drawAll();
    layer.close();
    link.pictures[0]!.answer();
    await drawAll();
    expect(displayed).toEqual([]);
    expect(closed).toEqual([1120]);
    expect(link.asked.at(-1)).toEqual({ kind: "close", request: { overlay: 1 } });
  });

  it("says why it cannot be shown when the worker has ended", async () => {
    await drawAll();
    const error = new OverlayWorkerError("the worker has ended");
    link.pictures[0]!.fail(error);
    await drawAll();
    expect(statuses.at(-1)).toMatchObject({ refusal: error, settled: true });
    expect(link.pictures).toHaveLength(1);
  });
});

/** The light of one microscope: its adjustments, the slide's profile, and the colour filter that shows them. */
import OpenSeadragon from "openseadragon";
import { createStore, type StoreApi } from "zustand/vanilla";
import { type Colour, readColour } from "@wavescope/core/wire/slides/colourClient";
import { mayRecover } from "@wavescope/core/wire/http/errors";
import { handleClicks } from "../navigation/clicks";
import type { Microscope } from "../core/microscope";
import { type Adjustments, type Rgb, isPlain, plain } from "./adjustments";
import { GpuColourFilter } from "./gpuColourFilter";
import { CpuColourFilter, type ColourFilter, type Stage } from "./colourFilter";

export interface LightState {
  readonly adjustments: Adjustments;
  /** What is known of the slide's profile; null until the service has answered. */
  readonly colour: Colour | null;
  /** What makes the colours shown; null: they are those stored, nothing lies over them. */
  readonly filter: ColourFilter["kind"] | null;
  /** Whether the profile has a part in the colours shown. */
  readonly profiled: boolean;
  /** What is computed of the stored colours, by its name: a stain view. */
  readonly view: string | null;
}

export class Light {
  readonly state: StoreApi<LightState> = createStore<LightState>(() => ({
    adjustments: plain,
    colour: null,
    filter: null,
    profiled: false,
    view: null,
  }));
  private filter: ColourFilter | null = null;
  private on = false;
  private gpuWorks = true;
  private moving = false;
  private readonly closing = new AbortController();
  private stains: typeof import("./stainStage") | null = null;
  private loading: Promise<unknown> | null = null;

  constructor(private readonly microscope: Microscope) {
    const { viewer } = microscope;
    viewer.addHandler("animation-start", () => (this.moving = true));
    viewer.addHandler("animation-finish", () => {
      this.moving = false;
      this.show();
    });
    viewer.addHandler("update-viewport", () => this.show());
    viewer.addOnceHandler("before-destroy", () => this.close());
    void this.learn();
  }

  set(adjustments: Adjustments): void {
    this.change({ adjustments });
  }

  /** Once the code of the view that is set is here, or cannot be fetched. */
  async ready(): Promise<void> {
    await this.loading;
  }

  /** What is on the screen: the picture of the colour filter if there is one. Read it before the next task. */
  shown(): HTMLCanvasElement {
    if (!this.on) return this.microscope.canvas;
    this.filter!.show(this.microscope.canvas, false);
    return this.filter!.canvas;
  }

  /** The mean stored colour (0 to 255) up to `reach` around a point of the canvas, in device pixels; null outside the slide. */
  stored(canvas_x: number, canvas_y: number, reach = REACH): Rgb | null {
    const left = Math.round(canvas_x) - reach;
    const top = Math.round(canvas_y) - reach;
    const { data } = this.microscope.canvas.getContext("2d")!.getImageData(left, top, 2 * reach + 1, 2 * reach + 1);
    return meanOf(data);
  }

  private change(change: Partial<LightState>): void {
    const { adjustments, colour } = { ...this.state.getState(), ...change };
    if (change.adjustments) {
      this.microscope.source.setMix?.(adjustments.mix);
      this.microscope.source.setExtended?.(adjustments.extended);
    }
    const stage = this.stageOf(adjustments);
    const table = adjustments.profile && !stage ? (colour?.table ?? null) : null;
    const rest = stage ? { ...adjustments, white: null, stain: null } : adjustments; // the densities are those below white
    this.on = !isPlain({ ...rest, stain: null }) || table !== null || stage !== null;
    if (this.on) {
      this.filter ??= this.make();
      this.filter.set(table, rest, stage);
      this.show();
    }
    this.cover(this.on);
    this.state.setState({
      ...change,
      filter: this.on ? this.filter!.kind : null,
      profiled: table !== null,
      view: stage && stage.name,
    });
  }

  /** The stain view; its code is fetched when it is first needed. */
  private stageOf({ stain, white }: Adjustments): Stage | null {
    if (!stain) return null;
    if (this.stains) return this.stains.stageOf(stain, white);
    this.loading ??= import("./stainStage")
      .then((stains) => {
        this.stains = stains;
        if (!this.closing.signal.aborted) this.change({});
      })
      .catch(() => (this.loading = null)); // as stored; the next change tries again
    return null;
  }

  private make(): ColourFilter {
    const filter = (this.gpuWorks ? GpuColourFilter.open(() => this.withoutGpu()) : null) ?? new CpuColourFilter();
    Object.assign(filter.canvas.style, {
      position: "absolute",
      inset: "0",
      width: "100%",
      height: "100%",
      pointerEvents: "none",
    });
    filter.canvas.dataset.testid = "colour-filter";
    this.microscope.canvas.after(filter.canvas);
    return filter;
  }

  /** With the filter or without: one of the two canvases is visible. */
  private cover(on: boolean): void {
    this.microscope.canvas.style.visibility = on ? "hidden" : "";
    if (this.filter) this.filter.canvas.style.visibility = on ? "" : "hidden";
  }

  /** The graphics processor has gone away (it does, when a laptop sleeps): the processor takes over. */
  private withoutGpu(): void {
    this.gpuWorks = false;
    this.filter?.close();
    this.filter = null;
    this.change({});
  }

  private show(): void {
    if (this.on) this.filter!.show(this.microscope.canvas, this.moving);
  }

  private async learn(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      try {
        return this.change({
          colour: await readColour(this.microscope.manifest, signal, this.microscope.manifest.files?.fetcher),
        });
      } catch (error) {
        if (!mayRecover(error)) return this.change({ colour: { profile: null, state: "unusable", table: null } });
      }
      await pause(RETRY_MILLISECONDS);
    }
  }

  private close(): void {
    this.closing.abort();
    this.filter?.close();
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const RETRY_MILLISECONDS = 2000;

/** Device pixels around the one that is meant. */
const REACH = 3;

function meanOf(rgba: Uint8ClampedArray): Rgb | null {
  const sums = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i + 3] !== 255) continue;
    for (let c = 0; c < 3; c++) sums[c]! += rgba[i + c]!;
    count += 1;
  }
  return count === 0 ? null : [sums[0]! / count, sums[1]! / count, sums[2]! / count];
}

const lights = new WeakMap<Microscope, Light>();

/** The light of a microscope, lit when first asked for. */
export function lightOf(microscope: Microscope): Light {
  let light = lights.get(microscope);
  if (!light) lights.set(microscope, (light = new Light(microscope)));
  return light;
}

export function readLight(microscope: Microscope): Adjustments {
  return lightOf(microscope).state.getState().adjustments;
}

export function setLight(microscope: Microscope, adjustments: Adjustments): void {
  lightOf(microscope).set(adjustments);
}

/** What is on the screen now, adjusted: for pictures of the view. To be read before the next task. */
export function shownCanvas(microscope: Microscope): HTMLCanvasElement {
  return lightOf(microscope).shown();
}

/** Waits for a click on glass; the stored colour there, or null if the slide is not there or another wish came first. */
export function pickColour(microscope: Microscope, signal: AbortSignal): Promise<Rgb | null> {
  return new Promise((resolve) => {
    const stop = handleClicks(microscope, ({ css_x, css_y }) => {
      const ratio = OpenSeadragon.pixelDensityRatio;
      done(lightOf(microscope).stored(css_x * ratio, css_y * ratio));
    });
    const done = (colour: Rgb | null): void => {
      delete microscope.viewer.element.dataset.picking;
      stop();
      resolve(colour);
    };
    signal.addEventListener("abort", () => done(null), { once: true });
    microscope.viewer.element.dataset.picking = "true";
  });
}

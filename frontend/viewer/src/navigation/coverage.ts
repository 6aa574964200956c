/** How much of the tissue one has seen (page.md, section 10): follows the microscope, and keeps what it saw. State without React. */
import { createStore } from "zustand/vanilla";
import type { Region } from "@wavescope/core/geometry/field";
import type { Size } from "@wavescope/core/geometry/pyramid";
import type { Microscope } from "../core/microscope";
import type { ViewState } from "../core/viewState";
import { freeField } from "./freePart";
import { type SeenView, type StoredView, MAX_VIEWS, addView, readView, storedView } from "./seenViews";
import type { SlidePlace } from "./serpentine";

export interface Coverage {
  readonly shown: boolean;
  readonly views: readonly SeenView[];
  /** Where the way through the tissue has come to. */
  readonly at: SlidePlace | null;
  /** When the user marked the slide as reviewed, in seconds since 1970. */
  readonly reviewed: number | null;
}

export type CoverageStore = ReturnType<typeof createCoverage>;

/** Milliseconds of rest that make a view. */
const REST = 400;
/** Seconds after which nobody may be looking any more. */
const LONGEST = 120;

export const createCoverage = () =>
  createStore<Coverage>(() => ({ shown: false, views: [], at: null, reviewed: null }));

const stores = new WeakMap<Microscope, CoverageStore>();

/** One per open slide. */
export function coverageOf(microscope: Microscope): CoverageStore {
  let store = stores.get(microscope);
  if (!store) stores.set(microscope, (store = createCoverage()));
  return store;
}

type Field = Pick<ViewState, "region" | "rotation" | "scale">;

/** What is on the screen: since when it rests, and up to when it was counted. */
interface Dwell extends Field {
  readonly since: number;
  counted: number;
  sharp: boolean;
}

/** Notes the free part of each field that is rested on, until what it gives is called. A view of the whole slide is an overview, and no field of it. */
export function trackCoverage(microscope: Microscope, now: () => number = () => performance.now()): () => void {
  const store = coverageOf(microscope);
  let timer: ReturnType<typeof setTimeout>;
  let dwell: Dwell | null = null;
  let last: Field | null = null;
  const count = (sharp: boolean): void => {
    if (!dwell) return;
    const seconds = Math.min(LONGEST, (now() - dwell.counted) / 1000);
    const { region, rotation, scale } = dwell;
    dwell.counted = now();
    store.setState(({ views }) => ({ views: addView(views, { ...region, rotation, scale, seconds, sharp }) }));
  };
  const leave = (): void => {
    clearTimeout(timer);
    if (dwell && now() - dwell.since >= REST) count(dwell.sharp);
    dwell = null;
  };
  const look = (): void => {
    const { fidelity } = microscope.state.getState();
    if (!dwell || dwell.sharp || now() - dwell.since < REST) return;
    if (fidelity !== "sharp" && fidelity !== "exact") return;
    dwell.sharp = true;
    count(true);
  };
  const arrive = ({ region, rotation, scale }: Field): void => {
    leave();
    last = { region, rotation, scale };
    if (document.hidden || showsWhole(microscope.pyramid, region, rotation)) return;
    dwell = {
      region: freeField(microscope, region, rotation),
      rotation,
      scale,
      since: now(),
      counted: now(),
      sharp: false,
    };
    timer = setTimeout(look, REST);
  };
  const stop = microscope.state.subscribe((state) => {
    if (last && sameField(last, state)) look();
    else arrive(state);
  });
  arrive(microscope.state.getState());
  const hidden = (): void => (document.hidden ? leave() : arrive(microscope.state.getState()));
  document.addEventListener("visibilitychange", hidden);
  return () => {
    leave();
    stop();
    document.removeEventListener("visibilitychange", hidden);
  };
}

/** The microscope reports the same field as another object with every change of its picture. */
export function sameField(last: Field, { region, rotation }: Field): boolean {
  const sides = ["l0_x", "l0_y", "l0_width", "l0_height"] as const;
  return last.rotation === rotation && sides.every((side) => region[side] === last.region[side]);
}

/** Nearly the whole slide counts as the whole: this part of each side may be out of view. */
const MARGIN = 0.03;

/** Whether the corners of the slide are in view. */
export function showsWhole({ width, height }: Size, field: Region, rotation: number): boolean {
  const angle = (rotation * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const inView = (l0_x: number, l0_y: number): boolean => {
    const [x, y] = [l0_x - field.l0_x - field.l0_width / 2, l0_y - field.l0_y - field.l0_height / 2];
    const [across, down] = [cos * x - sin * y, sin * x + cos * y];
    return Math.abs(across) <= field.l0_width / 2 && Math.abs(down) <= field.l0_height / 2;
  };
  return [MARGIN, 1 - MARGIN].every((x) => [MARGIN, 1 - MARGIN].every((y) => inView(x * width, y * height)));
}

/** What is kept of a slide in this browser. */
export interface CoverageLog {
  readonly views: readonly StoredView[];
  readonly at: readonly [number, number] | null;
}

export function coverageLog({ views, at }: Pick<Coverage, "views" | "at">): CoverageLog {
  return { views: views.map(storedView), at: at && [Math.round(at.l0_x), Math.round(at.l0_y)] };
}

export function coverageText(coverage: Pick<Coverage, "views" | "at">): string {
  return JSON.stringify(coverageLog(coverage));
}

/** What a text says was seen; what it does not say well is left out. */
export function readCoverage(text: string | null): Pick<Coverage, "views" | "at"> {
  return coverageIn(text === null ? null : parsed(text));
}

/** The same of the value of such a text. */
export function coverageIn(log: unknown): Pick<Coverage, "views" | "at"> {
  const { views, at } = (log ?? {}) as { readonly views?: unknown; readonly at?: unknown };
  const read = Array.isArray(views) ? views.map(readView).filter((view) => view !== null) : [];
  const [l0_x, l0_y] = Array.isArray(at) ? (at as unknown[]) : [];
  const known = typeof l0_x === "number" && typeof l0_y === "number";
  return { views: read.slice(-MAX_VIEWS), at: known ? { l0_x, l0_y } : null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

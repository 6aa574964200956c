/**
 * Aligning two slides automatically: the service registers them (shared/spec/registration.md), landmarks correct what it found. It can
 * be undone as a whole.
 */
import { createStore } from "zustand/vanilla";
import { type SlideRegistration, readRegistration } from "@wavescope/core/wire/slides/registrationClient";
import type { Microscope } from "../core/microscope";
import type { ComparisonState, Side } from "./comparisonState";
import type { LandmarkPair } from "./landmarks";
import { affineOf, corrected, mapOf, placesOf } from "./places";
import {
  type Link,
  type Places,
  type Point,
  type Registration,
  mapPoint,
  registrationAt,
  reversed,
  startLink,
} from "./registration";

export interface AlignmentState {
  readonly running: boolean;
  readonly failure: Error | null;
  readonly found: SlideRegistration | null;
  /** Whether the panel that tells of it is open. */
  readonly open: boolean;
  /** Whether what is left is shown on the left slide. */
  readonly residuals: boolean;
  /** Whether each slide shows the annotations of the other. */
  readonly annotations: boolean;
}

interface Alignable {
  readonly microscopes: Readonly<Record<Side, Microscope>>;
  readonly state: { getState(): ComparisonState };
  register(registration: Registration, places?: Places): void;
  restore(link: Link | null): void;
}

const NONE: AlignmentState = {
  running: false,
  failure: null,
  found: null,
  open: false,
  residuals: false,
  annotations: false,
};

export class Alignment {
  readonly state = createStore<AlignmentState>(() => NONE);
  private before: Link | null = null;
  private asked: AbortController | null = null;

  constructor(
    private readonly comparison: Alignable,
    private readonly read = readRegistration,
  ) {}

  /** Aligns the slides as the service finds it, corrected by the landmarks that there are. */
  async start(pairs: readonly LandmarkPair[], open = true): Promise<void> {
    this.cancel();
    const asked = (this.asked = new AbortController());
    this.state.setState({ ...NONE, running: true, open });
    const { left, right } = this.comparison.microscopes;
    try {
      const found = await this.read(left.manifest.id, right.manifest.id, asked.signal);
      if (asked.signal.aborted) return;
      this.before = this.comparison.state.getState().link;
      this.state.setState({ ...NONE, found, open });
      this.correct(pairs);
    } catch (failure) {
      if (!asked.signal.aborted) this.state.setState({ ...NONE, failure: failure as Error, open });
    }
  }

  cancel(): void {
    this.asked?.abort();
    if (this.state.getState().running) this.state.setState(NONE);
  }

  /** Lays landmarks on each other where the slides are aligned automatically; else it does nothing and returns false. */
  correct(pairs: readonly LandmarkPair[]): boolean {
    const { found } = this.state.getState();
    if (!found) return false;
    const { left, right } = this.comparison.microscopes;
    const now = (this.comparison.state.getState().link ?? startLink(left.manifest, right.manifest)).registration;
    const base = affineOf(found, now);
    if (!base) return false;
    const map = corrected(mapOf(found), pairs, found.spacing);
    this.comparison.register(base, placesOf(map, base, found.spacing / 16));
    return true;
  }

  /** How far the landmarks are from where the service alone laid them, in level-0 pixels of the right slide. */
  off(pairs: readonly LandmarkPair[]): number[] {
    const { found } = this.state.getState();
    if (!found) return [];
    const map = mapOf(found);
    return pairs.map(({ left, right }) => Math.hypot(map(left).l0_x - right.l0_x, map(left).l0_y - right.l0_y));
  }

  /** The slides lie as they did before. */
  undo(): void {
    this.cancel();
    const { found } = this.state.getState();
    this.state.setState(NONE);
    if (found) this.comparison.restore(this.before);
  }

  /** The slides are aligned otherwise from now on. */
  forget(): void {
    this.cancel();
    this.state.setState(NONE);
  }

  /** The slides stay as they lie, and landmarks still correct them. */
  setOpen(open: boolean): void {
    if (!open) this.cancel();
    this.state.setState({ open, failure: null, ...(open ? {} : { residuals: false }) });
  }

  showResiduals(residuals: boolean): void {
    this.state.setState({ residuals });
  }

  showAnnotations(annotations: boolean): void {
    this.state.setState({ annotations });
  }

  close(): void {
    this.asked?.abort();
  }
}

/** Where a point of one slide lies on the other, as they are linked. */
export function onOther(link: Link, side: Side, at: Point): Point {
  const way = side === "left" ? link : reversed(link);
  return mapPoint(registrationAt(way, at), at);
}

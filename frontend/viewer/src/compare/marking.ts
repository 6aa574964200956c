/**
 * Marking landmarks on the slides, and laying the slides by them. A place is marked on one slide, then on the others. Until all have it,
 * it is open; marking the same slide again moves it while it is marked there alone, else it begins the next one. Each further mark lays
 * the slides anew. Every change can be taken back, the last one first.
 */
import { createStore } from "zustand/vanilla";
import { handleClicks } from "../navigation/clicks";
import type { Microscope } from "../core/microscope";
import { underScreen } from "../navigation/pointing";
import { type Fit, type Landmark, MAX_LANDMARKS, fitLandmarks, pairsOf } from "./landmarks";
import type { ComparisonState } from "./comparisonState";
import type { Alignment } from "./alignment";
import { type Links, startLinks } from "./links";
import type { Link, Point } from "./registration";

export interface MarkingState {
  /** Whether a click on a slide marks it. */
  readonly on: boolean;
  readonly landmarks: readonly Landmark[];
  /** How those of each pane fit those of the first one. */
  readonly fits: readonly (Fit | null)[];
  /** The number of steps that can be undone. */
  readonly changes: number;
}

/** What marking needs of several microscopes. */
export interface Registrable {
  readonly microscopes: readonly Microscope[];
  readonly state: { getState(): Pick<ComparisonState, "links"> };
  readonly alignment: Pick<Alignment, "links" | "undo">;
  lay(links: readonly (Link | null)[]): void;
  restore(links: Links | null): void;
}

/** With so many landmarks the slides lie well enough to stay together while the next one is marked. */
const STAY_TOGETHER = 2;

export class Marking {
  readonly state = createStore<MarkingState>(() => ({ on: false, landmarks: [], fits: [], changes: 0 }));
  private past: { readonly landmarks: readonly Landmark[]; readonly links: Links | null }[] = [];
  private stops: (() => void)[] = [];

  constructor(private readonly comparison: Registrable) {}

  /** Takes landmarks as they are, with nothing to take back; the slides stay as they lie. */
  load(landmarks: readonly Landmark[]): void {
    this.past = [];
    this.show(landmarks);
  }

  setOn(on: boolean): void {
    this.close();
    const { microscopes } = this.comparison;
    if (on)
      this.stops = microscopes.map((microscope, pane) =>
        handleClicks(microscope, (at) => this.mark(pane, underScreen(microscope, at))),
      );
    for (const { viewer } of microscopes) viewer.element.dataset.picking = String(on);
    this.state.setState({ on });
  }

  /** Marks a place of one slide: of the open landmark, or of a new one. */
  mark(pane: number, at: Point): void {
    const { landmarks } = this.state.getState();
    const open = openOf(landmarks);
    if (open && (!open[pane] || isSingle(open))) this.change([...landmarks.slice(0, -1), open.with(pane, at)]);
    else if (landmarks.length < MAX_LANDMARKS)
      this.change([...landmarks, this.comparison.microscopes.map((_, i) => (i === pane ? at : null))]);
    else return;
    const now = this.state.getState().landmarks;
    if (openOf(now) && now.length <= STAY_TOGETHER) this.comparison.restore(null);
  }

  /** By keys: the point in the middle of the field. */
  markMiddle(pane: number): void {
    this.mark(pane, middleOf(this.comparison.microscopes[pane]!));
  }

  /** Moves a landmark on one slide. */
  move(index: number, pane: number, at: Point): void {
    const { landmarks } = this.state.getState();
    this.change(landmarks.with(index, landmarks[index]!.with(pane, at)));
  }

  remove(index: number): void {
    this.change(this.state.getState().landmarks.toSpliced(index, 1));
  }

  /** Lays the slides by the landmarks again, after they were moved against each other. */
  register(): void {
    const { landmarks, fits } = this.state.getState();
    if (!fits.some(Boolean)) return;
    const aligned = this.comparison.alignment.links(landmarks);
    this.comparison.lay(fits.map((fit, pane) => aligned[pane] ?? (fit && { registration: fit.registration, zoom: 1 })));
  }

  undo(): void {
    const last = this.past.pop();
    if (!last) return;
    this.comparison.restore(last.links);
    this.show(last.landmarks);
  }

  /** No landmarks, linked at the centres. */
  reset(): void {
    this.comparison.alignment.undo();
    this.change([]);
    this.comparison.restore(this.start());
  }

  close(): void {
    for (const stop of this.stops) stop();
  }

  private change(landmarks: readonly Landmark[]): void {
    this.past.push({ landmarks: this.state.getState().landmarks, links: this.comparison.state.getState().links });
    this.show(landmarks);
    const open = openOf(landmarks);
    if (!open || !isSingle(open)) this.register();
  }

  private show(landmarks: readonly Landmark[]): void {
    const now = this.linksNow();
    const fits = now.map((link, pane) =>
      pane === 0 ? null : fitLandmarks(pairsOf(landmarks, pane), link.registration),
    );
    this.state.setState({ landmarks, fits, changes: this.past.length });
  }

  private linksNow(): Links {
    return this.comparison.state.getState().links ?? this.past.findLast(({ links }) => links)?.links ?? this.start();
  }

  private start(): Links {
    return startLinks(this.comparison.microscopes.map(({ manifest }) => manifest));
  }
}

/** The last landmark, while some slide does not have it; null: there is none. */
export function openOf(landmarks: readonly Landmark[]): Landmark | null {
  const last = landmarks.at(-1);
  return last?.includes(null) ? last : null;
}

/** Whether a landmark is marked on one slide alone. */
export function isSingle(landmark: Landmark): boolean {
  return landmark.filter(Boolean).length === 1;
}

function middleOf(microscope: Microscope): Point {
  const { l0_x, l0_y, l0_width, l0_height } = microscope.reading(false).region;
  return { l0_x: l0_x + l0_width / 2, l0_y: l0_y + l0_height / 2 };
}

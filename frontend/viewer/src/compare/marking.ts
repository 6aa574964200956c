/**
 * Marking landmarks on two slides, and registering the slides by them. A point is marked on one slide, then on the other: a pair.
 * Until then it is open, and marking that slide again moves it. Every complete pair registers the slides anew. Every change can be
 * taken back, the last one first.
 */
import { createStore } from "zustand/vanilla";
import { handleClicks } from "../navigation/clicks";
import type { Microscope } from "../core/microscope";
import { underScreen } from "../navigation/pointing";
import { type Fit, type LandmarkPair, MAX_PAIRS, fitLandmarks } from "./landmarks";
import { type ComparisonState, type Side } from "./comparisonState";
import type { Alignment } from "./alignment";
import { type Link, type Places, type Point, type Registration, startLink } from "./registration";

export interface OpenMark {
  readonly side: Side;
  readonly at: Point;
}

interface Marks {
  readonly pairs: readonly LandmarkPair[];
  /** Marked on one slide, not yet on the other. */
  readonly open: OpenMark | null;
}

export interface MarkingState extends Marks {
  /** Whether a click on a slide marks it. */
  readonly on: boolean;
  readonly fit: Fit | null;
  /** The number of steps that can be undone. */
  readonly changes: number;
}

/** What marking needs of two microscopes. */
export interface Registrable {
  readonly microscopes: Readonly<Record<Side, Microscope>>;
  readonly state: { getState(): ComparisonState };
  readonly alignment: Pick<Alignment, "correct" | "undo">;
  register(registration: Registration, places?: Places): void;
  restore(link: Link | null): void;
}

const SIDES = ["left", "right"] as const;
/** With so many pairs the slides lie well enough to stay together while the next one is marked. */
const STAY_TOGETHER = 2;

export class Marking {
  readonly state = createStore<MarkingState>(() => ({ on: false, pairs: [], open: null, fit: null, changes: 0 }));
  private past: (Marks & { readonly link: Link | null })[] = [];
  private stops: (() => void)[] = [];

  constructor(private readonly comparison: Registrable) {}

  /** Takes landmarks as they are, with nothing to take back; the slides stay as they lie. */
  load(pairs: readonly LandmarkPair[]): void {
    this.past = [];
    this.state.setState({ pairs, open: null, fit: fitLandmarks(pairs, this.registrationNow()), changes: 0 });
  }

  setOn(on: boolean): void {
    this.close();
    const { microscopes } = this.comparison;
    if (on)
      this.stops = SIDES.map((side) =>
        handleClicks(microscopes[side], (at) => this.mark(side, underScreen(microscopes[side], at))),
      );
    for (const side of SIDES) microscopes[side].viewer.element.dataset.picking = String(on);
    this.state.setState({ on });
  }

  /** Marks a point of one slide: a new one, the other half of the open one, or a better position for the open one. */
  mark(side: Side, at: Point): void {
    const { pairs, open } = this.state.getState();
    if (open && open.side !== side) return this.change({ pairs: [...pairs, pairOf(open, at)], open: null });
    if (pairs.length >= MAX_PAIRS) return;
    this.change({ pairs, open: { side, at } });
    if (pairs.length < STAY_TOGETHER) this.comparison.restore(null);
  }

  /** By keys: the point in the middle of the field. */
  markMiddle(side: Side): void {
    this.mark(side, middleOf(this.comparison.microscopes[side]));
  }

  /** Lays one half of a pair elsewhere. */
  move(index: number, side: Side, at: Point): void {
    const { pairs, open } = this.state.getState();
    this.change({ pairs: pairs.map((pair, i) => (i === index ? { ...pair, [side]: at } : pair)), open });
  }

  remove(index: number): void {
    const { pairs, open } = this.state.getState();
    this.change({ pairs: pairs.filter((_, i) => i !== index), open });
  }

  removeOpen(): void {
    this.change({ pairs: this.state.getState().pairs, open: null });
  }

  /** Lays the slides by the landmarks again, after they were moved against each other. */
  register(): void {
    const { fit } = this.state.getState();
    if (!fit) return;
    const { pairs } = this.state.getState();
    if (!this.comparison.alignment.correct(pairs)) this.comparison.register(fit.registration);
  }

  undo(): void {
    const last = this.past.pop();
    if (!last) return;
    const { pairs, open, link } = last;
    this.comparison.restore(link);
    this.state.setState({ pairs, open, fit: fitLandmarks(pairs, this.registrationNow()), changes: this.past.length });
  }

  /** No landmarks, linked at the centres. */
  reset(): void {
    this.comparison.alignment.undo();
    this.change({ pairs: [], open: null });
    this.comparison.restore(this.start());
  }

  close(): void {
    for (const stop of this.stops) stop();
  }

  private change(marks: Marks): void {
    const { pairs, open } = this.state.getState();
    this.past.push({ pairs, open, link: this.comparison.state.getState().link });
    const fit = marks.pairs === pairs ? this.state.getState().fit : fitLandmarks(marks.pairs, this.registrationNow());
    this.state.setState({ ...marks, fit, changes: this.past.length });
    if (marks.pairs !== pairs) this.register();
  }

  private registrationNow(): Registration {
    return (this.comparison.state.getState().link ?? this.past.findLast(({ link }) => link)?.link ?? this.start())
      .registration;
  }

  private start(): Link {
    const { left, right } = this.comparison.microscopes;
    return startLink(left.manifest, right.manifest);
  }
}

function pairOf({ side, at }: OpenMark, other: Point): LandmarkPair {
  return side === "left" ? { left: at, right: other } : { left: other, right: at };
}

function middleOf(microscope: Microscope): Point {
  const { l0_x, l0_y, l0_width, l0_height } = microscope.reading(false).region;
  return { l0_x: l0_x + l0_width / 2, l0_y: l0_y + l0_height / 2 };
}

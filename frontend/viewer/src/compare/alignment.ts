/**
 * Aligning slides with the first one automatically: the service registers them (shared/spec/registration.md), landmarks correct what it
 * found. It can be undone as a whole.
 */
import { createStore } from "zustand/vanilla";
import { type SlideRegistration, readRegistration } from "@wavescope/core/wire/slides/registrationClient";
import type { Microscope } from "../core/microscope";
import type { ComparisonState } from "./comparisonState";
import { type Landmark, type LandmarkPair, pairsOf } from "./landmarks";
import type { Links } from "./links";
import { affineOf, corrected, mapOf, placesOf } from "./places";
import { type Link, startLink } from "./registration";

export interface AlignmentState {
  readonly running: boolean;
  /** Of each pane what the service found, or why it found nothing; null of the first one, and before it answers. */
  readonly results: readonly (SlideRegistration | Error | null)[];
  /** Whether the panel that tells of it is open. */
  readonly open: boolean;
  /** The pane whose remaining distances are shown on the first slide; null: none. */
  readonly residuals: number | null;
  /** Whether each slide shows the annotations of the others. */
  readonly annotations: boolean;
}

interface Alignable {
  readonly microscopes: readonly Microscope[];
  readonly state: { getState(): Pick<ComparisonState, "links"> };
  lay(links: readonly (Link | null)[]): void;
  restore(links: Links | null): void;
}

const NONE: AlignmentState = { running: false, results: [], open: false, residuals: null, annotations: false };

export class Alignment {
  readonly state = createStore<AlignmentState>(() => NONE);
  private before: Links | null = null;
  private asked: AbortController | null = null;

  constructor(
    private readonly comparison: Alignable,
    private readonly read = readRegistration,
  ) {}

  /** Aligns the slides as the service finds it, corrected by the landmarks that there are. */
  async start(landmarks: readonly Landmark[], open = true): Promise<void> {
    this.cancel();
    const asked = (this.asked = new AbortController());
    this.state.setState({ ...NONE, running: true, open });
    const [first, ...others] = this.comparison.microscopes.map(({ manifest }) => manifest.id);
    const results = await Promise.all(
      others.map((other) => this.read(first!, other, asked.signal).catch((error: unknown) => error as Error)),
    );
    if (asked.signal.aborted) return;
    this.before = this.comparison.state.getState().links;
    this.state.setState({ ...NONE, results: [null, ...results], open });
    if (isAligned(this.state.getState())) this.comparison.lay(this.links(landmarks));
  }

  cancel(): void {
    this.asked?.abort();
    if (this.state.getState().running) this.state.setState(NONE);
  }

  /** Of each pane the link that lays its landmarks on each other; null where it is not aligned automatically. */
  links(landmarks: readonly Landmark[]): readonly (Link | null)[] {
    return this.comparison.microscopes.map((_, pane) => this.linkOf(pane, pairsOf(landmarks, pane)));
  }

  /** How far the landmarks are from where the service alone laid them, in level-0 pixels of the pane's slide. */
  off(pane: number, pairs: readonly LandmarkPair[]): number[] {
    const found = foundIn(this.state.getState(), pane);
    if (!found) return [];
    const map = mapOf(found);
    return pairs.map(({ left, right }) => Math.hypot(map(left).l0_x - right.l0_x, map(left).l0_y - right.l0_y));
  }

  /** The slides lie as they did before. */
  undo(): void {
    this.cancel();
    const aligned = isAligned(this.state.getState());
    this.state.setState(NONE);
    if (aligned) this.comparison.restore(this.before);
  }

  /** The slides are aligned otherwise from now on. */
  forget(): void {
    this.cancel();
    this.state.setState(NONE);
  }

  /** The slides stay as they lie, and landmarks still correct them. */
  setOpen(open: boolean): void {
    if (!open) this.cancel();
    const results = this.state.getState().results.map((result) => (result instanceof Error ? null : result));
    this.state.setState({ open, results, ...(open ? {} : { residuals: null }) });
  }

  showResiduals(residuals: number | null): void {
    this.state.setState({ residuals });
  }

  showAnnotations(annotations: boolean): void {
    this.state.setState({ annotations });
  }

  close(): void {
    this.asked?.abort();
  }

  private linkOf(pane: number, pairs: readonly LandmarkPair[]): Link | null {
    const found = foundIn(this.state.getState(), pane);
    if (!found) return null;
    const [first, other] = [this.comparison.microscopes[0]!.manifest, this.comparison.microscopes[pane]!.manifest];
    const now = this.comparison.state.getState().links?.[pane] ?? startLink(first, other);
    const base = affineOf(found, now.registration);
    if (!base) return null;
    const map = corrected(mapOf(found), pairs, found.spacing);
    return { registration: base, zoom: 1, places: placesOf(map, base, found.spacing / 16) };
  }
}

/** What the service found for a pane; null: nothing. */
export function foundIn({ results }: Pick<AlignmentState, "results">, pane: number): SlideRegistration | null {
  const result = results[pane];
  return result && !(result instanceof Error) ? result : null;
}

/** Whether any slide is aligned automatically. */
export function isAligned(state: Pick<AlignmentState, "results">): boolean {
  return state.results.some((_, pane) => foundIn(state, pane));
}

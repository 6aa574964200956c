/** A recording, folded to any moment of it (session.md, SE37, SE38). */
import { foldEvent, foldTick } from "./fold";
import type { RecordingEntry, SessionState } from "./state";
import { type Content, parseContent } from "../wire/annotations/annotations";
import { ContractError } from "../wire/http/errors";
import { t } from "../i18n/i18n";

/** A moment worth finding: milliseconds from the beginning. */
export interface Moment {
  readonly time: number;
  readonly text: string;
}

/** An annotation as it was at a time. */
export interface RecordedAnnotation {
  readonly content: Content;
  readonly author: string;
  readonly editor: string;
}

type AnnotationsEntry = Extract<RecordingEntry, { kind: "annotations" }>;

/** Entries of one slide; each first one of `whole` begins anew: it has all objects. */
interface Recorded {
  readonly entries: { readonly entry: AnnotationsEntry; readonly whole: boolean }[];
  last: { readonly count: number; readonly objects: ReadonlyMap<string, RecordedAnnotation> } | null;
}

/** Folded states are stored every so many entries, so that seeking needs no fold from the beginning. */
const APART = 256;

export class Replay {
  private readonly checkpoints: SessionState[] = [];
  private last: { readonly index: number; readonly state: SessionState };
  private readonly annotated: ReadonlyMap<string, Recorded>;

  /** Throws ContractError unless the entries begin with a state. */
  constructor(private readonly entries: readonly RecordingEntry[]) {
    const [first] = entries;
    if (first?.kind !== "state")
      throw new ContractError("recording", "/entries/0/kind", "a recording begins with a state");
    this.last = { index: 0, state: first.state };
    this.checkpoints.push(this.last.state);
    this.annotated = annotatedIn(entries);
  }

  /**
   * The annotations of a slide at a time, the same map until they change; null: the recording has none of this slide.
   * Before its first entry they are those of the first one, which is made a moment after the slide is shown.
   */
  annotations(slide: string, time: number): ReadonlyMap<string, RecordedAnnotation> | null {
    const recorded = this.annotated.get(slide);
    if (!recorded) return null;
    const { entries } = recorded;
    const until = Math.max(time, entries[0]!.entry.time);
    const later = entries.findIndex(({ entry }) => entry.time > until);
    const count = later < 0 ? entries.length : later;
    if (recorded.last?.count !== count) recorded.last = { count, objects: objectsOf(entries.slice(0, count)) };
    return recorded.last.objects;
  }

  /** Milliseconds. */
  get duration(): number {
    return this.entries.at(-1)?.time ?? 0;
  }

  /** The state at a time: that of the beginning with all entries up to then. */
  at(time: number): SessionState {
    const index = this.indexAt(time);
    let { index: from, state } = this.last;
    const checkpoint = Math.min(Math.floor(index / APART), this.checkpoints.length - 1);
    if (from > index || from < checkpoint * APART) [from, state] = [checkpoint * APART, this.checkpoints[checkpoint]!];
    for (let i = from + 1; i <= index; i += 1) {
      state = folded(state, this.entries[i]!);
      if (i === this.checkpoints.length * APART) this.checkpoints.push(state);
    }
    this.last = { index, state };
    return state;
  }

  /** Notes, and changes of the stage. */
  moments(): readonly Moment[] {
    return this.entries.flatMap((entry): Moment[] => {
      if (entry.kind !== "event") return [];
      if (entry.event.kind === "note") return [{ time: entry.time, text: entry.event.note.text }];
      return entry.event.kind === "stage" ? [{ time: entry.time, text: t("session.anotherSlideOrStop") }] : [];
    });
  }

  /** The last entry that is not later. */
  private indexAt(time: number): number {
    let [low, high] = [0, this.entries.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.entries[middle]!.time <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function folded(state: SessionState, entry: RecordingEntry): SessionState {
  switch (entry.kind) {
    case "state":
      return entry.state;
    case "event":
      return foldEvent(state, entry.event);
    case "views":
      return foldTick(state, { views: entry.views }).state;
    case "cursors":
      return foldTick(state, { cursors: entry.cursors }).state;
    default:
      return state; // annotations are asked for by slide; later kinds are passed over
  }
}

function annotatedIn(entries: readonly RecordingEntry[]): ReadonlyMap<string, Recorded> {
  const found = new Map<string, Recorded>();
  const whole = new Set<string>(); // slides of which all objects are known since the last state
  for (const entry of entries) {
    if (entry.kind === "state") whole.clear();
    if (entry.kind !== "annotations") continue;
    const recorded = found.get(entry.slide) ?? { entries: [], last: null };
    recorded.entries.push({ entry, whole: !whole.has(entry.slide) });
    whole.add(entry.slide);
    found.set(entry.slide, recorded);
  }
  return found;
}

function objectsOf(entries: Recorded["entries"]): ReadonlyMap<string, RecordedAnnotation> {
  const objects = new Map<string, RecordedAnnotation>();
  for (const { entry, whole } of entries) {
    if (whole) objects.clear();
    for (const { id, content, author = "", editor = author } of entry.changed as unknown as readonly Reported[]) {
      if (content === null) objects.delete(id);
      else objects.set(id, { content: parseContent(content), author, editor });
    }
  }
  return objects;
}

/** What an entry says of an object (annotations.md, AN2). */
interface Reported {
  readonly id: string;
  readonly content: unknown;
  readonly author?: string;
  readonly editor?: string;
}

/** A recording, folded to any moment of it (session.md, SE37, SE38). */
import { foldEvent, foldTick } from "./fold";
import type { RecordingEntry, SessionState } from "./state";
import { ContractError } from "../wire/http/errors";
import { t } from "../i18n/i18n";

/** A moment worth finding: milliseconds from the beginning. */
export interface Moment {
  readonly time: number;
  readonly text: string;
}

/** Folded states are stored every so many entries, so that seeking needs no fold from the beginning. */
const APART = 256;

export class Replay {
  private readonly checkpoints: SessionState[] = [];
  private last: { readonly index: number; readonly state: SessionState };

  /** Throws ContractError unless the entries begin with a state. */
  constructor(private readonly entries: readonly RecordingEntry[]) {
    const [first] = entries;
    if (first?.kind !== "state")
      throw new ContractError("recording", "/entries/0/kind", "a recording begins with a state");
    this.last = { index: 0, state: first.state };
    this.checkpoints.push(this.last.state);
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
    if (from > index || from < checkpoint * APART) [from, state] = [checkpoint * APART, this.checkpoints[checkpoint]];
    for (let i = from + 1; i <= index; i += 1) {
      state = folded(state, this.entries[i]);
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
      if (this.entries[middle].time <= time) low = middle;
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
      return state; // objects are the slide's own; later kinds are passed over
  }
}

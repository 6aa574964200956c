/** Keeps an edited tour at the service: a moment after the last change, one save at a time, each from the newest revision. No React. */
import { createStore } from "zustand/vanilla";
import { ProblemError, mayRecover } from "@wavescope/core/wire/http/errors";
import type { StoredTour, Tour } from "@wavescope/core/wire/catalog/toursClient";
import { merged } from "./merging";

export type SaveState = "saved" | "saving" | "waiting" | "conflict" | "failed";

export interface Edited {
  readonly tour: Tour;
  readonly state: SaveState;
  /** Why the last save failed. */
  readonly failure: unknown;
}

/** What the saver needs of the wire. */
export interface TourPersistence {
  readTour(id: string): Promise<StoredTour>;
  saveTour(id: string, tour: Tour, revision: number): Promise<StoredTour>;
  /** Called with every answer of the service. */
  cached(tour: StoredTour): void;
  /** Called on every change, saved or not. */
  drafted(id: string, tour: Tour): void;
}

const PAUSE = 700;
const RETRY = 3000;

export class TourSaver {
  readonly edited;
  private readonly id: string;
  private revision: number;
  private saved: Tour;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private busy = false;

  constructor(
    stored: StoredTour,
    private readonly persistence: TourPersistence,
  ) {
    this.id = stored.id;
    this.revision = stored.revision;
    this.saved = stored.tour;
    this.edited = createStore<Edited>(() => ({ tour: stored.tour, state: "saved", failure: null }));
  }

  readonly change = (edit: (tour: Tour) => Tour): void => {
    this.edited.setState(({ tour, state }) => ({ tour: edit(tour), state: state === "conflict" ? state : "waiting" }));
    this.persistence.drafted(this.id, this.edited.getState().tour);
    this.soon(PAUSE);
  };

  /** Saves now what is not saved yet. A tour that was changed elsewhere is left as it is there. */
  readonly save = async (): Promise<void> => {
    clearTimeout(this.timer);
    const { tour, state } = this.edited.getState();
    if (this.busy || tour === this.saved || state === "conflict") return;
    this.busy = true;
    this.edited.setState({ state: "saving" });
    try {
      const stored = await this.persistence.saveTour(this.id, tour, this.revision);
      this.revision = stored.revision;
      this.saved = tour;
      const { tour: newest } = this.edited.getState();
      const more = newest !== tour;
      this.persistence.cached({ ...stored, tour: newest });
      this.edited.setState({ state: more ? "waiting" : "saved" });
      if (more) this.soon(0);
    } catch (failure) {
      const stale = failure instanceof ProblemError && failure.problem === "stale-revision";
      if (stale && (await this.merge())) return this.soon(0);
      this.edited.setState({ state: stale ? "conflict" : "failed", failure });
      if (mayRecover(failure)) this.soon(RETRY);
    } finally {
      this.busy = false;
    }
  };

  /** Takes over what was changed elsewhere, where it does not contradict what was changed here; whether that was possible. */
  private async merge(): Promise<boolean> {
    const stored = await this.persistence.readTour(this.id).catch(() => null);
    const together = stored && merged(this.saved, this.edited.getState().tour, stored.tour);
    if (!together) return false;
    this.revision = stored.revision;
    this.saved = stored.tour;
    this.persistence.cached({ ...stored, tour: together });
    this.edited.setState({ tour: together, state: "waiting", failure: null });
    return true;
  }

  /** Gives up what a conflict refused. */
  readonly loadStored = async (): Promise<void> => {
    const stored = await this.persistence.readTour(this.id);
    this.revision = stored.revision;
    this.saved = stored.tour;
    this.persistence.cached(stored);
    this.edited.setState({ tour: stored.tour, state: "saved", failure: null });
  };

  private soon(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), milliseconds);
  }
}

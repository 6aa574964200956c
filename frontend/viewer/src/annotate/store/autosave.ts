/** Saves by itself and follows what others do: the clock and the network around a ledger (annotations.md, AN8, AN11). */
import { explain } from "@wavescope/core/wire/http/explain";
import { type AnnotationClient, type AnnotationPage, MAX_CHANGES } from "@wavescope/core/wire/annotations/annotations";
import { isAbort, isRefusal, mayRecover } from "@wavescope/core/wire/http/errors";
import type { Effects, Ledger } from "./ledger";
import { t } from "@wavescope/core/i18n/i18n";

export type SaveState = "loading" | "saved" | "saving" | "unsaved" | "refused";

export interface AutosaveEvents {
  /** Something is shown otherwise now. */
  effects(effects: Effects): void;
  page(page: AnnotationPage): void;
  /** All objects are there for the first time. */
  loaded(): void;
  state(state: SaveState, reason: string): void;
  /** The service has answered what was sent. */
  responded(): void;
}

export interface Clock {
  set(work: () => void, milliseconds: number): number;
  clear(timer: number): void;
}

const SAVE_DELAY = 400; // milliseconds after a change, so that a drag is one change
const FOLLOW = 3000;
const RETRY = [1000, 2000, 4000];

export class Autosave {
  private readonly aborter = new AbortController();
  private sequence: number | null = null;
  private complete = false;
  private busy = false;
  private failures = 0;
  /** How many changes go together: fewer when the service refuses some, until the one is found. */
  private together = MAX_CHANGES;
  private refusal = "";
  private saveTimer: number | null = null;
  private followTimer: number | null = null;

  constructor(
    private readonly ledger: Ledger,
    private readonly client: AnnotationClient,
    private readonly events: AutosaveEvents,
    private readonly clock: Clock,
    /** Whether the page is visible; otherwise the changes of other users are not requested. */
    private readonly watched: () => boolean = () => true,
    /** Whether changes may be sent at all (AN23). */
    private readonly maySend: () => boolean = () => true,
  ) {}

  start(): void {
    this.events.state("loading", "");
    void this.follow();
  }

  close(): void {
    this.aborter.abort();
    for (const timer of [this.saveTimer, this.followTimer]) if (timer !== null) this.clock.clear(timer);
  }

  /** A change waits: it is sent soon. */
  touch(): void {
    this.reportState();
    if (this.complete && this.saveTimer === null) this.saveTimer = this.clock.set(() => this.save(), SAVE_DELAY);
  }

  /** Sends and asks at once, not when the clock says so; resolves when the answers are here, or do not come. */
  now(): Promise<void> {
    for (const timer of [this.saveTimer, this.followTimer]) if (timer !== null) this.clock.clear(timer);
    this.saveTimer = this.followTimer = null;
    if (this.complete) this.save();
    return this.follow();
  }

  private save(): void {
    this.saveTimer = null;
    const changes = this.busy || !this.maySend() ? null : this.ledger.next(this.together);
    if (!changes) return;
    this.busy = true;
    this.reportState();
    this.client.change(changes, this.aborter.signal).then(
      (outcomes) => {
        this.busy = false;
        this.failures = 0;
        this.together = MAX_CHANGES;
        this.events.effects(this.ledger.responded(outcomes));
        this.events.responded();
        if (this.ledger.unsaved > 0) this.save();
        this.reportState();
      },
      (error: unknown) => this.failed(error, changes.length),
    );
  }

  private failed(error: unknown, sent: number): void {
    this.busy = false;
    if (isAbort(error)) return;
    if (mayRecover(error)) {
      this.failures += 1;
      this.events.effects(this.ledger.failed());
      this.saveTimer ??= this.clock.set(() => this.save(), RETRY[Math.min(this.failures, RETRY.length) - 1]!);
    } else {
      this.refusal = explain(error);
      this.events.effects(sent > 1 ? this.ledger.failed() : this.ledger.reject());
      this.together = Math.max(1, Math.floor(sent / 2));
      this.save();
    }
    this.reportState();
  }

  /** Asks for what has changed, all pages of it; then again after a while. */
  private async follow(): Promise<void> {
    this.followTimer = null;
    try {
      if (this.watched() || !this.complete) await this.fetchChanges();
    } catch (error) {
      if (isAbort(error)) return;
      if (!this.complete) this.events.state("loading", explain(error));
      if (isRefusal(error)) return; // asking again would be refused again
    }
    if (!this.aborter.signal.aborted)
      this.followTimer ??= this.clock.set(() => void this.follow(), this.complete ? FOLLOW : RETRY[0]!);
  }

  private async fetchChanges(): Promise<void> {
    for (let more = true; more; ) {
      const page = await this.client.page(this.sequence, this.aborter.signal);
      this.sequence = page.sequence;
      more = page.more;
      const sent = this.maySend();
      this.events.page(page);
      if (sent !== this.maySend()) this.touch();
      this.events.effects(this.ledger.receive(page.annotations));
    }
    if (this.complete) return;
    this.complete = true;
    this.events.loaded();
    this.save();
    this.reportState();
  }

  private reportState(): void {
    if (!this.complete) return;
    const { unsaved, rejectedCount: parked } = this.ledger;
    if (unsaved === 0) this.refusal = "";
    if (unsaved === 0) this.events.state("saved", "");
    else if (!this.maySend()) this.events.state("refused", t("annotate.viewOnly"));
    else if (parked === unsaved) this.events.state("refused", this.refusal);
    else this.events.state(this.failures > 0 ? "unsaved" : "saving", "");
  }
}

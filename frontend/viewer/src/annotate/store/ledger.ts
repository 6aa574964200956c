/**
 * Which changes are saved and which wait, per object (annotations.md, AN11, AN12): no timers, no network. What the service is known
 * to hold is `base`; what a person made of it and is not saved yet is `mine`.
 */
import type { Change, Content, Outcome, Stored } from "@wavescope/core/wire/annotations/annotations";
import { reconcile, sameContent } from "./reconcile";

interface Base extends Partial<Signed> {
  readonly revision: number;
  /** Null: deleted, or never there. */
  readonly content: Content | null;
}

/** Who created an object, and who changed it last. */
export type Signed = Pick<Stored, "author" | "editor">;

const NONE: Base = { revision: 0, content: null };

/** Notices to the user. */
export type Notice =
  | { readonly kind: "copied"; readonly id: string; readonly copy: string; readonly by: string }
  | { readonly kind: "kept"; readonly id: string };

/** A change that is not saved, as it survives a reload. */
export interface Waiting {
  readonly id: string;
  readonly base: Base;
  readonly mine: Content | null;
}

export interface Effects {
  /** Objects whose shown content is another now. */
  readonly changed: readonly string[];
  readonly notices: readonly Notice[];
}

export class Ledger {
  private readonly base = new Map<string, Base>();
  private readonly drafts = new Map<string, Content | null>();
  private sending: ReadonlyMap<string, Content | null> | null = null;
  /** Changes that the service will not take as they are: they wait for another edit. */
  private readonly rejected = new Set<string>();
  /** News about objects that are being sent: what they mean is known after the answer. */
  private readonly deferred = new Map<string, Stored>();

  /** The name under which changes are stored; empty: not known. */
  me = "";

  constructor(private readonly newId: () => string) {}

  /** Whose an object is; null: the service has not said so. */
  signed(id: string): Signed | null {
    const { author, editor } = this.base.get(id) ?? NONE;
    return author ? { author, editor: editor ?? author } : null;
  }

  /** What is shown of an object; null if nothing is. */
  shown(id: string): Content | null {
    const mine = this.drafts.get(id);
    return mine !== undefined ? mine : (this.base.get(id) ?? NONE).content;
  }

  /** All that there are or were, as far as is known. */
  ids(): Iterable<string> {
    return new Set([...this.base.keys(), ...this.drafts.keys()]);
  }

  get unsaved(): number {
    return this.drafts.size;
  }

  /** Of the unsaved: those that the service refuses. */
  get rejectedCount(): number {
    return this.rejected.size;
  }

  /** A person's change; null deletes. */
  edit(id: string, content: Content | null): void {
    const known = this.base.get(id) ?? NONE;
    this.rejected.delete(id);
    if (!this.sending?.has(id) && sameContent(content, known.content)) this.drafts.delete(id);
    else this.drafts.set(id, content);
  }

  /** The next changes to send, at most so many; null while some are on their way, or none wait. */
  next(most: number): Change[] | null {
    if (this.sending || this.drafts.size === 0) return null;
    const changes: Change[] = [];
    for (const [id, content] of this.drafts) {
      if (changes.length === most) break;
      if (this.rejected.has(id)) continue;
      changes.push({ id, revision: (this.base.get(id) ?? NONE).revision, content });
    }
    if (changes.length === 0) return null;
    this.sending = new Map(changes.map(({ id, content }) => [id, content]));
    return changes;
  }

  /** What was sent is not known to have arrived: it will be sent again, which is safe (AN7). */
  failed(): Effects {
    this.sending = null;
    return this.receive([]);
  }

  /** The one change that was sent was refused; it is not sent again until it is different. */
  reject(): Effects {
    for (const id of this.sending?.keys() ?? []) this.rejected.add(id);
    return this.failed();
  }

  responded(outcomes: readonly Outcome[]): Effects {
    const sent = this.sending ?? new Map<string, Content | null>();
    this.sending = null;
    const changed: string[] = [];
    const notices: Notice[] = [];
    for (const { id, status, annotation } of outcomes) {
      if (status === "conflict") this.settle(id, baseOf(annotation, annotation?.content ?? null), changed, notices);
      else this.saved(id, sent.get(id) ?? null, annotation);
    }
    const late = this.receive([]);
    return { changed: [...changed, ...late.changed], notices: [...notices, ...late.notices] };
  }

  /** The objects that the service reports, in the order of their changes. */
  receive(news: readonly Stored[]): Effects {
    const changed: string[] = [];
    const notices: Notice[] = [];
    const waiting = this.sending ? [] : [...this.deferred.values()];
    if (!this.sending) this.deferred.clear();
    for (const stored of [...waiting, ...news]) {
      const { id, revision } = stored;
      const base = baseOf(stored, stored.content);
      if (revision <= (this.base.get(id) ?? NONE).revision) continue;
      if (this.sending?.has(id)) this.deferred.set(id, stored);
      else if (this.drafts.has(id)) this.settle(id, base, changed, notices);
      else {
        this.base.set(id, base);
        changed.push(id);
      }
    }
    return { changed, notices };
  }

  /** All unsent changes, to be stored over a reload. */
  waiting(): Waiting[] {
    return [...this.drafts].map(([id, mine]) => ({ id, mine, base: this.base.get(id) ?? NONE }));
  }

  /** Takes up what waited when the page was left; to be called when the service's objects are known. */
  restore(waiting: readonly Waiting[]): Effects {
    const changed: string[] = [];
    const notices: Notice[] = [];
    for (const { id, mine, base } of waiting) {
      const now = this.base.get(id) ?? NONE;
      this.drafts.set(id, mine);
      changed.push(id);
      if (now.revision !== base.revision) this.settle(id, now, changed, notices, base.content);
    }
    return { changed, notices };
  }

  private saved(id: string, content: Content | null, annotation: Stored | null): void {
    this.base.set(id, baseOf(annotation, content));
    if (sameContent(this.drafts.get(id) ?? null, content)) this.drafts.delete(id);
  }

  /** Another side has changed what I changed too. */
  private settle(
    id: string,
    theirs: Base,
    changed: string[],
    notices: Notice[],
    known = (this.base.get(id) ?? NONE).content,
  ): void {
    const settlement = reconcile(known, this.drafts.get(id) ?? null, theirs.content, this.me);
    this.base.set(id, theirs);
    this.drafts.delete(id);
    this.rejected.delete(id);
    changed.push(id);
    if (settlement.kind === "again") this.drafts.set(id, settlement.content);
    if (settlement.kind === "theirs" && settlement.overruled) notices.push({ kind: "kept", id });
    if (settlement.kind !== "copy") return;
    const copy = this.newId();
    this.drafts.set(copy, settlement.content);
    changed.push(copy);
    notices.push({ kind: "copied", id, copy, by: theirs.editor ?? "" });
  }
}

function baseOf(stored: Stored | null, content: Content | null): Base {
  const signed = stored && { author: stored.author, editor: stored.editor };
  return { ...signed, revision: stored?.revision ?? 0, content };
}

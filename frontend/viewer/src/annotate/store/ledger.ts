/**
 * Which changes are saved and which wait, per object (annotations.md, AN11, AN12): no timers, no network. What the service is known
 * to hold is `base`; what a person made of it and is not saved yet is `mine`.
 */
import type { Change, Content, Outcome, Stored } from "@wavescope/core/wire/annotations/annotations";
import { type LayerKey, keyOf } from "./layers";
import { reconcile, reconcileTurn, sameContent } from "./reconcile";

interface Base extends Partial<Signed> {
  readonly revision: number;
  /** Null: deleted, or never there. */
  readonly content: Content | null;
  readonly layer?: LayerKey;
}

/** Who created an object, who changed it last, and who locked it (empty: nobody). */
export type Signed = Pick<Stored, "author" | "editor"> & Partial<Pick<Stored, "locked">>;

const NONE: Base = { revision: 0, content: null };

/** Notices to the user. */
export type Notice =
  | {
      readonly kind: "copied";
      readonly id: string;
      readonly copy: string;
      readonly by: string;
      readonly content: Content;
    }
  | { readonly kind: "kept"; readonly id: string }
  /** An undo met another's change and was left out. */
  | { readonly kind: "left"; readonly id: string };

/** A change that is not saved, as it survives a reload. */
export interface Waiting {
  readonly id: string;
  readonly base: Base;
  readonly mine: Content | null;
  /** Whether it is an undo and nothing else. */
  readonly turned?: boolean;
}

export interface Effects {
  /** Objects whose shown content is another now. */
  readonly changed: readonly string[];
  readonly notices: readonly Notice[];
}

export class Ledger {
  private readonly base = new Map<string, Base>();
  private readonly drafts = new Map<string, Content | null>();
  /** Of the drafts, those that are an undo and nothing else (AN51). */
  private readonly turned = new Set<string>();
  /** Drafts that are an undo and nothing else if what is being sent is saved. */
  private readonly turnedIfSaved = new Set<string>();
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
    const { author, editor, locked = "" } = this.base.get(id) ?? NONE;
    return author ? { author, editor: editor ?? author, locked } : null;
  }

  /** The layer of an object; one that the service does not know yet comes to the user's own. */
  layerOf(id: string): LayerKey {
    return this.base.get(id)?.layer ?? this.mine;
  }

  /** The layer of what the user draws. */
  get mine(): LayerKey {
    return keyOf({ author: this.me, imported: "", created: "" });
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

  /** A person's change; null deletes. `turned`: it is an undo. */
  edit(id: string, content: Content | null, turned = false): void {
    const known = this.base.get(id) ?? NONE;
    this.rejected.delete(id);
    this.markTurned(id, turned);
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
    this.turnedIfSaved.clear();
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
      if (status !== "saved") this.settle(id, baseOf(annotation, annotation?.content ?? null), changed, notices);
      else this.saved(id, sent.get(id) ?? null, annotation);
    }
    this.turnedIfSaved.clear();
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

  /** An undo stays one as long as no change waits with it. */
  private markTurned(id: string, turned: boolean): void {
    const draft = this.drafts.get(id);
    const isSent = draft !== undefined && this.sending?.has(id) === true && sameContent(this.sending.get(id)!, draft);
    if (turned && (draft === undefined || this.turned.has(id))) this.turned.add(id);
    else if (turned && isSent) this.turnedIfSaved.add(id);
    if (turned) return;
    this.turned.delete(id);
    this.turnedIfSaved.delete(id);
  }

  /** All unsent changes, to be stored over a reload. */
  waiting(): Waiting[] {
    return [...this.drafts].map(([id, mine]) => ({
      id,
      mine,
      base: this.base.get(id) ?? NONE,
      ...(this.turned.has(id) && { turned: true }),
    }));
  }

  /** Takes up what waited when the page was left; to be called when the service's objects are known. */
  restore(waiting: readonly Waiting[]): Effects {
    const changed: string[] = [];
    const notices: Notice[] = [];
    for (const { id, mine, base, turned = false } of waiting) {
      const now = this.base.get(id) ?? NONE;
      this.drafts.set(id, mine);
      if (turned) this.turned.add(id);
      changed.push(id);
      if (now.revision !== base.revision) this.settle(id, now, changed, notices, base.content);
    }
    return { changed, notices };
  }

  private saved(id: string, content: Content | null, annotation: Stored | null): void {
    this.base.set(id, baseOf(annotation, content));
    if (sameContent(this.drafts.get(id) ?? null, content)) this.drop(id);
    else if (this.turnedIfSaved.has(id)) this.turned.add(id);
  }

  private drop(id: string): void {
    this.drafts.delete(id);
    this.turned.delete(id);
  }

  /** Another side has changed what I changed too. */
  private settle(
    id: string,
    theirs: Base,
    changed: string[],
    notices: Notice[],
    known = (this.base.get(id) ?? NONE).content,
  ): void {
    const mine = this.drafts.get(id) ?? null;
    const [turned, locked] = [this.turned.has(id), Boolean(theirs.locked)];
    const settlement = turned
      ? reconcileTurn(known, mine, theirs.content, locked)
      : reconcile(known, mine, theirs.content, this.me, locked);
    this.base.set(id, theirs);
    this.rejected.delete(id);
    changed.push(id);
    if (settlement.kind === "again") this.drafts.set(id, settlement.content);
    else this.drop(id);
    if (settlement.kind === "theirs" && settlement.overruled) notices.push({ kind: turned ? "left" : "kept", id });
    if (settlement.kind !== "copy" || mine === null) return;
    const { content } = settlement;
    const copy = this.newId();
    this.drafts.set(copy, content);
    changed.push(copy);
    notices.push({ kind: "copied", id, copy, by: theirs.locked || (theirs.editor ?? ""), content });
  }
}

function baseOf(stored: Stored | null, content: Content | null): Base {
  const signed = stored && {
    author: stored.author,
    editor: stored.editor,
    locked: stored.locked,
    layer: keyOf(stored),
  };
  return { ...signed, revision: stored?.revision ?? 0, content };
}

/**
 * Many editors of one slide on links that fail, in an order that a seed decides: the real stores against a service in memory. Each value that an
 * editor writes is unlike all others, so that what became of it is known (annotations.md, AN11, AN12, AN45, AN51). For tests.
 */
import type { AnnotationClient, Color, Content, Stored } from "@wavescope/core/wire/annotations/annotations";
import { OfflineError } from "@wavescope/core/wire/http/errors";
import { seeded } from "@wavescope/core/wire/testing";
import { AnnotationStore } from "../annotationStore";
import type { Waiting } from "../ledger";
import { sameContent } from "../reconcile";
import { HandClock, MemoryService, someContent } from "../testing";
import { point } from "@wavescope/core/geometry/shape";

/** What was tried, so that a test knows that it tried it. */
export interface Tally {
  operations: number;
  saved: number;
  conflicts: number;
  lockedOut: number;
  lost: number;
  partitions: number;
  reloads: number;
  copies: number;
  undone: number;
  undoneBesideOthers: number;
  leftOut: number;
}

type Value = string | null;
const MEMBERS = ["name", "text", "color", "shape"] as const;
type Member = (typeof MEMBERS)[number];
const FEW = 14; // objects about which the editors meet

/** The value of a member; null: nobody wrote it. */
function valueOf(content: Content, member: Member): Value {
  switch (member) {
    case "name":
      return /^n\d+/.exec(content.name)?.[0] ?? null;
    case "text":
      return content.text || null;
    case "color":
      return content.color && `c${content.color.join(".")}`;
    case "shape":
      return `x${content.shape.parts[0]![0]}`;
  }
}

const valuesOf = (content: Content | null): Value[] =>
  content ? MEMBERS.map((member) => valueOf(content, member)) : [];

/** The service, with the pages of a long history found fast; it checks each change that it takes. */
class CheckedService extends MemoryService {
  private readonly order: string[] = [];
  /** Each value that was ever stored. */
  readonly stored = new Set<string>();

  constructor(
    private readonly tally: Tally,
    private readonly accepted: (by: string, id: string, before: Content | null, after: Content | null) => void,
  ) {
    super();
  }

  changeBy(name: string, changes: Parameters<AnnotationClient["change"]>[0]) {
    return changes.map((change) => {
      const before = this.objects.get(change.id);
      const outcome = this.apply(change, name);
      const after = this.objects.get(change.id);
      if (outcome.status === "conflict") this.tally.conflicts += 1;
      if (outcome.status === "locked") this.tally.lockedOut += 1;
      if (after === before || !after) return outcome;
      this.tally.saved += 1;
      this.order[after.sequence - 1] = change.id;
      for (const value of valuesOf(after.content)) if (value !== null) this.stored.add(value);
      this.accepted(name, change.id, before?.content ?? null, after.content);
      return outcome;
    });
  }

  async lockBy(name: string, id: string, locked: boolean): Promise<Stored> {
    this.author = name;
    const stored = await this.lock(id, locked);
    this.order[this.sequence - 1] ??= id;
    return stored;
  }

  pageOf(name: string, since: number | null) {
    const annotations: Stored[] = [];
    for (let at = since ?? 0; at < this.sequence; at += 1) {
      const object = this.objects.get(this.order[at]!)!;
      if (object.sequence === at + 1 && (since !== null || object.content)) annotations.push(object);
    }
    const classes = new Map<string, Color>();
    const { sequence } = this;
    const total = annotations.length;
    return { annotations, sequence, more: false, total, classes, editable: true, author: name, comments: 0 };
  }
}

interface Message {
  /** At the service. */
  readonly arrive: () => Promise<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: Error) => void;
  answer?: { readonly value: unknown };
}

/** A link whose messages and answers arrive when the simulation says so, or never. */
class Link implements AnnotationClient {
  readonly messages: Message[] = [];

  constructor(
    private readonly service: CheckedService,
    private readonly name: string,
  ) {}

  page: AnnotationClient["page"] = (since) => this.send(() => Promise.resolve(this.service.pageOf(this.name, since)));
  change: AnnotationClient["change"] = (changes) =>
    this.send(() => Promise.resolve(this.service.changeBy(this.name, changes)));
  lock: AnnotationClient["lock"] = (id, locked) => this.send(() => this.service.lockBy(this.name, id, locked));
  setClasses = (): Promise<never> => Promise.reject(new Error("not here"));
  import = (): Promise<never> => Promise.reject(new Error("not here"));
  exportUrl = (): string => "";

  /** The oldest message goes a step on: to the service, or back. */
  async advance(fails: boolean): Promise<boolean> {
    const [message] = this.messages;
    if (!message) return false;
    if (fails) {
      this.messages.shift();
      message.reject(new OfflineError("no answer"));
    } else if (message.answer) {
      this.messages.shift();
      message.resolve(message.answer.value);
    } else {
      try {
        message.answer = { value: await message.arrive() };
      } catch (error) {
        this.messages.shift();
        message.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
    await rest();
    return true;
  }

  private send<Answer>(arrive: () => Promise<Answer>): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      this.messages.push({ arrive, resolve: resolve as (answer: unknown) => void, reject });
    });
  }
}

async function rest(): Promise<void> {
  for (let i = 0; i < 12; i += 1) await Promise.resolve();
}

class Editor {
  readonly clock = new HandClock();
  link: Link;
  store: AnnotationStore;
  offline = false;
  private waiting: readonly Waiting[] = [];
  private ids = 0;
  /** What this editor wrote, over which value it was shown. */
  private readonly over = new Map<string, Value>();
  /** Values whose end is not known: written and not taken back by this editor. */
  readonly pending = new Set<string>();
  private readonly seen = new Set<string>();
  private readonly made = new Set<string>();
  private readonly deleted = new Map<string, Content>();

  constructor(
    private readonly service: CheckedService,
    readonly name: string,
    private readonly tally: Tally,
    private readonly newValue: () => number,
  ) {
    [this.link, this.store] = this.open();
  }

  /** The page is reloaded: what waits is in the tab, the steps are forgotten. */
  reload(): void {
    this.store.close();
    [this.link, this.store] = this.open();
  }

  private open(): [Link, AnnotationStore] {
    const link = new Link(this.service, this.name);
    const outbox = { read: () => [...this.waiting], write: (all: readonly Waiting[]) => void (this.waiting = all) };
    const newId = (): string => {
      const id = `${this.name}-${++this.ids}`;
      this.made.add(id); // also a copy
      return id;
    };
    const store = new AnnotationStore(link, outbox, this.clock, () => true, newId);
    store.listen((ids) => {
      for (const id of ids) for (const value of valuesOf(store.get(id))) if (value !== null) this.seen.add(value);
    });
    return [link, store];
  }

  /** Whether each value that it changes was shown to this editor, who wrote the new one, or takes an own one back. */
  checkAccepted(id: string, before: Content | null, after: Content | null): void {
    if (before === null) return;
    if (after === null) {
      for (const value of valuesOf(before))
        if (value !== null && !this.seen.has(value)) throw new Error(`${this.name} deleted ${id} with ${value} unseen`);
      return;
    }
    for (const member of MEMBERS) {
      const [old, now] = [valueOf(before, member), valueOf(after, member)];
      if (old === now) continue;
      const known = new Set(this.ancestors(old));
      if (!this.ancestors(now).some((value) => known.has(value)))
        throw new Error(`${this.name} replaced ${old} of ${id} by ${now} without having seen it`);
    }
  }

  /** A value, and those that this editor wrote it over. */
  private ancestors(value: Value): Value[] {
    const found = [value];
    for (let at = value; at !== null && this.over.has(at); ) found.push((at = this.over.get(at)!));
    return found;
  }

  operate(random: () => number): void {
    this.tally.operations += 1;
    const { store } = this;
    const ids = [...store.index.all()].map(([id]) => id);
    const pick = (): string => ids[Math.floor(random() * ids.length)]!;
    const chance = random();
    if (chance < 0.12) return this.turn(() => store.undo(), true);
    if (chance < 0.13) return this.turnMany(8);
    if (chance < 0.19) return this.turn(() => store.redo(), false);
    if (ids.length === 0 || (ids.length < FEW && chance < 0.4))
      return this.write(() => store.add(this.contents(random), 0));
    if (chance < 0.3 + ids.length / (20 * FEW)) return this.write(() => store.remove([pick()]));
    if (chance < 0.5) {
      const moved = [pick(), pick(), pick()].filter((id, i, all) => all.indexOf(id) === i);
      return this.write(() => store.reshape(moved.map((id) => ({ id, shapes: [point("point", this.newValue(), 0)] }))));
    }
    const id = pick();
    if (chance < 0.7) return this.write(() => store.patch([id], { name: `n${this.newValue()}` }));
    if (chance < 0.88) return this.write(() => store.patch([id], { text: `t${this.newValue()}` }));
    return this.write(() => store.patch([id], { color: this.color(), text: `t${this.newValue()}` }));
  }

  private turnMany(steps: number): void {
    for (let step = 0; step < steps; step += 1) this.turn(() => this.store.undo(), true);
  }

  /** Asks the service to lock or unlock an object. */
  lock(random: () => number): void {
    const ids = [...this.store.index.all()].map(([id]) => id);
    if (ids.length === 0) return;
    const locked = ids.find((id) => this.store.lockedBy(id) !== "");
    const id = locked !== undefined && random() < 0.8 ? locked : ids[Math.floor(random() * ids.length)]!;
    this.store.lock([id], this.store.lockedBy(id) === "").catch(() => undefined); // offline, or gone meanwhile
  }

  private contents(random: () => number): Content[] {
    return Array.from({ length: random() < 0.2 ? 3 : 1 }, () =>
      someContent(this.newValue(), { name: `n${this.newValue()}` }),
    );
  }

  private color(): Color {
    const value = this.newValue();
    return [value >> 16, (value >> 8) & 255, value & 255];
  }

  private observe(act: () => void): Map<string, [Content | null, Content | null]> {
    const before = new Map(this.store.index.all());
    act();
    const changed = new Map<string, [Content | null, Content | null]>();
    const after = new Map(this.store.index.all());
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const pair: [Content | null, Content | null] = [before.get(id) ?? null, after.get(id) ?? null];
      if (!sameContent(...pair)) changed.set(id, pair);
    }
    return changed;
  }

  private write(act: () => void): void {
    for (const [id, [before, after]] of this.observe(act)) {
      this.settle(before, after);
      if (after === null) this.deleted.set(id, before!);
      for (const member of MEMBERS) {
        const value = after && valueOf(after, member);
        const old = before && valueOf(before, member);
        if (value !== null && value !== old && !this.over.has(value)) this.over.set(value, old);
      }
    }
  }

  /** What is not shown any more was taken back by this editor; what it wrote and is shown now has to be stored. */
  private settle(before: Content | null, after: Content | null, isUndo = false): void {
    const [old, now] = [valuesOf(before), valuesOf(after)];
    for (const value of old) if (value !== null && !now.includes(value)) this.pending.delete(value);
    for (const value of now) if (value !== null && !isUndo && !old.includes(value)) this.pending.add(value);
  }

  /** An undo or redo: only what this editor did is taken back. */
  private turn(act: () => void, isUndo: boolean): void {
    const { canUndo, canRedo } = this.store.state.getState();
    if (!(isUndo ? canUndo : canRedo)) return;
    this.store.set({ notice: null });
    const changed = this.observe(act);
    const { notice } = this.store.state.getState();
    if (notice !== null) this.tally.leftOut += 1;
    for (const [id, [before, after]] of changed) {
      this.settle(before, after, isUndo);
      if (!isUndo) {
        if (after === null) this.deleted.set(id, before!);
        continue;
      }
      this.tally.undone += 1;
      this.checkUndone(id, before, after);
    }
  }

  private checkUndone(id: string, before: Content | null, after: Content | null): void {
    const fault = (what: string): Error => new Error(`${this.name} undid ${what} of ${id}`);
    if (after === null) {
      if (!this.made.has(id)) throw fault("the creation by another");
      return;
    }
    if (before === null) {
      if (!sameContent(this.deleted.get(id) ?? null, after)) throw fault("another deletion than its own");
      return;
    }
    let others = false;
    for (const member of MEMBERS) {
      const [shown, back] = [valueOf(before, member), valueOf(after, member)];
      if (shown === back) others ||= shown !== null && !this.over.has(shown);
      else if (shown === null || !this.over.has(shown) || this.over.get(shown) !== back)
        throw fault(`${shown} to ${back}, which it had not written over it,`);
    }
    if (others) this.tally.undoneBesideOthers += 1;
  }
}

/** The editors, and what was found wrong is thrown. */
export class Together {
  readonly tally: Tally = {
    operations: 0,
    saved: 0,
    conflicts: 0,
    lockedOut: 0,
    lost: 0,
    partitions: 0,
    reloads: 0,
    copies: 0,
    undone: 0,
    undoneBesideOthers: 0,
    leftOut: 0,
  }; // prettier-ignore
  private readonly random: () => number;
  private readonly service: CheckedService;
  private readonly editors: readonly Editor[];
  private values = 0;

  constructor(seed: number, editors: number) {
    this.random = seeded(seed);
    this.service = new CheckedService(this.tally, (by, ...change) => this.byName(by).checkAccepted(...change));
    const newValue = (): number => ++this.values;
    this.editors = Array.from({ length: editors }, (_, i) => new Editor(this.service, `E${i}`, this.tally, newValue));
  }

  /** So many operations of the editors, with all that happens to their links meanwhile. */
  async run(operations: number): Promise<void> {
    while (this.tally.operations < operations) {
      const editor = this.editors[Math.floor(this.random() * this.editors.length)]!;
      await this.step(editor, this.random());
    }
    await this.comeToRest();
    this.check();
  }

  private async step(editor: Editor, chance: number): Promise<void> {
    if (chance < 0.3) editor.operate(this.random);
    else if (chance < 0.31) editor.lock(this.random);
    else if (chance < 0.313) {
      editor.offline = !editor.offline;
      if (editor.offline) this.tally.partitions += 1;
    } else if (chance < 0.3133) {
      this.tally.reloads += 1;
      editor.reload();
    } else if (chance < 0.5) await editor.clock.tick();
    else {
      const fails = editor.offline || this.random() < 0.01;
      if ((await editor.link.advance(fails)) && fails) this.tally.lost += 1;
    }
  }

  /** All links work again, until nothing waits. */
  private async comeToRest(): Promise<void> {
    for (const editor of this.editors) editor.offline = false;
    for (let round = 0; round < 60; round += 1)
      for (const editor of this.editors) {
        await editor.clock.tick();
        for (let sent = 0; await editor.link.advance(false); sent += 1)
          if (sent > 1000) throw new Error(`${editor.name} sends for ever`);
      }
  }

  private check(): void {
    const live = new Map<string, Content>();
    for (const [id, { content }] of this.service.objects) if (content) live.set(id, content);
    this.tally.copies = [...live.values()].filter(({ name }) => name.includes("version of")).length;
    for (const { name, store, pending } of this.editors) {
      if (store.unsaved > 0) throw new Error(`${name} has ${store.unsaved} unsaved changes`);
      if (store.index.size !== live.size) throw new Error(`${name} shows ${store.index.size} of ${live.size} objects`);
      for (const [id, content] of live)
        if (!sameContent(store.get(id), content)) throw new Error(`${name} shows ${id} otherwise than it is stored`);
      for (const value of pending)
        if (!this.service.stored.has(value)) throw new Error(`what ${name} wrote is lost: ${value}`);
    }
  }

  private byName(name: string): Editor {
    return this.editors[Number(name.slice(1))]!;
  }
}

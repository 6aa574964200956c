/** The annotations of an open slide: what is shown, what is selected, what was done. Without React, without OpenSeadragon. */
import { createStore } from "zustand/vanilla";
import type { Kind, Shape } from "@wavescope/core/geometry/shape";
import type {
  AnnotationClient,
  AnnotationPage,
  Color,
  Content,
  ImportReport,
} from "@wavescope/core/wire/annotations/annotations";
import { type AnnotationState, START, type Typed } from "./annotationState";
import { Autosave, type Clock } from "./autosave";
import { ClassesInUse } from "./classColors";
import { FIELD_CLASS, fieldName, isField, numberOf } from "../count/fields";
import {
  type Edit,
  type History,
  type Shown,
  type UndoStep,
  joinFirstText,
  moveToCopy,
  record,
  redo,
  startHistory,
  undo,
} from "./undo";
import { type Effects, Ledger, type Notice, type Signed, type Waiting } from "./ledger";
import type { LayerMemory } from "./layerMemory";
import {
  LOCAL_LAYER,
  type Layer,
  type LayerKey,
  type LayerStyle,
  PLAIN_STYLE,
  keyOf,
  layersOf,
  styled,
} from "./layers";
import { LocalObjects } from "./localObjects";
import type { Outbox } from "./outbox";
import { SpatialIndex } from "./spatial";
import { t } from "@wavescope/core/i18n/i18n";

/** An object as it was at another time. */
export interface Recorded extends Signed {
  readonly content: Content;
}

/** What a person may change of an object's content. */
export type Patch = Partial<Pick<Content, "shape" | "name" | "text" | "class" | "color">>;

export class AnnotationStore {
  readonly state = createStore<AnnotationState>(() => START);
  readonly index = new SpatialIndex();
  /** What has a label without being asked: texts, and measurements. */
  readonly labelled = new SpatialIndex();
  /** The classes that have a colour of their own. */
  private colors: ReadonlyMap<string, Color> = new Map();
  private readonly inUse = new ClassesInUse();
  private readonly local = new LocalObjects();
  private readonly ledger: Ledger;
  private readonly autosave: Autosave;
  /** What waited when the page was left, until all objects are there. */
  private readonly leftOver: Waiting[];
  private history: History = startHistory;
  /** What is shown instead, of another time; null: what there is now. */
  private recorded: ReadonlyMap<string, Recorded> | null = null;
  private page: Pick<AnnotationPage, "editable" | "author">;
  private readonly shown: Shown = { get: (id) => this.get(id), isLocked: (id) => this.lockedBy(id) !== "" };
  private memory: LayerMemory | null = null;
  private readonly listeners = new Set<(ids: readonly string[]) => void>();

  constructor(
    readonly client: AnnotationClient,
    private readonly outbox: Outbox,
    clock: Clock,
    watched: () => boolean,
    private readonly newId: () => string,
    editable = true,
  ) {
    this.page = { editable, author: "" };
    this.set({ editable });
    this.leftOver = outbox.read();
    this.ledger = new Ledger(newId);
    this.autosave = new Autosave(
      this.ledger,
      client,
      {
        effects: (effects) => this.applyEffects(effects),
        page: (page) => this.receive(page),
        loaded: () => this.applyEffects(this.ledger.restore(this.leftOver.splice(0))),
        state: (save, reason) => this.set({ save, reason }),
        responded: () => this.set({ responses: this.state.getState().responses + 1 }),
      },
      clock,
      watched,
      () => this.state.getState().editable,
    );
    this.autosave.start();
  }

  close(): void {
    this.autosave.close();
  }

  get unsaved(): number {
    return this.ledger.unsaved;
  }

  set(state: Partial<AnnotationState>): void {
    this.state.setState(state);
  }

  /** Calls back with the objects that are shown otherwise now. */
  listen(listener: (ids: readonly string[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get(id: string): Content | null {
    return this.index.get(id) ?? null;
  }

  /** Whose an object is; null: of this page only, or not known yet. */
  signed(id: string): Signed | null {
    return this.recorded ? (this.recorded.get(id) ?? null) : this.ledger.signed(id);
  }

  /** Shows the objects of another time, which nobody changes; null: those that there are. */
  showRecorded(recorded: ReadonlyMap<string, Recorded> | null): void {
    if (recorded === this.recorded) return;
    this.recorded = recorded;
    this.applyEditable();
    const here = [...this.index.all()].map(([id]) => id);
    this.show([...here, ...(recorded ? recorded.keys() : this.ledger.ids())]);
  }

  /** Whether who sits here may change the object: in a locked layer nobody does. */
  mayChange(id: string): boolean {
    if (this.styleOf(id).locked) return false;
    return this.local.has(id) || (this.state.getState().editable && this.lockedBy(id) === "");
  }

  /** Who locked an object; empty: it is not locked (AN45). */
  lockedBy(id: string): string {
    return this.local.has(id) ? "" : (this.signed(id)?.locked ?? "");
  }

  /** The name under which changes of this page are stored; empty: not known. */
  get author(): string {
    return this.page.author;
  }

  /** Locks or unlocks objects (AN45), after what waits of them was sent. Raises what the service answers. */
  async lock(ids: readonly string[], locked: boolean): Promise<void> {
    await this.autosave.now();
    for (const id of ids) {
      if ((this.lockedBy(id) !== "") === locked) continue;
      this.applyEffects(this.ledger.receive([await this.client.lock(id, locked)]));
    }
    this.set({ responses: this.state.getState().responses + 1 });
  }

  /** Who created an object; of one that is not saved: who sits here. */
  authorOf(id: string): string {
    return this.signed(id)?.author || this.author;
  }

  layerOf(id: string): LayerKey {
    if (this.local.has(id)) return LOCAL_LAYER;
    const recorded = this.recorded?.get(id);
    return recorded ? keyOf({ author: recorded.author, imported: "", created: "" }) : this.ledger.layerOf(id);
  }

  /** How the layer of an object is shown. */
  styleOf(id: string): LayerStyle {
    const { layers } = this.state.getState();
    return (layers.size > 0 && layers.get(this.layerOf(id))) || PLAIN_STYLE;
  }

  /** Whether the object lives in this page only. */
  isLocal(id: string): boolean {
    return this.local.has(id);
  }

  // -- what a person does

  /** A new object, selected; its id. Without the right to annotate it exists on this page only. */
  create(shape: Shape, z: number): string {
    const [id] = this.add([{ shape, class: this.state.getState().currentClass }], z) as [string];
    this.set({ selected: [id], untitledTextId: shape.kind === "text" ? id : null });
    return id;
  }

  /** New objects as one step; their ids. */
  add(contents: readonly (Pick<Content, "shape"> & Partial<Content>)[], z: number): string[] {
    const edits = contents.map((content): Edit & { after: Content } => ({
      id: this.newMine(),
      before: null,
      after: { z, name: "", text: "", class: "", color: null, foreign: {}, ...content },
    }));
    this.do(edits);
    return edits.map(({ id }) => id);
  }

  /**
   * Gives objects other shapes, and deletes `gone`: one step. Of several shapes the first stays the object's, the others become objects like it;
   * without shapes it is deleted. Returns the ids of those that have the shapes.
   */
  reshape(
    objects: readonly { readonly id: string; readonly shapes: readonly Shape[] }[],
    gone: readonly string[] = [],
  ): string[] {
    const made = objects.flatMap(({ id, shapes }) =>
      this.changeable([id]).flatMap(([, before]): Edit[] => {
        const [first, ...others] = shapes.map((shape) => ({ ...before, shape }));
        const added = others.map((after) => ({ id: this.newMine(), before: null, after }));
        return [{ id, before, after: first ?? null }, ...added];
      }),
    );
    this.do([...made, ...this.changeable(gone).map(([id, before]) => ({ id, before, after: null }))]);
    return made.filter(({ after }) => after !== null).map(({ id }) => id);
  }

  /** The counting fields by their numbers. */
  fields(): { readonly id: string; readonly content: Content }[] {
    return this.where(isField)
      .map((id) => ({ id, content: this.get(id)! }))
      .sort((a, b) => numberOf(a.content) - numberOf(b.content));
  }

  /** New counting fields as one step, numbered on from those that are there; their ids. */
  addFields(shapes: readonly Shape[], z: number): string[] {
    const last = this.fields().at(-1);
    const first = last ? numberOf(last.content) + 1 : 1;
    return this.add(
      shapes.map((shape, i) => ({ shape, class: FIELD_CLASS, name: fieldName(first + i) })),
      z,
    );
  }

  patch(ids: readonly string[], patch: Patch): void {
    const edits = this.changeable(ids).map(([id, before]) => ({ id, before, after: { ...before, ...patch } }));
    const joined = edits.length === 1 && joinFirstText(this.history, edits[0]!);
    if (!joined) return this.do(edits);
    this.history = joined;
    this.execute(edits);
  }

  /** Someone types about an object. */
  type(id: string, words: Partial<Pick<Typed, "name" | "text">>): void {
    if (this.state.getState().typed?.id !== id) this.writeTyped(); // about another one
    const { typed } = this.state.getState();
    const content = this.get(id);
    const now = typed?.id === id ? typed : content && { id, content, name: content.name, text: content.text };
    if (now) this.set({ typed: { ...now, ...words } });
  }

  /** Writes what was typed. Of an object that is gone meanwhile, it stays until its user decides. */
  writeTyped(): void {
    const { typed } = this.state.getState();
    if (!typed) return;
    const { id, content, text } = typed;
    const now = this.get(id);
    if (!now) return;
    this.set({ typed: null });
    const words = { name: typed.name.trim(), text };
    const changed = (["name", "text"] as const).filter((field) => words[field] !== content[field]); // others' words stay
    const amendment = Object.fromEntries(changed.map((field) => [field, words[field]]));
    if (changed.length > 0) this.patch([id], amendment);
  }

  /** The object that another deleted, once more with what was typed about it; selected. */
  keepTyped(): void {
    const { typed } = this.state.getState();
    if (!typed || this.get(typed.id)) return;
    const { content, name, text } = typed;
    const id = this.newMine();
    this.set({ typed: null });
    this.do([{ id, before: null, after: { ...content, name: name.trim(), text } }]);
    this.select([id]);
  }

  remove(ids: readonly string[]): void {
    this.do(this.changeable(ids).map(([id, before]) => ({ id, before, after: null })));
  }

  undo(): void {
    this.applyStep(undo(this.history, this.shown), true);
  }

  redo(): void {
    this.applyStep(redo(this.history, this.shown), false);
  }

  select(ids: readonly string[]): void {
    this.set({ selected: ids });
  }

  /** Selects all objects for which this holds, but for those of hidden layers. */
  selectWhere(holds: (content: Content, id: string) => boolean): void {
    this.select(this.where((content, id) => !this.styleOf(id).hidden && holds(content, id)));
  }

  /** Deletes all objects for which this holds, but for those of hidden layers, as one step. */
  removeWhere(holds: (content: Content) => boolean): void {
    this.remove(this.where((content, id) => !this.styleOf(id).hidden && holds(content)));
  }

  /** Gives a class a colour, or makes it; null forgets it. */
  async setClass(name: string, color: Color | null): Promise<void> {
    this.setClassMap(await this.client.setClasses({ [name]: color }));
  }

  /** Gives a class another name, or joins it to the class of that name; an empty name removes it, and its annotations have none then. */
  async renameClass(from: string, to: string): Promise<void> {
    if (from === to) return;
    const { currentClass, countedClass } = this.state.getState();
    const color = this.colors.get(from);
    const isKept = this.where((content, id) => content.class === from && !this.mayChange(id)).length > 0;
    this.patch(
      this.where((content) => content.class === from),
      { class: to },
    );
    this.set({
      currentClass: currentClass === from ? to : currentClass,
      countedClass: countedClass === from ? to : countedClass,
    });
    const moved = to !== "" && color && !this.colors.has(to) ? { [to]: color } : {};
    this.setClassMap(await this.client.setClasses({ ...(!isKept && { [from]: null }), ...moved }));
  }

  /** The layers that have annotations. */
  layers(): Layer[] {
    const counts = new Map<LayerKey, number>();
    for (const [id] of this.index.all()) {
      const key = this.layerOf(id);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return layersOf(counts);
  }

  /** Shows the layers as the user did last, and remembers how they are shown from now on. */
  rememberLayers(memory: LayerMemory): void {
    this.memory = memory;
    this.set({ layers: memory.read() });
  }

  /** Shows a layer otherwise; nothing of a hidden one stays selected. */
  setLayer(key: LayerKey, change: Partial<LayerStyle>): void {
    const { layers: before, selected, version } = this.state.getState();
    const layers = styled(before, key, change);
    this.set({ layers, version: version + 1 });
    this.memory?.write(layers);
    const seen = selected.filter((id) => !this.styleOf(id).hidden);
    if (seen.length < selected.length) this.select(seen);
  }

  /** Deletes what may be deleted of a layer, as one step; what it was. */
  removeLayer(key: LayerKey): readonly (readonly [string, Content])[] {
    const removed = this.changeable(this.where((_, id) => this.layerOf(id) === key));
    this.remove(removed.map(([id]) => id));
    return removed;
  }

  /** Brings back what was deleted and is not there, as one step. */
  restore(removed: readonly (readonly [string, Content])[]): void {
    const gone = removed.filter(([id]) => !this.get(id));
    this.do(gone.map(([id, after]) => ({ id, before: null, after })));
  }

  /** How many annotations each class has. */
  classCounts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const [, content] of this.index.all()) counts.set(content.class, (counts.get(content.class) ?? 0) + 1);
    return counts;
  }

  /** Looks for what others did, and sends what waits, at once. */
  refresh(): void {
    void this.autosave.now();
  }

  /** Adds the objects of a document, which the service reads; taken back they are all deleted again (AN22). */
  async import(format: "geojson" | "w3c", body: Blob, name?: string): Promise<ImportReport> {
    const report = await this.client.import(format, body, name);
    await this.autosave.now();
    const edits = report.ids.flatMap((id) => {
      const after = this.get(id);
      return after ? [{ id, before: null, after }] : [];
    });
    this.history = record(this.history, edits);
    this.set({ canUndo: this.history.done.length > 0, canRedo: this.history.undone.length > 0 });
    return report;
  }

  // -- inside

  /** The id of a new object; without the right to annotate it exists on this page only. */
  private newMine(): string {
    const id = this.newId();
    if (!this.state.getState().editable) this.local.adopt(id);
    this.setLayerOfNew(this.layerOf(id));
    return id;
  }

  /** What is new is seen, and can be changed. */
  private setLayerOfNew(key: LayerKey): void {
    const style = this.state.getState().layers.get(key);
    if (style?.hidden || style?.locked) this.setLayer(key, { hidden: false, locked: false });
  }

  private where(holds: (content: Content, id: string) => boolean): string[] {
    return [...this.index.all()].filter(([id, content]) => holds(content, id)).map(([id]) => id);
  }

  /** Those that are there and may be changed. */
  private changeable(ids: readonly string[]): [string, Content][] {
    return ids.flatMap((id) => {
      const content = this.mayChange(id) ? this.get(id) : null;
      return content ? [[id, content] as [string, Content]] : [];
    });
  }

  private do(edits: readonly Edit[]): void {
    this.history = record(this.history, edits);
    this.execute(edits);
  }

  private applyStep(step: UndoStep | null, turned: boolean): void {
    if (!step) return;
    const open = step.edits.filter(({ id }) => !this.styleOf(id).locked);
    const isLocked = open.length < step.edits.length;
    if (isLocked) this.set({ notice: t("annotate.stepLocked") });
    if (isLocked && open.length === 0) return;
    this.history = step.history;
    this.execute(open, turned);
    if (step.stale.length > 0) this.set({ notice: this.leftOut(step.stale) });
  }

  /** Why objects were left out of an undo (AN51). */
  private leftOut(ids: readonly string[]): string {
    const [count, first] = [ids.length, ids[0]!];
    const locked = this.lockedBy(first);
    if (locked !== "") return t("annotate.undoLocked", { count, by: locked });
    return t("annotate.undoSkipped", { count, by: this.signed(first)?.editor || t("annotate.someoneElse") });
  }

  private execute(edits: readonly Edit[], turned = false): void {
    for (const { id, after } of edits)
      if (this.local.has(id)) this.local.edit(id, after);
      else this.ledger.edit(id, after, turned);
    this.show(edits.map(({ id }) => id));
    this.writeOutbox();
    this.autosave.touch();
  }

  private applyEffects({ changed, notices }: Effects): void {
    for (const notice of notices)
      if (notice.kind === "copied")
        this.history = moveToCopy(this.history, notice.id, { id: notice.copy, before: null, after: notice.content });
    if (changed.length > 0) this.show(changed);
    this.writeOutbox();
    const last = notices.at(-1);
    if (last) this.set({ notice: this.noticeText(last) });
  }

  private noticeText(notice: Notice): string {
    if (notice.kind === "kept") return t("annotate.deletionSkipped");
    if (notice.kind === "left") return this.leftOut([notice.id]);
    const name = this.get(notice.copy)?.name ?? "";
    if (this.lockedBy(notice.id) !== "") return t("annotate.copiedFromLocked", { by: notice.by, name });
    return t("annotate.changedByOther", { by: notice.by || t("annotate.someoneElse"), name });
  }

  private writeOutbox(): void {
    this.outbox.write([...this.leftOver, ...this.ledger.waiting()]);
  }

  private show(ids: readonly string[]): void {
    const shown = [...new Set(ids)].map((id) => [id, this.contentOf(id)] as const);
    const named = shown.filter(([id, content]) => this.inUse.change(this.get(id), content)).length > 0;
    this.index.update(shown);
    this.labelled.update(
      shown.map(
        ([id, content]) => [id, content && (isLabelled(content) || this.local.has(id)) ? content : null] as const,
      ),
    );
    if (named) this.set({ classes: this.inUse.with(this.colors) });
    const { selected, version } = this.state.getState();
    const gone = selected.some((id) => !this.index.get(id));
    this.set({
      version: version + 1,
      count: this.index.size,
      local: this.local.size,
      selected: gone ? selected.filter((id) => this.index.get(id)) : selected,
      canUndo: this.history.done.length > 0,
      canRedo: this.history.undone.length > 0,
    });
    for (const listener of this.listeners) listener(ids);
  }

  private contentOf(id: string): Content | null {
    if (this.local.has(id)) return this.local.shown(id);
    return this.recorded ? (this.recorded.get(id)?.content ?? null) : this.ledger.shown(id);
  }

  private receive(page: AnnotationPage): void {
    this.setClassMap(page.classes);
    this.page = page;
    this.set({ comments: page.comments });
    this.ledger.me = page.author;
    this.applyEditable();
  }

  private applyEditable(): void {
    const editable = this.page.editable && this.recorded === null;
    if (editable === this.state.getState().editable) return;
    this.set({ editable, ...(!editable && { tool: null, draft: null }) });
  }

  private setClassMap(classes: ReadonlyMap<string, Color>): void {
    const known = this.colors;
    const same =
      known.size === classes.size && [...classes].every(([name, color]) => String(known.get(name)) === String(color));
    if (same) return;
    this.colors = classes;
    this.set({ classes: this.inUse.with(classes) });
  }
}

const LABELLED: readonly Kind[] = ["text", "line", "angle"];
const isLabelled = (content: Content): boolean => LABELLED.includes(content.shape.kind) || isField(content);

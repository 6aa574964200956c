/** Says the view of a microscope in words: on request, and what a move changed once the view rests. State without React. */
import { createStore } from "zustand/vanilla";
import { t } from "@wavescope/core/i18n/i18n";
import { openAnnotations } from "@wavescope/viewer/annotate/annotations";
import { annotationName, measureLabels } from "@wavescope/viewer/annotate/draw/labels";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { ViewState } from "@wavescope/viewer/core/viewState";
import { sameField } from "@wavescope/viewer/navigation/coverage";
import { type Settings, settings } from "../settings";
import { annotationsInView, readFacts, sharpness } from "./inView";
import { type Sentence, annotationText, changedSentences, sentencesOf } from "./sentences";

/** Milliseconds of rest before a change is said (PG107). */
const REST = 700;

export interface Described {
  /** What is to be said; the number grows with each, so that the same words are said again. */
  readonly said: { readonly text: string; readonly number: number };
  /** The summary that is shown; null: none. */
  readonly shown: readonly string[] | null;
}

/** Whether changes are said: as the user chose, and unless they chose otherwise, while the picture has the focus and keys move it (PG108). */
export function saysChanges(choice: Settings["spoken"], byKeys: boolean, focused: boolean): boolean {
  return choice === "always" || (choice === "keys" && byKeys && focused);
}

export class ViewDescription {
  readonly state = createStore<Described>(() => ({ said: { text: "", number: 0 }, shown: null }));
  /** What the user knows: what was said last, or what was so when the picture got the focus. */
  private known: readonly Sentence[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private byKeys = false;
  /** Whether an arrow key was pressed since changes were said last. */
  private pushed = false;
  /** Grows with each reading: an older one says nothing any more. */
  private readings = 0;

  constructor(private readonly microscope: Microscope) {}

  /** Says and shows the whole summary (PG105). */
  async describe(): Promise<void> {
    const sentences = await this.read();
    if (!sentences) return;
    this.known = sentences;
    const shown = sentences.map(({ text }) => text);
    this.state.setState({ shown });
    this.say(shown);
  }

  hide(): void {
    this.state.setState({ shown: null });
  }

  /** Selects the next or the previous annotation in view, beginning with the nearest to its middle, and says it (PG110). */
  step(by: 1 | -1): void {
    const store = openAnnotations(this.microscope)?.store;
    const found = annotationsInView(this.microscope) ?? [];
    if (!store || found.length === 0) return this.say([t("description.noAnnotations")]);
    const at = found.findIndex(({ id }) => id === store.state.getState().selected[0]);
    const next = at < 0 && by < 0 ? found.length - 1 : (at + by + found.length) % found.length;
    const { id, content, across, down } = found[next]!;
    const { mpp } = this.microscope.manifest;
    store.select([id]);
    const name = annotationName(content);
    const measures = measureLabels(content.shape, mpp);
    this.say([annotationText({ name, number: next + 1, count: found.length, across, down, measures }, mpp)]);
  }

  /** Follows the view until what it gives is called. */
  follow(): () => void {
    const { viewer, state } = this.microscope;
    const { element } = viewer;
    const closing = new AbortController();
    const listen = { capture: true, passive: true, signal: closing.signal };
    const pointer = (): void => void (this.byKeys = false);
    for (const kind of ["pointerdown", "wheel"]) element.addEventListener(kind, pointer, listen);
    element.addEventListener("keydown", ({ key }) => this.pressed(key), listen);
    element.addEventListener("focus", () => void this.learn(), listen);
    const stop = state.subscribe((now, before) => {
      if (hasMoved(now, before)) this.rest();
      else if (sharpness(now.fidelity) !== sharpness(before.fidelity) && this.timer === null) this.rest();
    });
    return () => {
      closing.abort();
      stop();
      this.readings += 1;
      if (this.timer !== null) clearTimeout(this.timer);
    };
  }

  /** Who comes to the picture by keys hears of a move what has changed since. */
  private async learn(): Promise<void> {
    if (settings.getState().spoken !== "keys" || this.timer !== null) return;
    if (!this.microscope.viewer.element.matches(":focus-visible")) return;
    const sentences = await this.read();
    if (sentences) this.known = sentences;
  }

  private pressed(key: string): void {
    this.byKeys = true;
    if (!key.startsWith("Arrow")) return;
    this.pushed = true;
    this.rest();
  }

  /** Begins to wait for the rest of the view anew. */
  private rest(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.rested();
    }, REST);
  }

  private async rested(): Promise<void> {
    const { pushed } = this;
    this.pushed = false;
    const says = this.says();
    const { shown } = this.state.getState();
    if (!says && !shown) return;
    const sentences = await this.read();
    if (!sentences || this.timer !== null) return; // it moves again
    if (shown) this.state.setState({ shown: sentences.map(({ text }) => text) });
    if (!says) return;
    const changed = changedSentences(sentences, this.known);
    this.known = sentences;
    if (changed.length > 0) this.say(changed);
    else if (pushed) this.say([t("description.end")]);
  }

  private says(): boolean {
    const focused = this.microscope.viewer.element.contains(document.activeElement);
    return saysChanges(settings.getState().spoken, this.byKeys, focused);
  }

  /** Null: another reading has begun. */
  private async read(): Promise<readonly Sentence[] | null> {
    this.readings += 1;
    const reading = this.readings;
    const sentences = sentencesOf(await readFacts(this.microscope));
    return reading === this.readings ? sentences : null;
  }

  private say(sentences: readonly string[]): void {
    const { said } = this.state.getState();
    this.state.setState({ said: { text: sentences.join(" "), number: said.number + 1 } });
  }
}

const hasMoved = (now: ViewState, before: ViewState): boolean =>
  !sameField(before, now) || now.plane !== before.plane || now.flip !== before.flip;

const descriptions = new WeakMap<Microscope, ViewDescription>();

/** One per open slide. */
export function descriptionOf(microscope: Microscope): ViewDescription {
  let description = descriptions.get(microscope);
  if (!description) descriptions.set(microscope, (description = new ViewDescription(microscope)));
  return description;
}

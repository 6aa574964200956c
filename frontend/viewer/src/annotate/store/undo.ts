/** Undo and redo (annotations.md, AN22, AN51): steps of one or more objects, each with what was before and after. Pure. */
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { sameContent, turnedBack } from "./reconcile";

export interface Edit {
  readonly id: string;
  readonly before: Content | null;
  readonly after: Content | null;
}

export type Step = readonly Edit[];

export interface History {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

const MAX_STEPS = 200;

export const startHistory: History = { done: [], undone: [] };

export function record(history: History, step: Step): History {
  return step.length === 0 ? history : { done: [...history.done, step].slice(-MAX_STEPS), undone: [] };
}

/** The history with the first words of a text that was just placed taken into the same step (AN22); null if the edit is something else. */
export function joinFirstText(history: History, { id, before, after }: Edit): History | null {
  const last = history.done.at(-1);
  if (before?.shape.kind !== "text" || before.text !== "" || !last || last.length !== 1) return null;
  if (last[0]!.id !== id || last[0]!.before !== null || !sameContent(last[0]!.after, before)) return null;
  return { done: [...history.done.slice(0, -1), [{ id, before: null, after }]], undone: [] };
}

export interface UndoStep {
  readonly history: History;
  /** What to do now. */
  readonly edits: Step;
  /** Objects left out, because another user has changed the same of them since, or they are locked. */
  readonly stale: readonly string[];
}

/** The objects as they are now. */
export interface Shown {
  get(id: string): Content | null;
  isLocked(id: string): boolean;
}

/** The last change of `id` has become an object of its own (AN12): taken back, that one is deleted. */
export function moveToCopy(history: History, id: string, copy: Edit): History {
  const at = history.done.findLastIndex((step) => step.some((edit) => edit.id === id));
  if (at < 0) return history;
  const step = history.done[at]!.map((edit) => (edit.id === id ? copy : edit));
  return { ...history, done: history.done.with(at, step) };
}

/** Takes the last step back; null if there is none. */
export function undo(history: History, shown: Shown): UndoStep | null {
  const step = history.done.at(-1);
  if (!step) return null;
  const back = step.map(({ id, before, after }) => ({ id, before: after, after: before })).reverse();
  return turn({ done: history.done.slice(0, -1), undone: [...history.undone, step] }, back, shown);
}

export function redo(history: History, shown: Shown): UndoStep | null {
  const step = history.undone.at(-1);
  if (!step) return null;
  return turn({ done: [...history.done, step], undone: history.undone.slice(0, -1) }, step, shown);
}

function turn(history: History, wanted: Step, shown: Shown): UndoStep {
  const edits: Edit[] = [];
  const stale: string[] = [];
  for (const { id, before: from, after: to } of wanted) {
    const before = shown.get(id);
    const after = turnedBack(from, to, before);
    if (sameContent(before, to) || (after !== undefined && sameContent(before, after))) continue; // it is so already
    if (after === undefined || shown.isLocked(id)) stale.push(id);
    else edits.push({ id, before, after });
  }
  return { history, edits, stale };
}

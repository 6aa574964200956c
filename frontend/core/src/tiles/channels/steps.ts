/** Undo and redo of a value that is replaced as a whole. Pure. */
export interface Step<T> {
  /** Changes of the same kind in a row are one step; null: it is one by itself. */
  readonly kind: string | null;
  readonly before: T;
  readonly after: T;
}

export interface Steps<T> {
  readonly done: readonly Step<T>[];
  readonly undone: readonly Step<T>[];
}

const MAX_STEPS = 200;

export const noSteps: Steps<never> = { done: [], undone: [] };

export function recorded<T>({ done, undone }: Steps<T>, step: Step<T>): Steps<T> {
  const last = done.at(-1);
  const continued = undone.length === 0 && last !== undefined && step.kind !== null && last.kind === step.kind;
  const kept = continued ? [...done.slice(0, -1), { ...step, before: last.before }] : [...done, step];
  return { done: kept.slice(-MAX_STEPS), undone: [] };
}

/** Null: there is nothing to take back. */
export function undone<T>({ done, undone }: Steps<T>): { readonly steps: Steps<T>; readonly value: T } | null {
  const last = done.at(-1);
  if (!last) return null;
  return { steps: { done: done.slice(0, -1), undone: [...undone, last] }, value: last.before };
}

/** Null: nothing was taken back. */
export function redone<T>({ done, undone }: Steps<T>): { readonly steps: Steps<T>; readonly value: T } | null {
  const last = undone.at(-1);
  if (!last) return null;
  return { steps: { done: [...done, last], undone: undone.slice(0, -1) }, value: last.after };
}

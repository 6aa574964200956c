/** Code of the page that comes after the first picture: each part once, when it is needed or when the page is idle, whichever is first. */
import { createStore } from "zustand/vanilla";

/** A part of the page in chunks of its own. */
export interface Deferred<T> {
  /** Fetches the part; the same answer for all callers. After a failure the next call tries again. */
  readonly load: () => Promise<T>;
  /** Null until it has been fetched. */
  readonly loaded: () => T | null;
  /** Calls after it has been fetched, until what it gives is called. */
  readonly subscribe: (listener: () => void) => () => void;
}

interface Options {
  /** Whether it comes by itself once the first picture is shown. */
  readonly ahead?: boolean;
  /** Whether the styles of its components come with it, so that it does not wait for those of all. */
  readonly ownStyles?: boolean;
}

const ahead: Deferred<unknown>[] = [];

export function deferred<T>(fetchPart: () => Promise<T>, options: Options = {}): Deferred<T> {
  const state = createStore<{ readonly part: T | null }>(() => ({ part: null }));
  let coming: Promise<T> | null = null;
  const one: Deferred<T> = {
    load: () =>
      (coming ??= Promise.all([fetchPart(), options.ownStyles ? null : fetchStyles()]).then(
        ([part]) => {
          state.setState({ part });
          return part;
        },
        (error: unknown) => {
          coming = null;
          throw error;
        },
      )),
    loaded: () => state.getState().part,
    subscribe: state.subscribe,
  };
  if (options.ahead) ahead.push(one);
  return one;
}

/** The styles of Mantine's other components: they come with the first part. */
const fetchStyles = (): Promise<unknown> => import("./laterStyles");

/** Fetches all parts that come ahead. One that fails is fetched again when it is needed. */
export async function loadAhead(): Promise<void> {
  await Promise.all(ahead.map((one) => one.load().catch(() => null)));
}

/** Whether the first picture of a slide or the list of the gallery is shown, or the page shows neither: what is not needed for it waits for this. */
export const firstPicture = createStore<{ readonly shown: boolean }>(() => ({ shown: false }));

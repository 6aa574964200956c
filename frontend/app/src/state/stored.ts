/** What a user chose and this browser remembers. */
import { type StoreApi, createStore } from "zustand/vanilla";

/** Of what a browser has stored, each field that `read` finds good. */
type Read<T> = (known: Partial<Record<keyof T, unknown>>) => T;

/** Begins with what is stored under a name, and stores each change. Where a browser forbids storage, it lives as long as the page. */
export function storedState<T extends object>(name: string, read: Read<T>): StoreApi<T> {
  const store = createStore<T>(() => {
    try {
      return readStored(localStorage.getItem(name), read);
    } catch {
      return read({});
    }
  });
  store.subscribe((now) => {
    try {
      localStorage.setItem(name, JSON.stringify(now));
    } catch {
      return;
    }
  });
  return store;
}

/** A text that is missing or damaged has nothing that is known. */
export function readStored<T>(text: string | null, read: Read<T>): T {
  try {
    return read(JSON.parse(text ?? "{}") as Parameters<Read<T>>[0]);
  } catch {
    return read({});
  }
}

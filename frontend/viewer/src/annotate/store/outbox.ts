/** Unsent changes, stored in the tab so that a reload does not lose them (annotations.md, AN11). */
import { type Content, parseContent, writeContent } from "@wavescope/core/wire/annotations/annotations";
import type { Waiting } from "./ledger";

export interface Outbox {
  read(): Waiting[];
  write(waiting: readonly Waiting[]): void;
}

const MAX_WAITING = 2000; // more would not fit: the page asks before it is left instead

export function tabOutbox(slide: string): Outbox {
  const key = `wavescope.annotations.${slide}`;
  return {
    read: () => {
      try {
        const stored = JSON.parse(sessionStorage.getItem(key) ?? "[]") as {
          id: string;
          mine: unknown;
          revision: number;
          base: unknown;
          turned?: boolean;
        }[];
        return stored.map(({ id, mine, revision, base, turned }) => ({
          id,
          mine: read(mine),
          ...(turned === true && { turned }),
          base: { revision, content: read(base) },
        }));
      } catch {
        return [];
      }
    },
    write: (waiting) => {
      try {
        if (waiting.length === 0 || waiting.length > MAX_WAITING) return sessionStorage.removeItem(key);
        const stored = waiting.map(({ id, mine, base, turned }) => ({
          id,
          turned,
          mine: write(mine),
          revision: base.revision,
          base: write(base.content),
        }));
        sessionStorage.setItem(key, JSON.stringify(stored));
      } catch {
        return; // no storage, or full: the page asks before it is left
      }
    },
  };
}

const read = (value: unknown): Content | null => (value === null || value === undefined ? null : parseContent(value));
const write = (content: Content | null): unknown => content && writeContent(content);

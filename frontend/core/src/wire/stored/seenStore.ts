/** What one user saw of slides, as texts in this browser (CV7): of a few slides, and of one user at a time. */
import { slideStore } from "./slideStore";

const AGREED = "wavescope.seenAgreed";
const OWNER = "wavescope.seenBy";
/** The slides, the latest first; below it, their texts. */
const ORDER = "wavescope.seen";
const MAX_SLIDES = 20;

const keyOf = (slide: string): string => `${ORDER}.${slide}`;

/** Null where nothing is kept, or it is nobody's. What another user left is deleted. */
export function readSeen(slide: string): string | null {
  return attempt(() => {
    if (localStorage.getItem(OWNER) !== slideStore.owner) forgetSeen();
    return slideStore.owner === null ? null : localStorage.getItem(keyOf(slide));
  });
}

export function writeSeen(slide: string, text: string): void {
  attempt(() => {
    const { owner } = slideStore;
    if (owner === null) return;
    if (localStorage.getItem(OWNER) !== owner) forgetSeen();
    const order = [slide, ...keptSlides().filter((other) => other !== slide)];
    for (const old of order.splice(MAX_SLIDES)) localStorage.removeItem(keyOf(old));
    localStorage.setItem(OWNER, owner);
    localStorage.setItem(ORDER, JSON.stringify(order));
    localStorage.setItem(keyOf(slide), text);
  });
}

/** Whether the user agreed that it is stored with the account; null: not known here. */
export function agreed(): boolean | null {
  return attempt(() => {
    const kept = localStorage.getItem(OWNER) === slideStore.owner ? localStorage.getItem(AGREED) : null;
    return kept === null ? null : kept === "yes";
  });
}

export function noteAgreed(yes: boolean): void {
  attempt(() => {
    const { owner } = slideStore;
    if (owner === null) return;
    if (localStorage.getItem(OWNER) !== owner) forgetSeen();
    localStorage.setItem(OWNER, owner);
    localStorage.setItem(AGREED, yes ? "yes" : "no");
  });
}

/** Of all slides: when the user signs out, or asks for it. */
export function forgetSeen(): void {
  attempt(() => {
    for (const slide of keptSlides()) localStorage.removeItem(keyOf(slide));
    localStorage.removeItem(ORDER);
    localStorage.removeItem(OWNER);
    localStorage.removeItem(AGREED);
  });
}

function keptSlides(): string[] {
  const kept = attempt<unknown>(() => JSON.parse(localStorage.getItem(ORDER) ?? "[]"));
  return Array.isArray(kept) ? kept.filter((slide) => typeof slide === "string") : [];
}

/** Browsers may forbid storage, or have no more. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** What one user saw of slides, in this browser (CV7): a text for each of a few slides, and which others were seen. Of one user at a time. */
import { slideStore } from "./slideStore";

const AGREED = "wavescope.seenAgreed";
const OWNER = "wavescope.seenBy";
const REVIEWED = "wavescope.reviewed";
/** The slides that were seen, the latest first; below it, the texts of the first of them. */
const ORDER = "wavescope.seen";
const MAX_TEXTS = 20;
const MAX_SLIDES = 1000;

const keyOf = (slide: string): string => `${ORDER}.${slide}`;

/** Null where nothing is kept, or it is nobody's. What another user left is deleted. */
export function readSeen(slide: string): string | null {
  return attempt(() => {
    if (localStorage.getItem(OWNER) !== slideStore.owner) forgetSeen();
    return slideStore.owner === null ? null : localStorage.getItem(keyOf(slide));
  });
}

/** The slides that the user has seen anything of, the latest first. */
export function slidesSeen(): readonly string[] {
  return attempt(() => (localStorage.getItem(OWNER) === slideStore.owner ? keptSlides() : null)) ?? [];
}

/** Null: the slide was not seen after all. */
export function writeSeen(slide: string, text: string | null): void {
  attempt(() => {
    if (!own()) return;
    const others = keptSlides().filter((other) => other !== slide);
    const order = text === null ? others : [slide, ...others];
    for (const old of order.slice(MAX_TEXTS)) localStorage.removeItem(keyOf(old));
    localStorage.setItem(ORDER, JSON.stringify(order.slice(0, MAX_SLIDES)));
    if (text === null) localStorage.removeItem(keyOf(slide));
    else localStorage.setItem(keyOf(slide), text);
  });
}

/** When the user marked slides as reviewed, in seconds since 1970. */
export function slidesReviewed(): Readonly<Record<string, number>> {
  const kept = attempt<unknown>(() =>
    localStorage.getItem(OWNER) === slideStore.owner ? JSON.parse(localStorage.getItem(REVIEWED) ?? "{}") : null,
  );
  const entries = Object.entries(kept ?? {}).filter((entry): entry is [string, number] => Number.isFinite(entry[1]));
  return Object.fromEntries(entries);
}

/** Null: the slide is not reviewed after all. */
export function noteReviewed(slide: string, at: number | null): void {
  attempt(() => {
    if (!own()) return;
    const { [slide]: _, ...others } = slidesReviewed();
    const marks = at === null ? others : { ...others, [slide]: at };
    const latest = Object.entries(marks).toSorted(([, one], [, other]) => other - one);
    localStorage.setItem(REVIEWED, JSON.stringify(Object.fromEntries(latest.slice(0, MAX_SLIDES))));
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
    if (own()) localStorage.setItem(AGREED, yes ? "yes" : "no");
  });
}

/** Of all slides: when the user signs out, or asks for it. */
export function forgetSeen(): void {
  attempt(() => {
    for (const slide of keptSlides()) localStorage.removeItem(keyOf(slide));
    localStorage.removeItem(ORDER);
    localStorage.removeItem(OWNER);
    localStorage.removeItem(AGREED);
    localStorage.removeItem(REVIEWED);
  });
}

/** Whether there is a user to keep anything for; what another one left is deleted. */
function own(): boolean {
  const { owner } = slideStore;
  if (owner === null) return false;
  if (localStorage.getItem(OWNER) !== owner) forgetSeen();
  localStorage.setItem(OWNER, owner);
  return true;
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

// What a person does in a browser of any make: waits until something is there, presses it, writes.
import { setTimeout as sleep } from "node:timers/promises";
import type { Tab } from "./engine.ts";

const WAIT_MILLISECONDS = 30_000;
const POLL_MILLISECONDS = 50;

/** Asks the page again and again until the answer is neither false nor null; fails with the last error. */
export async function until<A extends unknown[], R>(
  tab: Tab,
  what: string,
  script: (...args: A) => R,
  ...args: A
): Promise<NonNullable<Awaited<R>>> {
  let last: unknown = "";
  for (const end = Date.now() + WAIT_MILLISECONDS; Date.now() < end; await sleep(POLL_MILLISECONDS)) {
    try {
      const answer = await tab.evaluate(script, ...args);
      if (answer !== false && answer !== null && answer !== undefined) return answer;
    } catch (error) {
      last = error; // the page may be between two documents
    }
  }
  throw new Error(`waited in vain: ${what} ${String(last)}`);
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The middle of the first element of that name which nothing covers; null if there is none yet or it moves. Runs in the page. */
async function placeOf(selector: string, name: string | null): Promise<Place | null> {
  const middle = (element: Element): Place & { size: number } => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2, size: width * height };
  };
  const nameOf = (element: Element): string => {
    const label = (element as HTMLInputElement).labels?.[0]?.textContent;
    return (element.getAttribute("aria-label") ?? label ?? element.textContent ?? "").replace(/\s*\*$/, "").trim();
  };
  for (const element of document.querySelectorAll(selector)) {
    if (name !== null && nameOf(element) !== name) continue;
    element.scrollIntoView({ block: "nearest" });
    const before = middle(element);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const { x, y, size } = middle(element);
    if (size === 0 || x !== before.x || y !== before.y) continue;
    const top = document.elementFromPoint(x, y);
    if (top && (element.contains(top) || top.contains(element))) return { x, y };
  }
  return null;
}

/** Presses the first element that the selector finds, of that accessible name if one is given. */
export async function press(tab: Tab, selector: string, name: string | null = null): Promise<void> {
  const { x, y } = await until(tab, `${selector} ${name ?? ""}`, placeOf, selector, name);
  await pressAt(tab, x, y);
}

export async function pressAt(tab: Tab, x: number, y: number): Promise<void> {
  await tab.move(x, y);
  await tab.down();
  await tab.up();
}

/** Writes into the field of that label, which is empty. */
export async function write(tab: Tab, label: string, text: string): Promise<void> {
  await press(tab, "input, textarea", label);
  await tab.type(text);
  const reads = (sought: string) =>
    [...document.querySelectorAll<HTMLInputElement>("input, textarea")].some(({ value }) => value === sought);
  await until(tab, `"${text}" in ${label}`, reads, text);
}

/** Waits for an element, with that value of an attribute if one is given. */
export async function sees(tab: Tab, selector: string): Promise<void> {
  await until(tab, selector, (sought: string) => document.querySelector(sought) !== null, selector);
}

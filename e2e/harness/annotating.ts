// Annotations as a person makes them: by mouse on the viewer; and as the service stores them.
import { type Page, expect } from "@playwright/test";
import { openSlide } from "./microscope.ts";

export interface Content {
  readonly kind: string;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly name?: string;
  readonly text?: string;
  readonly class?: string;
  readonly plane?: { readonly z: number };
}

export interface Change {
  readonly id: string;
  readonly revision: number;
  readonly content: unknown;
}

export interface Stored {
  readonly id: string;
  readonly revision: number;
  readonly deleted: boolean;
  readonly content: Content | null;
}

/** Opens a slide with the panel of annotations, all of it loaded. */
export async function openAnnotations(page: Page, slide: string, at?: string): Promise<void> {
  await openSlide(page, slide, at);
  await page.getByRole("button", { name: "Annotations" }).click();
  await expect(page.getByTestId("side-panel")).toBeVisible();
  await saved(page);
}

export const state = (page: Page) => page.evaluate(() => window.__wavescope.annotations.state());
export const list = (page: Page) => page.evaluate(() => window.__wavescope.annotations.list());

/** Everything is drawn, and stored by the service. */
export async function saved(page: Page): Promise<void> {
  await expect(page.getByTestId("annotation-save")).toHaveAttribute("data-save", "saved");
  await page.waitForFunction(() => window.__wavescope.annotations.state().settled);
}

export const tool = (page: Page, name: string) =>
  page.getByTestId("annotation-tools").getByRole("button", { name, exact: true });

/** Where a level-0 point is on the screen. */
export async function onScreen(page: Page, l0_x: number, l0_y: number): Promise<{ x: number; y: number }> {
  const box = (await page.getByTestId("viewer").boundingBox())!;
  const at = await page.evaluate(([x, y]) => window.__wavescope.annotations.inViewer(x!, y!), [l0_x, l0_y]);
  return { x: box.x + at.x, y: box.y + at.y };
}

export type Points = readonly (readonly [number, number])[];

/** Presses at the first level-0 point, moves through the others, releases at the last. */
export async function drag(page: Page, points: Points): Promise<void> {
  const at = await Promise.all(points.map(([x, y]) => onScreen(page, x, y)));
  await page.mouse.move(at[0]!.x, at[0]!.y);
  await page.mouse.down();
  for (const { x, y } of at.slice(1)) await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up();
}

export async function click(page: Page, points: Points, modifiers: ("Shift" | "Alt")[] = []): Promise<void> {
  for (const key of modifiers) await page.keyboard.down(key);
  for (const [l0_x, l0_y] of points) {
    const { x, y } = await onScreen(page, l0_x, l0_y);
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
  }
  for (const key of modifiers) await page.keyboard.up(key);
}

/** Shows a level-0 rectangle and waits until nothing moves. */
/** Fits a part of the slide into the viewer, once the viewer has the size that an opened panel leaves it. */
export async function show(page: Page, l0_x: number, l0_y: number, l0_width: number, l0_height: number): Promise<void> {
  await page.waitForFunction(() => {
    const viewer = document.querySelector("[data-testid=viewer]")!;
    return Math.abs(viewer.querySelector("canvas")!.getBoundingClientRect().width - viewer.clientWidth) < 1;
  });
  await page.evaluate(
    ([x, y, w, h]) => window.__wavescope.viewport.fit(x!, y!, w!, h!),
    [l0_x, l0_y, l0_width, l0_height],
  );
  await page.evaluate(() => window.__wavescope.idle());
}

/** What the service keeps. */
export async function storedAnnotations(at: string, slide: string): Promise<Stored[]> {
  const answer = await fetch(`${at}/api/v1/slides/${slide}/annotations?limit=10000`);
  return ((await answer.json()) as { annotations: Stored[] }).annotations;
}

interface Outcome {
  readonly status: string;
  readonly annotation: Stored | null;
}

/** Makes changes; an object that another spec has deleted on this service is restored where it is to be created (AN7). */
export async function change(at: string, slide: string, changes: readonly Change[]): Promise<void> {
  const send = async (some: readonly Change[]): Promise<Outcome[]> => {
    const body = JSON.stringify({ changes: some });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${at}/api/v1/slides/${slide}/annotations:batch`, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { outcomes: Outcome[] }).outcomes;
  };
  const outcomes = await send(changes);
  const deleted = changes.flatMap((one, i) => {
    const { status, annotation } = outcomes[i]!;
    return status === "conflict" && annotation?.deleted ? [{ ...one, revision: annotation.revision }] : [];
  });
  const again = deleted.length > 0 ? await send(deleted) : [];
  const saved = [...outcomes, ...again].filter(({ status }) => status === "saved");
  expect(saved).toHaveLength(changes.length);
}

/** Deletes all objects of a slide. */
export async function clear(at: string, slide: string): Promise<void> {
  const there = await storedAnnotations(at, slide);
  for (let i = 0; i < there.length; i += 1000)
    await change(
      at,
      slide,
      there.slice(i, i + 1000).map(({ id, revision }) => ({ id, revision, content: null })),
    );
}

/**
 * Runs in the page before anything else: WebGL as drawn by the processor here is taken for a graphics card's, and its time is not measured:
 * the clock stands still from the first call of a frame to its end, however busy the machine is.
 */
export function pretendGraphicsCard(): void {
  for (const { prototype } of [HTMLCanvasElement, OffscreenCanvas] as { prototype: { getContext: unknown } }[]) {
    const real = prototype.getContext as (...all: unknown[]) => unknown;
    prototype.getContext = function (this: unknown, kind: string, options?: object) {
      return real.call(this, kind, { ...options, failIfMajorPerformanceCaveat: false });
    };
  }
  const { getParameter } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.getParameter = function (this: WebGL2RenderingContext, name: number) {
    const value: unknown = getParameter.call(this, name);
    return typeof value === "string" ? value.replace(/swiftshader|software/gi, "card") : value;
  };
  WebGL2RenderingContext.prototype.readPixels = () => undefined;
  const now = performance.now.bind(performance);
  let stopped: number | null = null;
  performance.now = () => stopped ?? now();
  const { clear } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.clear = function (mask) {
    stopped = now();
    queueMicrotask(() => (stopped = null));
    clear.call(this, mask);
  };
}

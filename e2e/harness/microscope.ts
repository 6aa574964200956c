// The running microscope as a test sees it: the page's own hooks (window.__wavescope), typed and without plumbing.
import { type Page, expect, test } from "@playwright/test";
import type { TestHooks } from "../../frontend/app/src/testHooks.ts";
import { dropSlide, slideAddress } from "./exports.ts";
import { REGION_FILE, SLIDES } from "./globalSetup.ts";
import { DATA, realSlide } from "./service.ts";

declare global {
  interface Window {
    __wavescope: TestHooks;
    /** SHA-256 of RGBA bytes without alpha, and whether alpha was 255 everywhere. */
    hashOfRgb(rgba: Uint8ClampedArray): Promise<string>;
  }
}

/** The service that globalSetup started for this worker. */
export const address = (): string =>
  process.env.WAVESCOPE_E2E_ADDRESSES!.split(" ")[Number(process.env.TEST_PARALLEL_INDEX)]!;
export const store = (): string => process.env.WAVESCOPE_E2E_STORE!;

/** Side of a tile; the service, the kernel and the page have the same constant. */
export const TILE = 256;

export interface Tile {
  readonly z: number;
  readonly level: number;
  readonly x: number;
  readonly y: number;
}

/** The slides that what a person does is tried on; the real one is skipped, loudly, where the data is not. */
export const LOOKED_AT = [SLIDES.specimen, SLIDES.region];

export function needs(slide: string): void {
  test.skip(slide === SLIDES.region && !realSlide(REGION_FILE), `no test data: ${REGION_FILE} is not in ${DATA}`);
}

/** Opens a slide by its address and waits until it is exact. */
export async function openSlide(page: Page, slide: string, at = address(), query = ""): Promise<void> {
  await page.addInitScript(installHash);
  await page.goto(slideAddress(slide, at, query));
  await dropSlide(page, slide);
  await slideIsOpen(page);
}

export async function slideIsOpen(page: Page): Promise<void> {
  await page.waitForFunction(slideIsKnown);
  await idle(page);
}

/** Whether the page has a slide open, drawn or not. Runs in the page. */
export function slideIsKnown(): boolean {
  try {
    return window.__wavescope.page === "slide" && window.__wavescope.slide().width > 0;
  } catch {
    return false;
  }
}

/** The picture is as good as it becomes, and what the page loads after it is here. */
export const idle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await window.__wavescope.idle();
    await window.__wavescope.complete();
  });
export const slideOf = (page: Page) => page.evaluate(() => window.__wavescope.slide());
export const tileState = (page: Page) => page.evaluate(() => window.__wavescope.tileState());
export const fidelity = (page: Page) => page.evaluate(() => window.__wavescope.fidelity());
export const counters = (page: Page) => page.evaluate(() => window.__wavescope.counters());
export const viewState = (page: Page) => page.evaluate(() => window.__wavescope.viewport.state());

/** Shows the whole slide. */
export const fitAll = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { width, height } = window.__wavescope.slide();
    window.__wavescope.viewport.fit(0, 0, width, height);
  });

export async function expectExact(page: Page): Promise<void> {
  await idle(page);
  expect(await fidelity(page)).toBe("exact");
}

/** `hashOfRgb`, for `addInitScript`. Runs in the page. */
export function installHash(): void {
  window.hashOfRgb = async (rgba) => {
    const rgb = new Uint8Array((rgba.length / 4) * 3);
    for (let i = 0, j = 0; i < rgba.length; i += 4) {
      if (rgba[i + 3] !== 255) return `alpha ${rgba[i + 3]} at byte ${i}`;
      rgb[j++] = rgba[i]!;
      rgb[j++] = rgba[i + 1]!;
      rgb[j++] = rgba[i + 2]!;
    }
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", rgb));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  };
}

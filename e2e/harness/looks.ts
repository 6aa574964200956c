// How a state looks at the four sizes: what is cut off or covered, found by machine, and a picture of each for the eye; and what axe
// says of it in either colour scheme.
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type Page, expect, test } from "@playwright/test";
import { expectNothingSeriousInEither } from "./axe.ts";
import { faultsInSight } from "./faultsInSight.ts";
import { SPOKEN } from "./language.ts";
import { ROOT } from "./service.ts";

const FOLDER = join(ROOT, "e2e", "test-results", SPOKEN ? `screenshots-${SPOKEN}` : "screenshots");

export const SIZES = {
  desktop: { width: 1920, height: 1080 },
  laptop: { width: 1366, height: 768 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
} as const;

/** Whether all sizes are tested and pictures are stored; otherwise only a laptop and a phone, in a fraction of the time. */
export const SCREENSHOTS = process.env.WAVESCOPE_SCREENSHOTS === "1";
const USUAL = ["laptop", "phone"];
/** At which a state is come to. */
export const START = SCREENSHOTS ? SIZES.desktop : SIZES.laptop;

/** A picture for people to look at, only where pictures are stored; in another language what is wrong is found, too, at every size. */
export async function storePicture(page: Page, path: string): Promise<void> {
  if (SPOKEN) {
    const state = `${basename(test.info().file, ".spec.ts")}-${basename(path, ".png")}`;
    expect.soft(await lookAt(page, state), state).toEqual([]);
  } else if (SCREENSHOTS) await page.screenshot({ path });
}

/** The same in the dark scheme; the page is light again then. Colours are the same in every language. */
async function storeDarkPicture(page: Page, path: string): Promise<void> {
  if (!SCREENSHOTS || SPOKEN) return;
  await page.emulateMedia({ colorScheme: "dark" });
  await page.evaluate(settled);
  await page.screenshot({ path });
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate(settled);
}

/** Shows what is open at each size; answers what was found wrong, each with its state and size. Pictures: e2e/test-results/screenshots[-LANGUAGE]/STATE-SIZE.png, and the same in dark. */
export async function lookAt(page: Page, state: string): Promise<string[]> {
  mkdirSync(FOLDER, { recursive: true });
  const found: string[] = [];
  const before = page.viewportSize() ?? START;
  for (const [size, viewport] of Object.entries(SIZES)) {
    if (!SCREENSHOTS && !USUAL.includes(size)) continue;
    await page.setViewportSize(viewport);
    await page.evaluate(settled);
    for (const fault of await page.evaluate(faultsInSight))
      found.push(`${state} at ${viewport.width} x ${viewport.height}: ${fault}`);
    if (SCREENSHOTS) await page.screenshot({ path: join(FOLDER, `${state}-${size}.png`) });
    await storeDarkPicture(page, join(FOLDER, `${state}-${size}-dark.png`));
  }
  await page.setViewportSize(SPOKEN ? before : START);
  return found;
}

type Way = (page: Page) => Promise<void>;

interface Stop {
  readonly way: Way;
  /** Whether axe reads it, in either scheme. */
  readonly read?: boolean;
  /** Whether the way begins where the state before it is, without another load. */
  readonly next?: boolean;
}

/** States by name, and how a page comes to each. */
export type Ways = Readonly<Record<string, Way | Stop>>;

export const read = (way: Way): Stop => ({ way, read: true });
export const next = (way: Way): Stop => ({ way, next: true });
export const readNext = (way: Way): Stop => ({ way, read: true, next: true });

/** Comes to each state in one page, which forgets before each load what it keeps open. */
export async function lookAtAll(page: Page, ways: Ways): Promise<void> {
  test.setTimeout(SCREENSHOTS ? 360_000 : 180_000);
  for (const [state, stop] of Object.entries(ways)) {
    const { way, read = false, next = false } = typeof stop === "function" ? { way: stop } : stop;
    await test.step(state, async () => {
      if (!next) {
        await page.evaluate(() => sessionStorage.clear()).catch(() => undefined); // nothing is open yet
        await page.unrouteAll();
        await page.goto("about:blank"); // the next may differ by its place alone
      }
      await way(page);
      if (read && !SPOKEN) await expectNothingSeriousInEither(page, state);
      expect.soft(await lookAt(page, state), state).toEqual([]);
    });
  }
}

export const pressed = (page: Page, name: string | RegExp): Promise<void> =>
  page
    .getByRole("button", { name, exact: typeof name === "string" })
    .first()
    .click();

/** Closes what is open over the page. */
export async function closed(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("menu")).toHaveCount(0);
}

/** Until what follows the size has followed, pictures are there and nothing moves. Runs in the page. */
export async function settled(): Promise<void> {
  const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  const pictures = [...document.images].filter((one) => one.getBoundingClientRect().top < innerHeight);
  await Promise.all(pictures.map((one) => one.decode().catch(() => undefined)));
  const hooks = window.__wavescope as Partial<typeof window.__wavescope> | undefined;
  if (hooks?.page === "slide") await hooks.idle?.();
  if (hooks?.page === "compare" && hooks.comparison)
    await Promise.all([hooks.comparison[0]!.idle(), hooks.comparison[1]!.idle()]);
  const moving = document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity);
  await Promise.all(moving.map((one) => one.finished.catch(() => undefined)));
  await frame();
}

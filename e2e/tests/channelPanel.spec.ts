// The channel panel on screens of all sizes, by touch, and by keyboard alone.
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expectNothingSerious, expectNothingSeriousInEither } from "../harness/axe.ts";
import { faultsInSight } from "../harness/faultsInSight.ts";
import { openSlide } from "../harness/microscope.ts";
import { Service, removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

const SLIDE = "many";
const folder = temporaryFolder();
let service: Service;

test.use({ contextOptions: { reducedMotion: "reduce" } });

test.beforeAll(async () => {
  const store = join(folder, "store");
  wavescope(store, ["ingest", "specimen:400x300?seed=5&channels=12", "--id", SLIDE, "--quality", "lossless"]);
  service = await Service.start(store);
});

test.afterAll(async () => {
  await service.stop();
  removeFolder(folder);
});

async function openPanel(page: Page) {
  await openSlide(page, SLIDE, service.address);
  await page.keyboard.press("l");
  const panel = page.getByTestId("channels");
  await expect(panel.getByTestId("histogram")).toHaveCount(4);
  return panel;
}

/** Moves the focus by Tab until the element with this name has it. */
async function tabTo(page: Page, name: string): Promise<void> {
  const reached = (): Promise<boolean> =>
    page.evaluate((wanted) => {
      const at = document.activeElement as HTMLInputElement | null;
      return (at?.getAttribute("aria-label") ?? at?.labels?.[0]?.textContent ?? at?.textContent) === wanted;
    }, name);
  for (let presses = 0; presses < 80; presses++) {
    if (await reached()) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${name}`);
}

test.describe("at 1920 x 1080", () => {
  test.use({ viewport: { width: 1920, height: 1080 } });

  test("all of it is reached and worked by keys alone", async ({ page }, info) => {
    const panel = await openPanel(page);
    await page.screenshot({ path: info.outputPath("light.png") });
    await expectNothingSeriousInEither(page, "the channel panel");
    const cd8 = panel.getByRole("checkbox", { name: "CD8", exact: true });
    await tabTo(page, "Next mix");
    await page.keyboard.press("Enter");
    await expect(cd8).not.toBeChecked();
    await page.keyboard.press("Control+z");
    await expect(cd8).toBeChecked();
    await tabTo(page, "CD8");
    await page.keyboard.press("Space");
    await expect(cd8).not.toBeChecked();
    await page.keyboard.press("Control+z");
    await expect(cd8).toBeChecked();
    const window = panel.getByTestId("channel").filter({ hasText: "CD8" }).first().getByTestId("window");
    const before = await window.textContent();
    await tabTo(page, "White point of CD8");
    await page.keyboard.press("ArrowLeft");
    await expect(window).not.toHaveText(before!);
    await page.keyboard.press("Control+z");
    await expect(window).toHaveText(before!);
    await page.keyboard.press("Control+Shift+z");
    await expect(window).not.toHaveText(before!);
  });
});

/**
 * Runs in the page. Names of what a finger misses that touches 21 pixels beside its middle; a touch on the name of a box is one on it.
 * What is scrolled out of sight is no fault, nor a touch outside of what scrolls.
 */
function smallTargets(panel: Element): string[] {
  let body = panel;
  while (body.parentElement && getComputedStyle(body).overflowY !== "auto") body = body.parentElement;
  const sight = body.getBoundingClientRect();
  const meets = (one: Element, x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y);
    return one.contains(hit) || hit?.closest("label")?.control === one;
  };
  const small = (one: Element): boolean => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    if (width === 0 || !meets(one, x, y)) return false;
    return [
      [-21, 0],
      [21, 0],
      [0, -21],
      [0, 21],
    ].some(([right, down]) => {
      const inSight = y + down! > sight.top && y + down! < sight.bottom;
      return inSight && !meets(one, x + right!, y + down!);
    });
  };
  const nameOf = (one: Element): string =>
    one.getAttribute("aria-label") ?? (one as HTMLInputElement).labels?.[0]?.textContent ?? one.textContent;
  const all = panel.querySelectorAll("button, input:not([type=hidden]):enabled");
  return [...all].filter(small).map(nameOf);
}

for (const [size, viewport] of [
  ["1920x1080", { width: 1920, height: 1080 }],
  ["820x1180", { width: 820, height: 1180 }],
  ["390x844", { width: 390, height: 844 }],
] as const) {
  const touch = size !== "1920x1080";
  test.describe(`the panel at ${size}`, () => {
    test.use({ viewport, hasTouch: touch, isMobile: touch });

    test("is clean and in sight, its names are not cut off, and it is worked by touch", async ({ page }, info) => {
      const panel = await openPanel(page);
      await page.evaluate(() => window.__wavescope.idle());
      for (const scheme of ["light", "dark"] as const) {
        await page.evaluate((one) => document.documentElement.setAttribute("data-mantine-color-scheme", one), scheme);
        await page.screenshot({ path: info.outputPath(`${size}-${scheme}.png`) });
        await expectNothingSerious(page, `the channel panel, ${scheme}`);
      }
      expect(await page.evaluate(faultsInSight)).toEqual([]);
      const mix = panel.getByRole("combobox", { name: "Mix" });
      const shownMix = await mix.inputValue();
      const names: string[] = [];
      do {
        await panel.getByRole("button", { name: "Next mix" }).click();
        names.push(await mix.inputValue());
        expect(await mix.evaluate((field) => field.scrollWidth - field.clientWidth), names.at(-1)).toBeLessThanOrEqual(
          0,
        );
      } while (names.at(-1) !== shownMix && names.length < 9);
      expect(new Set(names).size).toBe(4);
      await panel.getByRole("button", { name: "Next mix" }).click();
      const cd8 = panel.getByRole("checkbox", { name: "CD8", exact: true });
      await expect(cd8).not.toBeChecked();
      await panel.getByRole("button", { name: "Undo" }).click();
      await expect(cd8).toBeChecked();
      if (!touch) return;
      expect(await panel.evaluate(smallTargets)).toEqual([]);
      await cd8.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await cd8.boundingBox())!;
      await page.touchscreen.tap(x + width / 2, y + height / 2 + 20); // beside the box itself
      await expect(cd8).not.toBeChecked();
      await mix.tap();
      await expect(page.getByRole("option").first()).toBeVisible();
      await page.screenshot({ path: info.outputPath(`${size}-mixes.png`) });
    });
  });
}

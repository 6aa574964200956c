// The channel panel by touch on a phone, and by keyboard alone.
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
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

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("nothing is cut off, all can be tapped", async ({ page }, info) => {
    const panel = await openPanel(page);
    await page.screenshot({ path: info.outputPath("light.png") });
    await expectNothingSeriousInEither(page, "the channel panel");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.screenshot({ path: info.outputPath("dark.png") });
    expect(await page.evaluate(faultsInSight)).toEqual([]);
    const low = await panel
      .getByRole("button")
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent));
    expect(low).toEqual([]);
    await panel.getByRole("button", { name: "Next mix" }).tap();
    await expect(panel.getByRole("checkbox", { name: "CD8", exact: true })).not.toBeChecked();
    await panel.getByRole("button", { name: "Undo" }).tap();
    await expect(panel.getByRole("checkbox", { name: "CD8", exact: true })).toBeChecked();
  });
});

// A mouse, a trackpad and two fingers on the picture: what each of them does there, and that it moves the slide.
import { type Page, expect } from "@playwright/test";
import { pinch } from "./fingers.ts";

/** Events of a trackpad in one stroke. */
const STROKE = 16;

/** A stream of small movements, as a trackpad sends them; those of a pinch come with Ctrl. */
export async function trackpad(page: Page, x: number, y: number, down: number, pinched = false): Promise<void> {
  await page.mouse.move(x, y);
  if (pinched) await page.keyboard.down("Control");
  for (let i = 0; i < STROKE; i++) await page.mouse.wheel(0, down / STROKE);
  if (pinched) await page.keyboard.up("Control");
}

/** The corner and the scale of the slide, or of the first of several. */
const view = (page: Page) =>
  page.evaluate(() => {
    const { comparison, viewport } = window.__wavescope;
    const { l0_x, l0_y, scale } = (comparison?.[0]?.viewport ?? viewport).state();
    return { l0_x, l0_y, scale };
  });

/** Each of them moves the slide: dragged with a button of the mouse, zoomed by a trackpad in two ways, zoomed by two fingers. */
export async function useAllHands(page: Page, viewer = "viewer", button: "left" | "middle" = "left"): Promise<void> {
  const box = (await page.getByTestId(viewer).boundingBox())!;
  const [x, y] = [Math.round(box.x + 0.4 * box.width), Math.round(box.y + 0.5 * box.height)];
  const changes = async (what: keyof Awaited<ReturnType<typeof view>>, hand: () => Promise<void>): Promise<void> => {
    const before = await view(page);
    await hand();
    await expect.poll(async () => (await view(page))[what], { message: what }).not.toBeCloseTo(before[what], 4);
    await page.waitForFunction(() => {
      const { comparison, idle } = window.__wavescope;
      return Promise.all(comparison?.map((pane) => pane.idle()) ?? [idle()]).then(() => true);
    });
  };
  await changes("l0_x", async () => {
    await page.mouse.move(x, y);
    await page.mouse.down({ button });
    await page.mouse.move(x - 60, y - 30, { steps: 6 });
    await page.mouse.up({ button });
  });
  await changes("scale", () => trackpad(page, x, y, -80));
  await changes("scale", () => trackpad(page, x, y, 80, true));
  await changes("scale", () => pinch(page, x, y));
}

// A mouse, a trackpad and two fingers: on the picture, where each of them moves the slide, and on what has no picture, where they scroll.
import { type Locator, type Page, expect } from "@playwright/test";
import { fingers, pinch } from "./fingers.ts";

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

/** How far what scrolls around or in an element is scrolled, and how far it can be. */
const scrolled = (over: Locator) =>
  over.evaluate((element) => {
    const all = [element, ...element.querySelectorAll("*"), document.scrollingElement!];
    const moved = all.filter((one) => one.scrollHeight > one.clientHeight + 1 && one.scrollTop > 0);
    const style = (one: Element): string => getComputedStyle(one).overflowY;
    const rolls = (one: Element): boolean => one === document.scrollingElement || /auto|scroll/.test(style(one));
    for (let one = element.parentElement; one; one = one.parentElement) all.push(one);
    const longer = all.some((one) => rolls(one) && one.scrollHeight > one.clientHeight + 1);
    return { top: Math.max(0, ...moved.map((one) => one.scrollTop)), longer };
  });

/** A trackpad and two fingers scroll what has no picture, where it is longer than the window; two fingers apart and back leave all as it was. */
export async function useAllHandsBeside(page: Page, over: Locator): Promise<void> {
  const box = (await over.boundingBox())!;
  const size = page.viewportSize()!;
  const middle = (from: number, length: number, end: number): number =>
    Math.round((Math.max(0, from) + Math.min(end, from + length)) / 2);
  const [x, y] = [middle(box.x, box.width, size.width), middle(box.y, box.height, size.height)];
  const pair = (half: number, down = 0) => [[x - half, y + down] as const, [x + half, y + down] as const];
  const { longer } = await scrolled(over);
  const expectTop = (is: "down" | "top"): Promise<void> =>
    expect.poll(async () => ((await scrolled(over)).top > 0 ? "down" : "top")).toBe(longer ? is : "top");
  await trackpad(page, x, y, 160);
  await expectTop("down");
  await trackpad(page, x, y, -1600);
  await expectTop("top");
  await fingers(page, pair(40, 60), pair(40, -60));
  await expectTop("down");
  await trackpad(page, x, y, -1600);
  await expectTop("top");
  await fingers(page, pair(40), pair(60));
  await fingers(page, pair(60), pair(40));
  await expect.poll(() => page.evaluate(() => Math.round((visualViewport?.scale ?? 1) * 10))).toBe(10);
}

// Three and four slides: linked and free, laid out for each window, added and removed, swiped two at a time, laid by landmarks.
import type { Page } from "@playwright/test";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { centreOf, comparisonIdle, comparisonIsOpen, drag, seenInAll } from "../harness/comparison.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { address } from "../harness/microscope.ts";
import { expect, test } from "../harness/test.ts";

test.use({ viewport: { width: 1366, height: 768 }, contextOptions: { reducedMotion: "reduce" } });

const PANES = ["A", "B", "C", "D"] as const;

async function open(page: Page, count: number, rest = ""): Promise<void> {
  const ids = Array.from({ length: count }, (_, i) => (i % 2 ? SLIDES.planes : SLIDES.specimen));
  await page.goto(`${address()}/compare?${ids.map((id) => `slide=${id}`).join("&")}${rest}`);
  await comparisonIsOpen(page);
}

const boxOf = async (page: Page, pane: string) => (await page.getByTestId(`viewer-${pane}`).boundingBox())!;

for (const pane of PANES)
  test(`all others follow ${pane}, by the mouse; free, none does (PG90)`, async ({ page }) => {
    await open(page, 4);
    const before = await seenInAll(page);
    await drag(page, pane, 60, 40);
    const after = await seenInAll(page);
    const moves = after.map((now, i) => centreOf(now).map((at, axis) => at - centreOf(before[i]!)[axis]!));
    for (const [x, y] of moves) {
      expect(x! * after[0]!.scale).toBeCloseTo(-60, -0.5);
      expect(y! * after[0]!.scale).toBeCloseTo(-40, -0.5);
      expect(x).toBeCloseTo(moves[0]![0]!, 3);
    }
    await page.keyboard.press("l");
    await drag(page, pane, -30, -20);
    const free = await seenInAll(page);
    expect(free.filter((now, i) => now.l0_x !== after[i]!.l0_x)).toHaveLength(1);
    await expect(page).toHaveURL(/#a\.x=.*&b\.x=.*&c\.x=.*&d\.x=.*&link=off/);
  });

test("a wheel and two fingers zoom all of them, and a reload brings all of it back (PG90)", async ({ page }) => {
  await open(page, 3);
  const scales = async () => (await seenInAll(page)).map(({ scale }) => scale);
  const [start] = await scales();
  const box = await boxOf(page, "C");
  const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -480);
  await expect.poll(async () => (await scales())[0]).toBeGreaterThan(1.2 * start!);
  const link = await page.context().newCDPSession(page);
  const touch = (type: string, apart: number) =>
    link.send("Input.dispatchTouchEvent", {
      type: type as "touchStart",
      touchPoints: type === "touchEnd" ? [] : [-1, 1].map((way, id) => ({ x: x + way * apart, y, id })),
    });
  const [zoomed] = await scales();
  await touch("touchStart", 40);
  for (let apart = 46; apart <= 90; apart += 4) await touch("touchMove", apart);
  await touch("touchEnd", 0);
  await expect.poll(async () => (await scales())[0]).toBeGreaterThan(1.3 * zoomed!);
  await comparisonIdle(page);
  const found = await scales();
  expect(found[1]! / found[0]!).toBeCloseTo(1, 6);
  expect(found[2]! / found[0]!).toBeCloseTo(1, 6);
  const before = await seenInAll(page);
  await expect(page).toHaveURL(/&link=/);
  await page.waitForTimeout(400); // the address is written once the view rests
  await page.reload();
  await comparisonIsOpen(page);
  for (const [i, now] of (await seenInAll(page)).entries())
    for (const axis of [0, 1] as const) expect(centreOf(now)[axis]).toBeCloseTo(centreOf(before[i]!)[axis], 0);
});

test("slides are added and removed by keys and the mouse; the others stay as they lie (PG91)", async ({ page }) => {
  await open(page, 2, "#a.x=1450&a.y=1100&a.scale=0.4&b.x=900&b.y=700&b.scale=0.4&b.rotation=30");
  await page.getByTestId("viewer-A").focus();
  await page.keyboard.press("Shift+C");
  await page.getByRole("searchbox", { name: "Search slides" }).fill(SLIDES.planes);
  await page.getByTestId("slide-choices").getByRole("button").first().press("Enter");
  await page.waitForFunction(() => window.__wavescope.comparison?.length === 3);
  await comparisonIdle(page);
  const three = await seenInAll(page);
  expect(three[1]!.rotation).toBeCloseTo(30, 3);
  expect(centreOf(three[1]!).map(Math.round)).toEqual([900, 700]);
  await page.getByRole("button", { name: "Add a slide" }).click();
  await page.locator(`[data-testid=slide-choices] [data-slide-id="${SLIDES.fiducial}"]`).click();
  await page.waitForFunction(() => window.__wavescope.comparison?.length === 4);
  await comparisonIdle(page);
  await expect(page.getByRole("button", { name: "Add a slide" })).toBeHidden();
  await page.getByRole("button", { name: "Remove A from the comparison" }).click();
  await page.waitForFunction(() => window.__wavescope.comparison?.length === 3);
  await comparisonIdle(page);
  const left = await seenInAll(page);
  expect(left[0]!.rotation).toBeCloseTo(30, 3);
  expect(centreOf(left[0]!).map(Math.round)).toEqual([900, 700]);
  await page.goBack();
  await page.waitForFunction(() => window.__wavescope.comparison?.length === 4);
});

test("any two are swiped; the others wait (PG90)", async ({ page }) => {
  await open(page, 3);
  await page.getByText("Swipe", { exact: true }).click();
  await expect(page.getByRole("region", { name: /^C: / })).toBeHidden();
  await page.getByRole("combobox", { name: "Slides to swipe" }).selectOption("B | C");
  await expect(page.getByRole("region", { name: /^A: / })).toBeHidden();
  await expect(page.getByTestId("divider")).toContainText("B");
  await expect(page).toHaveURL(/mode=swipe#.*swiped=bc/);
  const before = await seenInAll(page);
  await page.mouse.move(1000, 500);
  await page.mouse.down();
  await page.mouse.move(1050, 530, { steps: 5 });
  await page.mouse.up();
  await comparisonIdle(page);
  const after = await seenInAll(page);
  expect(after[0]).toEqual(before[0]);
  expect(after[1]!.l0_x).not.toBe(before[1]!.l0_x);
  await page.keyboard.press("s");
  await comparisonIdle(page);
  expect((await seenInAll(page))[0]!.l0_x).not.toBe(before[0]!.l0_x);
});

test("landmarks lay each slide on the first one, by keys (RE12)", async ({ page }) => {
  const views = [
    [1000, 900],
    [1040, 880],
    [1100, 940],
  ].map(([x, y], i) => `${"abc"[i]}.x=${x}&${"abc"[i]}.y=${y}&${"abc"[i]}.scale=0.2`);
  const ids = Array<string>(3).fill(SLIDES.specimen);
  await page.goto(`${address()}/compare?${ids.map((id) => `slide=${id}`).join("&")}#${views.join("&")}`);
  await comparisonIsOpen(page);
  await page.keyboard.press("Shift+L");
  for (const pane of ["A", "B", "C"]) {
    await page.getByTestId(`viewer-${pane}`).focus();
    await page.keyboard.press("m");
  }
  await expect(page.getByTestId("fit")).toHaveText(["B: Shifted by one landmark", "C: Shifted by one landmark"]);
  await comparisonIdle(page);
  await expect(page.getByTestId("link-status")).toHaveText(/^Linked: B .*; C /);
  await expect(page).toHaveURL(/marks=1000,900,1040,880,1100,940/);
  await page.keyboard.press("Control+z");
  await expect(page.getByTestId("landmark-hint")).toContainText("on the slides C");
});

test("three slides are aligned automatically, each with what is left (RE10, RE12)", async ({ page }) => {
  test.setTimeout(300_000); // a registration takes 5 s of a processor that may have other work
  const views =
    "#a.x=1450&a.y=1165&a.scale=0.12&b.x=1300&b.y=1000&b.scale=0.11&b.rotation=40&c.x=1500&c.y=1200&c.scale=0.12&c.rotation=90";
  await page.goto(
    `${address()}/compare?slide=${SLIDES.specimen}&slide=${SLIDES.specimen}&slide=${SLIDES.fiducial}${views}`,
  );
  await comparisonIsOpen(page);
  await page.getByRole("button", { name: "Align automatically" }).click();
  const panel = page.getByTestId("alignment");
  await expect(panel.getByRole("group", { name: "Slide B" })).toContainText("Remaining distance", { timeout: 240_000 });
  await expect(panel.getByRole("group", { name: "Slide C" })).toContainText("The sections do not match");
  await comparisonIdle(page);
  const [A, B, C] = await seenInAll(page);
  expect(Math.hypot(centreOf(A!)[0] - centreOf(B!)[0], centreOf(A!)[1] - centreOf(B!)[1])).toBeLessThan(12);
  expect(C!.rotation).toBeCloseTo(90, 3); // as it lay
  await expectNothingSeriousInEither(page, "the alignment of three slides");
  await storePicture(page, "test-results/compare-three-aligned.png");
  await page.getByRole("button", { name: "Undo alignment" }).click();
  await expect(panel).toBeHidden();
});

for (const [width, height, columns] of [
  [1920, 1080, 2],
  [1366, 768, 2],
  [820, 1180, 2],
  [390, 844, 1],
] as const)
  for (const colorScheme of ["light", "dark"] as const)
    test.describe(`at ${width} x ${height}, ${colorScheme}`, () => {
      test.use({ viewport: { width, height }, colorScheme, hasTouch: width < 1000 });
      test("four and three slides are laid out and reached (PG90)", async ({ page }) => {
        await open(page, 4);
        const boxes = await Promise.all(PANES.map((pane) => boxOf(page, pane)));
        expect(new Set(boxes.map(({ x }) => Math.round(x))).size).toBe(columns);
        expect(Math.max(...boxes.map((box) => box.y + box.height))).toBeLessThanOrEqual(height);
        await storePicture(page, `test-results/compare-four-${width}-${colorScheme}.png`);
        if (colorScheme === "light") await expectNothingSeriousInEither(page, `four slides at ${width}`);
        await open(page, 3);
        await storePicture(page, `test-results/compare-three-${width}-${colorScheme}.png`);
      });
    });

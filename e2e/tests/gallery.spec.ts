// The gallery of 20,000 slides, which the test answers in place of a service: scrolled, selected by mouse, keys and fingers; searches that are saved; labels.
import type { Page, Route } from "@playwright/test";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { fingers } from "../harness/fingers.ts";
import { lookAt } from "../harness/looks.ts";
import { address } from "../harness/microscope.ts";
import { expect, test } from "../harness/test.ts";

const TOTAL = 20_000;
const STAINS = ["HE", "Ki-67", "PAS"];
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");

test.use({ serviceWorkers: "block" });

const summary = (number: number) => ({
  id: `slide-${number}`,
  title: `Slide ${number}`,
  digest: "d",
  created: "2026-01-01T00:00:00Z",
  updated: "2026-01-01T00:00:00Z",
  status: "ready",
  url: `/api/v1/slides/slide-${number}/v/d`,
  thumbnail: `/api/v1/slides/slide-${number}/v/d/thumbnail`,
  width: 40_000,
  height: 30_000,
  levels: 9,
  planes: 1,
  channels: 3,
  layers: 4,
  profile: "visual",
  mpp: { x: 0.25, y: 0.25 },
  scale: { origin: "file", at: null, by: null, line: null },
  objective_power: 40,
  vendor: "aperio",
  bytes: [[1 << 28]],
  tags: { stain: STAINS[number % 3]!, organ: "colon", block: "A1" },
  editable: number % 2 === 0,
});

/** What was asked of the service. */
interface Asked {
  readonly pages: Set<number>;
  readonly labels: string[];
}

async function openGallery(page: Page, query = "", total = TOTAL): Promise<Asked> {
  const asked: Asked = { pages: new Set(), labels: [] };
  const json = (route: Route, body: unknown): Promise<void> => route.fulfill({ json: body });
  await page.route(/\/api\/v1\/slides\?/, (route) => {
    const given = new URL(route.request().url()).searchParams;
    const [number, size] = [Number(given.get("page")), Number(given.get("per_page"))];
    asked.pages.add(number);
    const found = given.getAll("label").length > 0 ? Math.ceil(total / 3) : total;
    const begin = (number - 1) * size;
    const slides = Array.from({ length: Math.max(0, Math.min(size, found - begin)) }, (_, i) => summary(begin + i));
    return json(route, { slides, total: found, page: number, pages: Math.ceil(found / size), per_page: size });
  });
  await page.route(/\/api\/v1\/facets/, (route) =>
    json(route, {
      facets: [
        { name: "vendor", values: ["aperio", "hamamatsu"].map((value) => ({ value, title: value, count: 9000 })) },
        { name: "tag.stain", values: STAINS.map((value) => ({ value, title: value, count: 6667 })) },
      ],
    }),
  );
  await page.route(/\/thumbnail/, (route) => route.fulfill({ body: PIXEL, contentType: "image/gif" }));
  await page.route(/\/identity$/, (route) => json(route, { images: ["label"], texts: 0 }));
  await page.route(/\/identity\/images\/label$/, (route) => {
    asked.labels.push(new URL(route.request().url()).pathname.split("/")[4]!);
    return route.fulfill({ body: PIXEL, contentType: "image/gif" });
  });
  await page.goto(address() + query);
  await expect(card(page, 0)).toBeVisible();
  return asked;
}

const place = (page: Page, index: number) => page.locator(`[data-index="${index}"]`);
const card = (page: Page, index: number) => place(page, index).getByTestId("slide-card");
const box = (page: Page, index: number) => card(page, index).getByRole("checkbox");
const bar = (page: Page) => page.getByTestId("selection-bar");
const height = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight);
/** From the top of the page, whatever is scrolled. */
const top = (page: Page, index: number): Promise<number> =>
  place(page, index).evaluate((element) => Math.round(element.getBoundingClientRect().top + scrollY));

test("20,000 slides are scrolled without a jump, and only the pages near the screen are asked for (PG60)", async ({
  page,
}) => {
  const asked = await openGallery(page);
  const begin = await height(page);
  await page.mouse.move(800, 500);
  for (let i = 0; i < 6; i++) {
    await page.mouse.wheel(0, 900);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(i * 900);
    expect(await height(page)).toBe(begin);
  }
  const y = await page.evaluate(() => scrollY);
  for (let i = 0; i < 40; i++) await page.mouse.wheel(0, 6); // a trackpad's stream
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(y + 240);
  expect(await height(page)).toBe(begin);
  const inSight = await page.evaluate(() => {
    const at = document.elementFromPoint(800, 500)?.closest<HTMLElement>("[data-index]");
    return Number(at?.dataset.index ?? document.querySelector<HTMLElement>("[data-index]")!.dataset.index);
  });
  const before = await top(page, inSight);
  await expect(card(page, inSight)).toBeVisible();
  expect(await top(page, inSight)).toBe(before);
  expect(asked.pages.size).toBeLessThan(6);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(card(page, TOTAL - 1)).toBeVisible();
  expect(await height(page)).toBe(begin);
  expect(asked.pages).toContain(Math.ceil(TOTAL / 60));
  expect(asked.pages.size).toBeLessThan(9);
  expect(await page.getByTestId("slide-card").count()).toBeLessThan(100);
});

test("a click with Shift selects a range, and the actions move no slide (PG61)", async ({ page }) => {
  await openGallery(page);
  const before = [await top(page, 1), await height(page)];
  await card(page, 1).hover();
  await box(page, 1).check();
  await expect(bar(page)).toContainText("1 selected");
  await card(page, 4).click({ modifiers: ["Shift"], position: { x: 100, y: 100 } });
  await expect(bar(page)).toContainText("4 selected");
  for (const index of [1, 2, 3, 4]) await expect(box(page, index)).toBeChecked();
  await expect(box(page, 5)).not.toBeChecked();
  expect(await top(page, 1)).toBe(before[0]);
  await expect(bar(page)).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => scrollTo(0, 50_000));
  await expect(bar(page)).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => scrollTo(0, 0));
  await expect(box(page, 3)).toBeChecked();
  await bar(page).getByRole("button", { name: "Clear selection" }).click();
  await expect(bar(page)).toBeHidden();
  expect(await height(page)).toBe(before[1]);
});

test("by keys alone slides are reached, selected and let go, and the focus stays while the page scrolls (PG61)", async ({
  page,
}) => {
  await openGallery(page, "/?view=list");
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest<HTMLElement>("[data-index]")?.dataset.index);
  await card(page, 0).getByRole("link").focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(focused).toBe("1");
  await page.keyboard.press("Shift+ArrowDown");
  await expect.poll(focused).toBe("2");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(bar(page)).toContainText("3 selected");
  await expect.poll(focused).toBe("3");
  await page.keyboard.press("End");
  await expect.poll(focused).toBe(String(TOTAL - 1));
  await page.keyboard.press("Space");
  await expect(bar(page)).toContainText("4 selected");
  await page.evaluate(() => scrollTo(0, 0));
  await expect(card(page, 0)).toBeInViewport();
  expect(await focused()).toBe(String(TOTAL - 1));
  await page.keyboard.press("Escape");
  await expect(bar(page)).toBeHidden();
  await page.keyboard.press("Home");
  await expect.poll(focused).toBe("0");
  await page.keyboard.press("Control+a");
  await expect(bar(page)).toContainText("1,000 selected");
});

test("the heads of the list sort it, both ways, by their columns", async ({ page }) => {
  await openGallery(page, "/?view=list");
  const head = page.getByRole("button", { name: "Stain" });
  await head.click();
  await expect.poll(() => new URL(page.url()).searchParams.get("sort")).toBe("tag.stain");
  await expect(head).toHaveAttribute("aria-pressed", "true");
  await head.click();
  await expect.poll(() => new URL(page.url()).searchParams.get("sort")).toBe("-tag.stain");
});

test("a search is saved with its filters, opened again by its name, and removed", async ({ page }) => {
  await openGallery(page);
  await expect(page.getByRole("button", { name: "Save search" })).toBeHidden();
  await page.getByRole("checkbox", { name: /^Ki-67/ }).check();
  await page.getByRole("searchbox", { name: "Search slides" }).fill("margin");
  await expect.poll(() => new URL(page.url()).search).toBe("?search=margin&label=tag.stain%3AKi-67");
  const save = page.getByRole("button", { name: "Save search" });
  await save.click();
  await expect(save).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Show all slides" }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await page.reload();
  const saved = page.getByTestId("saved-searches");
  await saved.getByRole("link", { name: "“margin” · Ki-67" }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("?search=margin&label=tag.stain%3AKi-67");
  await expect(page.getByRole("searchbox", { name: "Search slides" })).toHaveValue("margin");
  await saved.getByRole("button", { name: /^Remove/ }).click();
  await expect(saved).toBeHidden();
  await expect(save).toHaveAttribute("aria-pressed", "false");
});

test("labels are asked for only when they are to be seen, and only of slides whose label the user may see (PG64)", async ({
  page,
}) => {
  const asked = await openGallery(page);
  await expect(page.getByRole("img", { name: "Label of Slide 0" })).toHaveCount(0);
  expect(asked.labels).toEqual([]);
  await page.getByRole("button", { name: /^Show slide labels/ }).click();
  await expect(page.getByRole("img", { name: "Label of Slide 0" })).toBeVisible();
  await expect(page.getByRole("img", { name: "Label of Slide 2" })).toBeVisible();
  expect(await page.getByRole("img", { name: "Label of Slide 1", exact: true }).count()).toBe(0);
  expect(asked.labels.length).toBeLessThan(60);
  expect(asked.labels.filter((id) => Number(id.slice("slide-".length)) % 2 === 1)).toEqual([]);
  await page.reload();
  await expect(card(page, 0)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Show slide labels/ })).toHaveAttribute("aria-pressed", "false");
});

test.describe("by fingers", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("a drag with one finger or two scrolls and selects nothing, a tap selects, and the selection holds while the list scrolls", async ({
    page,
  }) => {
    await openGallery(page);
    await fingers(page, [[200, 700]], [[200, 200]]);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300);
    const y = await page.evaluate(() => scrollY);
    await fingers(
      page,
      [
        [150, 700],
        [250, 700],
      ],
      [
        [150, 300],
        [250, 300],
      ],
    );
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(y + 200);
    await expect(bar(page)).toBeHidden();
    expect(new URL(page.url()).pathname).toBe("/");
    await page.evaluate(() => scrollTo(0, 0));
    await box(page, 0).tap();
    await box(page, 1).tap();
    await expect(bar(page)).toContainText("2 selected");
    await page.evaluate(() => scrollTo(0, 100_000));
    await expect(bar(page)).toBeInViewport({ ratio: 1 });
    await page.evaluate(() => scrollTo(0, 0));
    await expect(box(page, 0)).toBeChecked();
    await expect(box(page, 1)).toBeChecked();
  });
});

test("grid and list fit every screen and read well in either scheme", async ({ page }) => {
  await openGallery(page, "", 60);
  await card(page, 0).hover();
  await box(page, 0).check();
  await page.getByRole("button", { name: /^Show slide labels/ }).click();
  expect(await lookAt(page, "gallery-grid")).toEqual([]);
  await expectNothingSeriousInEither(page, "the gallery");
  await bar(page).getByRole("button", { name: "Clear selection" }).click();
  await page.getByRole("button", { name: "List", exact: true }).click();
  await expect(page.getByRole("button", { name: "Stain" })).toBeVisible();
  expect(await lookAt(page, "gallery-list")).toEqual([]);
  await expectNothingSeriousInEither(page, "the gallery");
});

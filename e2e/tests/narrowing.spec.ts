// What a list shows is in its address: search, facets and order come back with back and forward, and travel with a link.
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { slideIsOpen } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();

const cards = (page: Page) => page.getByTestId("slide-card");
const titles = (page: Page) => cards(page).evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.slideId));
const query = (page: Page) => new URL(page.url()).search;
const field = (page: Page) => page.getByRole("searchbox", { name: "Search slides" });

test("search, facets and order of the gallery are in the address: back, forward, a slide in between and a link show the same", async ({
  page,
  context,
}) => {
  await page.goto(own.service.address);
  await expect(cards(page).first()).toBeVisible();
  const all = await titles(page);
  await field(page).pressSequentially("fiduc");
  await expect(cards(page)).toHaveCount(1);
  await expect.poll(() => query(page)).toBe("?search=fiduc");
  await field(page).fill("");
  await expect(cards(page)).toHaveCount(all.length);
  await page.getByRole("checkbox", { name: /^lossless/i }).check();
  await expect.poll(() => query(page)).toMatch(/^\?label=profile%3Alossless$/);
  await expect.poll(async () => (await titles(page)).length).toBeLessThan(all.length);
  const filtered = await titles(page);
  await page.getByLabel("Sort").selectOption({ label: "Oldest first" });
  await expect.poll(() => query(page)).toBe("?label=profile%3Alossless&sort=oldest");
  const narrowed = filtered.toReversed();
  await expect.poll(() => titles(page)).toEqual(narrowed);

  await page.locator(`[data-testid=slide-card][data-slide-id="${SLIDES.lossless}"]`).getByRole("link").click();
  await slideIsOpen(page);
  expect(query(page)).toBe("");
  await page.getByRole("link", { name: "Back to the gallery" }).click();
  await expect.poll(() => query(page)).toBe("?label=profile%3Alossless&sort=oldest");
  await expect.poll(() => titles(page)).toEqual(narrowed);

  const other = await context.newPage();
  await other.goto(page.url());
  await expect.poll(() => titles(other)).toEqual(narrowed);
  await expect(other.getByLabel("Sort")).toHaveValue("oldest");
  await other.goto(`${own.service.address}/?search=fiduc`);
  await expect(cards(other)).toHaveCount(1);
  await expect(field(other)).toHaveValue("fiduc");
  await other.getByRole("button", { name: "Clear search" }).click();
  await expect(cards(other)).toHaveCount(all.length);
  await other.goBack();
  await expect(field(other)).toHaveValue("fiduc");
  await expect(cards(other)).toHaveCount(1);
  await other.goForward();
  await expect(field(other)).toHaveValue("");
  await expect(cards(other)).toHaveCount(all.length);
});

test("slides are listed newest first, oldest first and by title", async ({ page }) => {
  await page.goto(own.service.address);
  await expect(cards(page).first()).toBeVisible();
  const newest = await titles(page);
  await page.getByLabel("Sort").selectOption({ label: "Oldest first" });
  await expect.poll(() => titles(page)).toEqual(newest.toReversed());
  await page.getByLabel("Sort").selectOption({ label: "By title" });
  const shown = (): Promise<string[]> =>
    cards(page).evaluateAll((all) =>
      all.map((one) => one.querySelector("[title]")!.getAttribute("title")!.toLowerCase()),
    );
  await expect.poll(async () => [...(await shown())].sort().join() === (await shown()).join()).toBe(true);
  await page.goBack();
  await expect.poll(() => titles(page)).toEqual(newest.toReversed());
});

test("what is typed in a row is one step back", async ({ page }) => {
  await page.goto(own.service.address);
  await expect(cards(page).first()).toBeVisible();
  for (const text of ["fid", "fiduc", "fiducial"]) {
    await field(page).fill(text);
    await expect.poll(() => query(page)).toBe(`?search=${text}`);
  }
  await page.goBack();
  await expect.poll(() => query(page)).toBe("");
  await expect(field(page)).toHaveValue("");
});

test("the slides of a case are searched and sorted by its address, and moved only in their own order", async ({
  page,
}) => {
  const slides = [SLIDES.specimen, SLIDES.fiducial, SLIDES.lossless];
  const made = await fetch(`${own.service.address}/api/v1/cases`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ title: "Case N", slides }),
  });
  const { id } = (await made.json()) as { id: string };
  const order = (): Promise<(string | undefined)[]> =>
    page.getByTestId("case-slide").evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.slideId));
  await page.goto(`${own.service.address}/cases/${id}`);
  await expect.poll(order).toEqual(slides);
  const earlier = page.locator(`[data-slide-id=${SLIDES.fiducial}]`).getByRole("button", { name: /earlier$/ });
  await expect(earlier).toBeEnabled();
  await page.getByLabel("Sort").selectOption({ label: "By title" });
  await expect.poll(() => query(page)).toBe("?sort=title");
  await expect(earlier).toBeDisabled();
  await page.getByRole("searchbox", { name: "Search this case" }).fill("fiduc");
  await expect.poll(order).toEqual([SLIDES.fiducial]);
  await expect.poll(() => query(page)).toBe("?search=fiduc&sort=title");
  await page.reload();
  await expect.poll(order).toEqual([SLIDES.fiducial]);
  await page.goBack();
  await page.goBack();
  await expect.poll(order).toEqual(slides);
});

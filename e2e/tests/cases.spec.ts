// Slides in cases: made, ordered, stepped through; found by facets; deleted and brought back.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { lookAt } from "../harness/looks.ts";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { expectExact, slideIsOpen, slideOf } from "../harness/microscope.ts";
import { writeFiducial } from "../harness/pictures.ts";
import { sharedService } from "../harness/sharedService.ts";

const own = sharedService();

const card = (page: Page, id: string) => page.locator(`[data-testid=slide-card][data-slide-id="${id}"]`);
const order = (page: Page) =>
  page.getByTestId("case-slide").evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.slideId));

async function more(page: Page, id: string, item: string): Promise<void> {
  await card(page, id).hover();
  await card(page, id)
    .getByRole("button", { name: /^More actions for/ })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
}

async function newCase(title: string, slides: string[]): Promise<string> {
  const body = JSON.stringify({ title, slides });
  const answer = await fetch(`${own.service.address}/api/v1/cases`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  return ((await answer.json()) as { id: string }).id;
}

/** A slide that may go for good; its id. */
async function importPicture(): Promise<string> {
  const file = join(dirname(own.service.store), "unneeded.png");
  writeFiducial(file, 700, 600, { l0_x: 350, l0_y: 300, radius: 96 });
  const sent = await fetch(`${own.service.address}/api/v1/uploads?filename=unneeded.png`, {
    method: "POST",
    body: readFileSync(file),
  });
  const { id } = (await sent.json()) as { id: string };
  const job = (): Promise<{ state: string; slide_id: string }> => own.service.json(`/api/v1/jobs/${id}`);
  await expect.poll(async () => (await job()).state, { timeout: 60_000 }).toBe("done");
  return (await job()).slide_id;
}

test("chosen slides become a case, whose order can be changed and lasts", async ({ page }) => {
  await page.goto(own.service.address);
  for (const id of [SLIDES.specimen, SLIDES.lossless]) await card(page, id).getByRole("checkbox").check();
  await page.getByTestId("selection-bar").getByRole("button", { name: "Add to case" }).click();
  await page.getByRole("button", { name: "New case" }).click();
  await page.getByLabel("Title").fill("Case A");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByTestId("case-link").filter({ hasText: "Case A" }).click();
  await expect(page.getByTestId("case-slide")).toHaveCount(2);
  expect(await order(page)).toEqual([SLIDES.specimen, SLIDES.lossless]);
  await page.getByRole("button", { name: "Add slides" }).click();
  await page.getByRole("checkbox", { name: "fiducial" }).check();
  await page.getByRole("button", { name: "Add 1" }).click();
  await expect(page.getByTestId("case-slide")).toHaveCount(3);
  await page
    .locator("[data-slide-id=fiducial]")
    .getByRole("button", { name: /earlier$/ })
    .click();
  await expect.poll(() => order(page)).toEqual([SLIDES.specimen, SLIDES.fiducial, SLIDES.lossless]);
  await page
    .locator(`[data-slide-id=${SLIDES.lossless}]`)
    .getByRole("button", { name: /from the case$/ })
    .click();
  await expect(page.getByTestId("case-slide")).toHaveCount(2);
  await page.reload();
  await expect(page.getByTestId("case-slide")).toHaveCount(2);
  expect(await order(page)).toEqual([SLIDES.specimen, SLIDES.fiducial]);
});

test("a case has a description and its tours, by keys alone", async ({ page }) => {
  const id = await newCase("Case D", [SLIDES.specimen]);
  await fetch(`${own.service.address}/api/v1/tours?case=${id}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      format: "wavescope-tour",
      version: 1,
      title: "The walk",
      text: "",
      waypoints: [{ id: "a", title: "Here", text: "", slide: SLIDES.specimen, view: {}, annotations: [], marks: [] }],
    }),
  });
  await page.goto(`${own.service.address}/cases/${id}`);
  await page.getByRole("button", { name: "Edit" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Title")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type("A **small** biopsy.\n\n<script>window.ran = true</script>");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const description = page.getByTestId("case-description");
  await expect(description.locator("strong")).toHaveText("small");
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  await page.reload();
  await expect(description).toContainText("A small biopsy.");
  expect(await lookAt(page, "case-description")).toEqual([]);
  await page.getByTestId("case-tour").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/tour=/);
  await slideIsOpen(page);
});

test("a case tells which of its slides were seen, and goes on with the next (CV10)", async ({ page }) => {
  const id = await newCase("Case P", [SLIDES.specimen, SLIDES.lossless]);
  await page.goto(`${own.service.address}/cases/${id}`);
  const progress = page.getByTestId("case-progress");
  await expect(progress).toHaveText("0 of 2 seen");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await slideIsOpen(page);
  expect((await slideOf(page)).id).toBe(SLIDES.specimen);
  await page.mouse.move(600, 400);
  for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -100); // to a field of the slide
  await page.waitForFunction(() => localStorage.getItem("wavescope.seen") !== null);
  await page.goto(`${own.service.address}/cases/${id}`);
  await expect(progress).toHaveText("1 of 2 seen");
  await expect(page.locator(`[data-slide-id=${SLIDES.specimen}]`).getByTestId("slide-seen")).toBeVisible();
  await expect(page.getByTestId("slide-seen")).toHaveCount(1);
  expect(await lookAt(page, "case-progress")).toEqual([]);
  await page.getByRole("button", { name: "Continue" }).click();
  await slideIsOpen(page);
  expect((await slideOf(page)).id).toBe(SLIDES.lossless);
});

test("a chosen slide looks chosen, also when the pointer is elsewhere", async ({ page }) => {
  await page.goto(own.service.address);
  const [chosen, other] = [card(page, SLIDES.specimen), card(page, SLIDES.lossless)];
  await chosen.hover();
  await chosen.getByRole("checkbox").check();
  await page.getByTestId("selection-bar").hover();
  await page.getByTestId("selection-bar").click();
  await expect(chosen.getByRole("checkbox")).toBeChecked();
  const opacity = (one: typeof chosen): Promise<string> =>
    one.getByRole("checkbox").evaluate((box) => {
      let seen = 1;
      for (let element: Element | null = box; element; element = element.parentElement)
        seen = Math.min(seen, Number(getComputedStyle(element).opacity));
      return String(seen);
    });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await expect.poll(() => opacity(chosen)).toBe("1");
  await expect.poll(() => opacity(other)).toBe("0");
  const border = (one: typeof chosen): Promise<string> =>
    one.evaluate((element) => getComputedStyle(element).borderColor);
  await expect.poll(async () => (await border(chosen)) !== (await border(other))).toBe(true);
});

test("keys and the strip step through a case, and the way back leads to it", async ({ page }) => {
  const id = await newCase("Stepping", [SLIDES.fiducial, SLIDES.specimen, SLIDES.lossless]);
  await page.goto(`${own.service.address}/cases/${id}`);
  const ahead = page.waitForResponse(
    (answer) => answer.url().includes(`/slides/${SLIDES.specimen}/v/`) && answer.url().includes("/approximation/"),
  );
  await page.getByRole("button", { name: "Open" }).click();
  await slideIsOpen(page);
  const strip = page.getByTestId("case-strip");
  await expect(strip.getByRole("link")).toHaveCount(3);
  await ahead;
  await page.keyboard.press(".");
  await page.waitForFunction((slide) => location.pathname.endsWith(slide), SLIDES.specimen);
  await slideIsOpen(page);
  expect((await slideOf(page)).id).toBe(SLIDES.specimen);
  await expectExact(page);
  await strip.getByRole("link", { name: "Synthetic specimen 3" }).click();
  await page.waitForFunction((slide) => location.pathname.endsWith(slide), SLIDES.lossless);
  await slideIsOpen(page);
  await expect(strip.getByRole("button", { name: "Next slide" })).toBeDisabled();
  await page.goBack();
  await slideIsOpen(page);
  expect((await slideOf(page)).id).toBe(SLIDES.specimen);
  await page.getByRole("link", { name: "Back to the case" }).click();
  await expect(page.getByTestId("case-page")).toBeVisible();
});

test("tags are given in the gallery, and facets narrow it down", async ({ page }) => {
  await page.goto(own.service.address);
  await more(page, SLIDES.specimen, "Tags");
  await page.getByLabel("Value of stain").fill("H&E");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(card(page, SLIDES.specimen)).toContainText("H&E");
  await expect(page.getByTestId("facets").getByRole("checkbox", { name: "H&E 1" }), "of one slide alone").toBeVisible();
  await more(page, SLIDES.fiducial, "Tags");
  await page.getByLabel("Value of stain").fill("PAS");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByTestId("facets").getByRole("checkbox", { name: /^H&E/ }).check();
  await expect(page.getByTestId("slide-card")).toHaveCount(1);
  await expect(page.getByTestId("facets").getByRole("checkbox", { name: /^PAS 1/ })).toBeVisible();
  await page.getByTestId("facets").getByRole("checkbox", { name: /^PAS/ }).check();
  await expect(page.getByTestId("slide-card")).toHaveCount(2);
  await page.getByRole("button", { name: "Show all slides" }).click();
  await expect(card(page, SLIDES.lossless)).toBeVisible();
});

test("the trash says how many slides a press deletes for ever, and offers to open what comes back", async ({
  page,
}) => {
  await page.goto(own.service.address);
  for (const slide of [SLIDES.large, SLIDES.fiducial]) {
    await more(page, slide, "Delete");
    await expect(card(page, slide)).toHaveCount(0);
  }
  await page.getByTestId("trash-link").click();
  await page.getByRole("button", { name: "Empty trash" }).click();
  await expect(page.getByRole("button", { name: "Delete 2 slides permanently?" })).toBeVisible();
  expect(await lookAt(page, "trash")).toEqual([]);
  for (const slide of [SLIDES.fiducial, SLIDES.large]) {
    const thrown = page.locator(`[data-testid=trash-card][data-slide-id=${slide}]`);
    await thrown.getByRole("button", { name: "Restore" }).click();
    await expect(thrown).toHaveCount(0);
  }
  await expect(page.getByText("The trash is empty")).toBeVisible();
  await page
    .getByRole("alert")
    .filter({ hasText: "is back in the gallery" })
    .last()
    .getByRole("button", { name: "Open" })
    .click();
  await slideIsOpen(page);
});

test("a deleted slide can be taken back at once, or later from the trash, or removed for good", async ({ page }) => {
  await page.goto(own.service.address);
  await more(page, SLIDES.large, "Delete");
  await expect(card(page, SLIDES.large)).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(card(page, SLIDES.large)).toBeVisible();
  await more(page, SLIDES.large, "Delete");
  await expect(card(page, SLIDES.large)).toHaveCount(0);
  await page.getByRole("link", { name: "Trash" }).click();
  const thrown = page.getByTestId("trash-card");
  await expect(thrown).toHaveAttribute("data-slide-id", SLIDES.large);
  await expect
    .poll(() => thrown.locator("img").evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await thrown.getByRole("button", { name: "Restore" }).click();
  await expect(thrown).toHaveCount(0);
  await page.getByRole("link", { name: "Back to the gallery" }).click();
  const made = await importPicture();
  await expect(card(page, made)).toBeVisible();
  await more(page, made, "Delete");
  await page.getByRole("link", { name: "Trash" }).click();
  await thrown.getByRole("button", { name: "Delete permanently" }).click();
  await thrown.getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByText("The trash is empty")).toBeVisible();
  expect((await fetch(`${own.service.address}/api/v1/slides/${made}`)).status).toBe(404);
});

test("cases, filters and the trash are apart; the planner is with the administrator's things", async ({ page }) => {
  await page.goto(own.service.address);
  const side = page.getByRole("complementary");
  await expect(side.getByRole("heading", { name: "Cases" })).toBeVisible();
  await expect(side.getByRole("heading", { name: "Filters" })).toBeVisible();
  const [cases, facets, trash] = [
    side.getByRole("navigation"),
    page.getByTestId("facets"),
    page.getByTestId("trash-link"),
  ];
  const bottom = async (one: typeof cases): Promise<number> => {
    const { y, height } = (await one.boundingBox())!;
    return y + height;
  };
  expect((await facets.boundingBox())!.y - (await bottom(cases))).toBeGreaterThanOrEqual(16);
  expect((await trash.boundingBox())!.y - (await bottom(facets))).toBeGreaterThanOrEqual(16);
  for (const part of [facets, trash])
    expect(await part.evaluate((one) => getComputedStyle(one).borderTopWidth)).toBe("1px");
  await expect(side.getByRole("link", { name: "Capacity planner" })).toHaveCount(0);
  expect(await lookAt(page, "gallery-side")).toEqual([]);
  await page.getByRole("button", { name: "Administration" }).click();
  await page.getByRole("menuitem", { name: "Capacity planner" }).click();
  await expect(page.getByTestId("planner-page")).toBeVisible();
});

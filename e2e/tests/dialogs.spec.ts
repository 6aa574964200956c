// Each dialog is opened and closed by keys; what had the focus before has it again (PG119, WCAG 2.4.3).
import type { Locator, Page } from "@playwright/test";
import { comparisonIsOpen } from "../harness/comparison.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide } from "../harness/microscope.ts";
import { enter } from "../harness/people.ts";
import { everyoneLeaves, startSession } from "../harness/session.ts";
import { sharedClinic, sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

const own = sharedService();
const clinic = sharedClinic(SLIDES.large);

everyoneLeaves();

/** The dialog that a key of this control opens is closed by Escape, and the control has the focus; twice, as its code comes with the first press. */
async function opensAndCloses(opener: Locator, key = "Enter", item?: string): Promise<void> {
  const page = opener.page();
  for (let i = 0; i < 2; i += 1)
    await test.step(`${opener.toString()} ${item ?? key}`, async () => {
      await opener.focus();
      await page.keyboard.press(key);
      if (item !== undefined) {
        await page.getByRole("menuitem", { name: item }).focus();
        await page.keyboard.press("Enter");
      }
      await expect(page.getByRole("dialog")).toBeVisible();
      await expect(opener).not.toBeFocused();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(opener).toBeFocused();
    });
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();

async function newCase(body: object): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const made = await fetch(`${own.service.address}/api/v1/cases`, {
    method: "POST",
    headers,
    body: JSON.stringify({ title: "Colon", kind: "collection", slides: [SLIDES.specimen], ...body }),
  });
  return ((await made.json()) as { id: string }).id;
}

test("PG119: in the gallery and of a case", async ({ page }) => {
  const id = await newCase({});
  await page.goto(own.service.address);
  await opensAndCloses(button(page, "Settings"));
  await opensAndCloses(button(page, /^New$/));
  for (const item of ["Rename", "Tags", "Add to case"])
    await opensAndCloses(button(page, "More actions for CMU-1-Small-Region"), "Enter", item);
  const collection = button(page, "More actions for Colon");
  for (const item of ["Move to", "New in"]) await opensAndCloses(collection, "Enter", item);
  await page.goto(`${own.service.address}/cases/${id}`);
  for (const name of ["Edit", "Add slides", "Move to …"]) await opensAndCloses(button(page, name));
});

test("PG119: of a slide, of compared ones and of a live session", async ({ page }) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  const viewer = page.getByTestId("viewer");
  for (const key of ["?", "g", "Alt+W", "Shift+E"]) await opensAndCloses(viewer, key);
  for (const name of [/^Camera/, "Settings", "Start live session"]) await opensAndCloses(button(page, name));
  await page.getByTestId("panel-rail").getByRole("button", { name: "Slide information" }).click();
  await opensAndCloses(button(page, "Reduce size"));
  await page.goto(`${own.service.address}/compare?slide=${SLIDES.specimen}&slide=${SLIDES.specimen}`);
  await comparisonIsOpen(page);
  for (const name of ["Add a slide", "Receipt of this view"]) await opensAndCloses(button(page, name));
  await openSlide(page, SLIDES.specimen, own.service.address);
  await startSession(page, "Ada");
  for (const name of ["Invite to this session", "Leave the session"]) await opensAndCloses(button(page, name));
});

test("PG119: of accounts", async ({ page }) => {
  await page.goto(`${clinic.service.address}/sign-in?next=%2Fpeople`);
  await enter(page, "adam");
  await opensAndCloses(button(page, "Reset the password of olga"));
  await opensAndCloses(button(page, "Import users"));
  await opensAndCloses(button(page, /^Actions for /), "Enter", "Change names");
  await page.goto(`${clinic.service.address}/account`);
  await opensAndCloses(button(page, "Set up two-step sign-in"));
  await openSlide(page, SLIDES.large, clinic.service.address);
  await opensAndCloses(button(page, "Share slide"));
});

// Who was present in a live session, for its host (shared/spec/session.md, SE59 and SE60).
import { readFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { expectNothingSerious } from "../harness/axe.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";
import { type Screen, everyoneLeaves, join, people, person, startSession } from "../harness/session.ts";

const own = sharedService();

everyoneLeaves();

const table = (page: Page) => page.getByTestId("attendance");

/** Ada hosts; Ben joins. */
async function two(browser: Browser, screen: Screen, options: BrowserContextOptions = {}) {
  const ada = await person(browser, screen, options);
  await openSlide(ada, SLIDES.specimen, own.service.address);
  const code = await startSession(ada, "Ada");
  const ben = await person(browser, { width: 1180, height: 820 });
  await join(ben, own.service.address, code, "Ben");
  await people(ada);
  return { ada, ben };
}

test("SE60: the host sees who is present since when, and saves it; others do not", async ({ browser }, info) => {
  const { ada, ben } = await two(browser, { width: 1920, height: 1080 });
  await ada.getByRole("button", { name: "Attendance" }).focus();
  await ada.keyboard.press("Enter");
  await expect(table(ada).getByRole("row")).toHaveCount(3);
  await expect(table(ada).getByRole("row").nth(1)).toContainText(/Ada.*Present/);
  await expect(table(ada).getByRole("row").nth(2)).toContainText(/Ben.*Present/);
  await storePicture(ada, info.outputPath("attendance.png"));
  await expectNothingSerious(ada, "live session");
  const saving = ada.waitForEvent("download");
  await ada.getByRole("link", { name: "Save as CSV" }).click();
  expect(readFileSync(await (await saving).path(), "utf8")).toMatch(/Ada[^\n]*\n[^\n]*Ben/);
  await ada.keyboard.press("Escape");
  await expect(table(ada)).toHaveCount(0);
  await people(ben);
  await expect(ben.getByRole("button", { name: "Attendance" })).toHaveCount(0);
});

test("SE60: the table fits on a phone, in the dark and in German", async ({ browser }, info) => {
  const { ada } = await two(browser, { width: 390, height: 844 }, { hasTouch: true, colorScheme: "dark" });
  await ada.evaluate(() => localStorage.setItem("wavescope.language", "de"));
  await ada.reload();
  await people(ada);
  await ada.getByRole("button", { name: "Anwesenheit" }).click();
  await expect(table(ada).getByRole("row")).toHaveCount(3);
  const box = (await table(ada).boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  await storePicture(ada, info.outputPath("attendance-phone-dark.png"));
  await expectNothingSerious(ada, "live session");
});

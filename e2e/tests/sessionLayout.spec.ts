// The controls of a session for everybody: axe finds nothing serious in either scheme; they fit the screens people have; all by keyboard.
import { dirname } from "node:path";
import type { Page } from "@playwright/test";
import { expectNothingSerious } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide, store } from "../harness/microscope.ts";
import { Service, copyStore, removeFolder } from "../harness/service.ts";
import { join, look, people, person, startSession, status } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

let service: Service;

test.beforeAll(async () => {
  service = await Service.start(copyStore(store()));
});

test.afterAll(async () => {
  await service.stop();
  removeFolder(dirname(service.store));
});

const SCREENS = {
  "1920x1080": { width: 1920, height: 1080 },
  "1366x768": { width: 1366, height: 768 },
  "768x1024": { width: 768, height: 1024 },
  "1024x768": { width: 1024, height: 768 },
};

async function expectFits(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide).toBeLessThanOrEqual(0);
  for (const name of ["Raised hand", "Laser pointer", "Invite to this session", "Leave the session"]) {
    await expect(page.getByTestId("session-bar").getByRole("button", { name, exact: true }), name).toBeInViewport({ ratio: 0.99 });
  }
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious in a session, in the ${colorScheme} scheme`, async ({ browser, page }, info) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await openSlide(page, SLIDES.specimen, service.address);
    await page.keyboard.press("Shift+s");
    await expect(page.getByRole("dialog", { name: "Start a live session" })).toBeVisible();
    await expectNothingSerious(page, "start");
    await page.screenshot({ path: info.outputPath(`start-${colorScheme}.png`) });
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    const code = await startSession(page, "Ada", { record: true, passcode: "alveolus" });

    const guest = await person(browser, { width: 768, height: 1024 }, { colorScheme, reducedMotion: "reduce" });
    await guest.goto(`${service.address}/join/${code}`);
    await expect(guest.getByLabel("Your name")).toBeVisible();
    await expectNothingSerious(guest, "join");
    await guest.screenshot({ path: info.outputPath(`join-${colorScheme}.png`) });
    await join(guest, service.address, code, "Benedikta-Maria Longname", "alveolus");
    await guest.keyboard.press("h");
    await guest.getByTestId("stage").focus();
    await guest.keyboard.press("ArrowRight");
    await status(guest, "free");
    await expectNothingSerious(guest, "free");

    await people(page);
    await page.keyboard.press("Shift+n");
    await page.keyboard.type("A note");
    await page.getByRole("button", { name: "Add the note" }).click();
    await look(page, { l0_x: 900, l0_y: 800, scale: 1 });
    await expect(page.getByTestId("recording-light")).toBeVisible();
    await expectNothingSerious(page, "panel");
    for (const [name, screen] of Object.entries(SCREENS)) {
      await page.setViewportSize(screen);
      await expectFits(page);
      await page.screenshot({ path: info.outputPath(`panel-${name}-${colorScheme}.png`) });
      await guest.setViewportSize(screen);
      await expectFits(guest);
      await guest.screenshot({ path: info.outputPath(`free-${name}-${colorScheme}.png`) });
    }
    await page.getByRole("button", { name: "Invite to this session" }).click();
    await expect(page.getByRole("dialog", { name: "Invite to this session" })).toBeVisible();
    await expectNothingSerious(page, "share");
    await page.screenshot({ path: info.outputPath(`share-${colorScheme}.png`) });
    await page.keyboard.press("Escape");
    await guest.getByRole("link", { name: "Back to the gallery" }).click();
    await expect(guest.getByTestId("session-bar")).toBeVisible();
    await expectNothingSerious(guest, "gallery");
    await guest.screenshot({ path: info.outputPath(`gallery-${colorScheme}.png`) });
    await guest.getByRole("button", { name: "Rejoin" }).click();
    await status(guest, "following");
    await guest.context().close();
  });
}

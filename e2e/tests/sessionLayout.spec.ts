// A session for everybody: axe finds nothing serious in either scheme; its controls fit the screens people have.
import type { Page } from "@playwright/test";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { SCREENS, expectFitsScreens } from "../harness/screens.ts";
import { everyoneLeaves, join, look, people, person, startSession, status } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();

test.use({ contextOptions: { reducedMotion: "reduce" } });

everyoneLeaves();

async function newGuest(browser: Parameters<typeof person>[0]): Promise<Page> {
  const guest = await person(browser, SCREENS["768x1024"], { reducedMotion: "reduce" });
  return guest;
}

async function expectBar(page: Page): Promise<void> {
  for (const name of ["Raised hand", "Laser pointer", "Invite to this session", "Leave the session"]) {
    await expect(page.getByTestId("session-bar").getByRole("button", { name, exact: true }), name).toBeInViewport({
      ratio: 0.99,
    });
  }
}

test("axe finds nothing serious where a session is started, joined, and others are invited", async ({
  browser,
  page,
}, info) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await page.keyboard.press("Shift+s");
  await expect(page.getByRole("dialog", { name: "Start live session" })).toBeVisible();
  await expectNothingSeriousInEither(page, "start");
  await expectFitsScreens(page, info, "start");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const code = await startSession(page, "Ada", { passcode: "alveolus" });

  const guest = await newGuest(browser);
  await guest.goto(`${own.service.address}/join/${code}`);
  await expect(guest.getByLabel("Your name")).toBeVisible();
  await expectNothingSeriousInEither(guest, "join");
  await expectFitsScreens(guest, info, "join");

  await page.getByRole("button", { name: "Invite to this session" }).click();
  await expect(page.getByRole("dialog", { name: "Invite to this session" })).toBeVisible();
  await expectNothingSeriousInEither(page, "invite");
  await expectFitsScreens(page, info, "invite");
});

test("axe finds nothing serious in a session with all its panels, which fits the screens people have", async ({
  browser,
  page,
}, info) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  const code = await startSession(page, "Ada", { record: true });
  const guest = await newGuest(browser);
  await join(guest, own.service.address, code, "Benedikta-Maria Longname");
  await guest.keyboard.press("h");
  await guest.getByTestId("viewer").focus();
  await guest.keyboard.press("ArrowRight");
  await status(guest, "free");

  await people(page);
  await page.keyboard.press("Shift+n");
  await page.keyboard.type("A note");
  await page.getByRole("button", { name: "Add note" }).click();
  await look(page, { l0_x: 900, l0_y: 800, scale: 1 });
  await expect(page.getByTestId("recording-light")).toBeVisible();
  await expectNothingSeriousInEither(page, "panel");
  await expectFitsScreens(page, info, "presenter", () => expectBar(page));
  await expectFitsScreens(guest, info, "free", () => expectBar(guest));
  await expectNothingSeriousInEither(guest, "free");
  await guest.getByRole("link", { name: "Back to the gallery" }).click();
  await expect(guest.getByTestId("session-bar")).toBeVisible();
  await expectNothingSeriousInEither(guest, "gallery");
  await storePicture(guest, info.outputPath("gallery.png"));
  await guest.getByRole("button", { name: "Rejoin" }).click();
  await status(guest, "following");
});

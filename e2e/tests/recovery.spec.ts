// The service goes away and comes back; the viewer says so and goes on by itself.
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { expectExact, openSlide } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";

const own = sharedService();

test("a crash of the service is reported, what was fetched stays, and all goes on when it is back", async ({
  page,
}) => {
  const { service } = own;
  await openSlide(page, SLIDES.specimen, service.address);
  await service.stop("SIGKILL");
  await page.evaluate(() => void window.__wavescope.viewport.goTo(400, 300, 0));
  await expect(page.getByTestId("offline-notice")).toBeVisible();
  const drawn = await page.evaluate(() => window.__wavescope.readCanvas(600, 300, 1, 1).rgba[3]);
  expect(drawn, "coarse pixels stay on the screen").toBe(255);
  await service.startAgain();
  await expect(page.getByTestId("offline-notice")).toBeHidden({ timeout: 60_000 });
  await expectExact(page);
});

test("the gallery recovers from an absent service by itself", async ({ page }) => {
  const { service } = own;
  await page.goto(service.address);
  await expect(page.getByTestId("slide-card").first()).toBeVisible();
  await service.stop("SIGKILL");
  await page.getByRole("searchbox", { name: "Search slides" }).fill("spec");
  await expect(page.getByTestId("service-offline")).toBeVisible({ timeout: 60_000 });
  await service.startAgain();
  await expect(page.getByTestId("service-offline")).toBeHidden({ timeout: 60_000 });
  await expect(page.getByTestId("slide-card").first()).toBeVisible();
});

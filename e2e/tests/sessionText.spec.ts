// Text that is typed about an annotation while someone else deletes it (annotations.md).
import type { Browser, Page } from "@playwright/test";
import { change, clear, openAnnotations, saved, show, storedAnnotations } from "../harness/annotating.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { viewState } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();

const corners = [
  [600, 400],
  [800, 400],
  [800, 600],
  [600, 600],
  [600, 400],
];

async function person(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1366, height: 768 } })).newPage();
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await show(page, 200, 200, 1600, 900);
  return page;
}

test("text stays while another deletes the annotation, and no letter turns the picture", async ({ browser }) => {
  await clear(own.service.address, SLIDES.specimen);
  const content = { kind: "rectangle", geometry: { type: "Polygon", coordinates: [corners] } };
  await change(own.service.address, SLIDES.specimen, [{ id: "shared", revision: 0, content }]);
  const [ben, cleo] = [await person(browser), await person(browser)];
  const text = ben.getByTestId("annotation-editor").getByLabel("Text", { exact: true });
  await ben.getByRole("option").first().click();
  await text.click();
  await ben.keyboard.type("invasive ");
  const before = await viewState(ben);
  await cleo.getByRole("option").first().click();
  await cleo.getByRole("button", { name: "Delete selected" }).click();
  await saved(cleo);
  await expect(ben.getByTestId("typed-lost")).toBeVisible();
  await ben.keyboard.type("front r]q");
  await expect(text).toHaveValue("invasive front r]q");
  expect(await viewState(ben)).toEqual(before);
  await ben.getByRole("button", { name: "Keep as a new annotation" }).click();
  await saved(ben);
  await expect(ben.getByTestId("typed-lost")).toHaveCount(0);
  const stored = await storedAnnotations(own.service.address, SLIDES.specimen);
  expect(stored.map((one) => one.content?.text)).toContain("invasive front r]q");
  await Promise.all([ben, cleo].map((page) => page.context().close()));
});

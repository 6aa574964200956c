// What tells of a person, shown only when asked for and recorded; and the log in which it stands.
import { dirname } from "node:path";
import { expectNothingSerious } from "../harness/axe.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide, store as sharedStore } from "../harness/microscope.ts";
import { expectFitsScreens } from "../harness/screens.ts";
import { Service, copyStore, realSlide, removeFolder } from "../harness/service.ts";
import { REGION_FILE, SLIDES } from "../harness/slides.ts";
import { expect, test } from "../harness/test.ts";

let service: Service;

test.beforeAll(async () => {
  service = await Service.start(copyStore(sharedStore())); // a log of its own
});

test.afterAll(async () => {
  await service.stop();
  removeFolder(dirname(service.store));
});

test("a label is shown when it is asked for, and the look stands in the audit log (PR42, PR35)", async ({
  page,
}, info) => {
  const file = realSlide(REGION_FILE);
  test.skip(!file, `no test data: ${REGION_FILE}`);
  const looks: string[] = [];
  page.on("request", (request) => /identity\/(images|texts)/.test(request.url()) && looks.push(request.url()));
  await openSlide(page, SLIDES.region, service.address);
  await page.getByRole("button", { name: "Information" }).click();
  const section = page.getByRole("region", { name: "Label and identifying data" });
  await expect(section).toContainText("Viewing is logged");
  expect(looks).toEqual([]);
  await section.getByRole("button", { name: "Show label" }).click();
  const label = section.getByRole("img", { name: "label of the slide" });
  await expect.poll(() => label.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(387);
  await section.getByRole("button", { name: /^Show \d+ metadata fields/ }).click();
  await expect(section).toContainText("aperio.Filename");
  await expectNothingSerious(page, "label and identity");
  await storePicture(page, info.outputPath("label.png"));
  await page.goto(`${service.address}/audit`);
  await expect(page.getByTestId("audit-entries").getByRole("row", { name: SLIDES.region })).toHaveCount(3); // two looks, one opening
  await expectNothingSerious(page, "audit log");
  await expectFitsScreens(page, info, "audit");
  await page.getByRole("combobox", { name: "Action" }).click();
  await page.getByRole("option", { name: "opened", exact: true }).click();
  await expect(page.getByTestId("audit-entries").getByRole("row")).toHaveCount(2);
  await expect(page.getByTestId("audit-entries")).toContainText(SLIDES.region);
});

test("PR37: the log names slides and files, also of a slide that is gone; its filter is in the address", async ({
  page,
  request,
}, info) => {
  const api = `${service.address}/api/v1`;
  await request.patch(`${api}/slides/${SLIDES.fiducial}`, { data: { title: "Liver, second cut" } });
  await request.get(`${api}/slides/${SLIDES.fiducial}/annotations?format=csv`);
  await request.delete(`${api}/slides/${SLIDES.fiducial}`);
  await request.delete(`${api}/trash/${SLIDES.fiducial}`);
  await page.goto(`${service.address}/audit`);
  const rows = page.getByTestId("audit-entries").getByRole("row");
  for (const act of ["renamed", "deleted", "purged"])
    await expect(rows.filter({ hasText: act })).toContainText("Liver, second cut");
  await expect(rows.filter({ hasText: "downloaded" })).toContainText(`${SLIDES.fiducial}.annotations.csv`);
  await page.getByLabel("Slide or file").fill("second cut");
  await expect.poll(() => new URL(page.url()).search).toBe("?slide=second+cut");
  await expect(rows).toHaveCount(5); // with the head
  await page.getByLabel("Slide or file").fill("annotations.csv");
  await expect(rows).toHaveCount(2);
  await page.reload();
  await expect(rows).toHaveCount(2);
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
  ]) {
    await page.setViewportSize({ width: width!, height: height! });
    await storePicture(page, info.outputPath(`audit-${width}.png`));
  }
  await page.goBack();
  await expect(page.getByLabel("Slide or file")).toHaveValue("");
});

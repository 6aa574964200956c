// What tells of a person, shown only when asked for and recorded; and the log in which it stands.
import { expectNothingSerious } from "../harness/axe.ts";
import { openSlide } from "../harness/microscope.ts";
import { expectFitsScreens } from "../harness/screens.ts";
import { Service, realSlide, removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { REGION_FILE } from "../harness/slides.ts";
import { expect, test } from "../harness/test.ts";

test("a label is shown when it is asked for, and the look stands in the audit log (PR42, PR35)", async ({ page }, info) => {
  const file = realSlide(REGION_FILE);
  test.skip(!file, `no test data: ${REGION_FILE}`);
  const store = temporaryFolder();
  wavescope(store, ["ingest", file!, "--id", "labelled"]);
  const service = await Service.start(store);
  try {
    const looks: string[] = [];
    page.on("request", (request) => /identity\/(images|texts)/.test(request.url()) && looks.push(request.url()));
    await openSlide(page, "labelled", service.address);
    await page.getByRole("button", { name: "Information" }).click();
    const section = page.getByRole("region", { name: "Label and identity" });
    await expect(section).toContainText("Every look is recorded");
    expect(looks).toEqual([]);
    await section.getByRole("button", { name: "Show label" }).click();
    const label = section.getByRole("img", { name: "The slide's label" });
    await expect.poll(() => label.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(387);
    await section.getByRole("button", { name: /^Show \d+ texts/ }).click();
    await expect(section).toContainText("aperio.Filename");
    await expectNothingSerious(page, "label and identity");
    await page.screenshot({ path: info.outputPath("label.png") });
    await page.goto(`${service.address}/audit`);
    await expect(page.getByTestId("audit-entries").getByRole("row")).toHaveCount(4); // with the head: two looks, one opening
    await expectNothingSerious(page, "audit log");
    await expectFitsScreens(page, info, "audit");
    await page.getByRole("combobox", { name: "What" }).click();
    await page.getByRole("option", { name: "opened", exact: true }).click();
    await expect(page.getByTestId("audit-entries").getByRole("row")).toHaveCount(2);
    await expect(page.getByTestId("audit-entries")).toContainText("labelled");
  } finally {
    await service.stop();
    removeFolder(store);
  }
});

// The report of a case: views, measurements and texts on the page of views; its link rebuilds it.
import type { Page } from "@playwright/test";
import { change, clear, openAnnotations } from "../harness/annotating.ts";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"], viewport: { width: 1366, height: 768 } });

const own = sharedService();
const FINDINGS = "Two invasive foci.\nNo necrosis.";

test("a report has views, measurements and texts, and its link rebuilds it on a phone (PG72, PG74, PG75)", async ({
  page,
  browser,
}, info) => {
  const at = own.service.address;
  await clear(at, SLIDES.specimen);
  const geometry = {
    type: "LineString",
    coordinates: [
      [600, 400],
      [900, 800],
    ],
  };
  await change(at, SLIDES.specimen, [
    { id: "report-depth", revision: 0, content: { kind: "line", geometry, name: "Depth" } },
  ]);
  await openAnnotations(page, SLIDES.specimen, at);
  await page.getByRole("button", { name: "Measurements to page" }).click();
  await expect(page.getByText("Added to the page of views: 1 item")).toBeVisible();
  await page.getByRole("button", { name: "Camera" }).click();
  await page.getByRole("dialog", { name: "Camera" }).getByRole("button", { name: "Add to page" }).click();
  await expect(page.getByText("Added to the page of views: 2 items")).toBeVisible();
  await page.getByRole("button", { name: "Open page" }).last().click();
  await expect(page.getByTestId("views-item")).toHaveCount(2);
  await page.getByRole("button", { name: "Add text" }).click();
  await page.getByRole("textbox", { name: "Caption of item 3" }).fill("Findings");
  await page.getByRole("textbox", { name: "Text of item 3" }).fill(FINDINGS);
  const expectReport = async (shown: Page): Promise<void> => {
    await expect(shown.getByTestId("sheet-text")).toHaveText(FINDINGS);
    await expect(shown.getByTestId("sheet-count")).toContainText(/1 Depth.*µm/);
    await expect(shown.getByTestId("sheet").getByRole("img")).toHaveCount(1);
  };
  await expectReport(page);
  await expectNothingSeriousInEither(page, "a report");
  await storePicture(page, info.outputPath("report-1366x768.png"));
  await page.reload();
  await expectReport(page);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("button", { name: "Link copied" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await phone.goto(link);
  await phone.getByRole("button", { name: "Show this page" }).click();
  await expect(phone.getByTestId("views-item")).toHaveCount(3, { timeout: 60_000 });
  await expectReport(phone);
  await expectNothingSeriousInEither(phone, "a report on a phone");
  await storePicture(phone, info.outputPath("report-390x844.png"));
  await phone.context().close();
});

test("all slides of a case come onto the page of views, each as a whole (PG72)", async ({ page }) => {
  const at = own.service.address;
  const slides = [SLIDES.specimen, SLIDES.planes];
  const answer = await fetch(`${at}/api/v1/cases`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title: "Reported", kind: "case", slides }),
  });
  const { id } = (await answer.json()) as { id: string };
  await page.goto(`${at}/cases/${id}`);
  await page.getByRole("button", { name: "Add all to the page of views" }).click();
  await page.getByRole("button", { name: "Open page" }).click();
  await expect(page.getByTestId("views-item")).toHaveCount(2);
  await expect(page.getByTestId("sheet").getByRole("img")).toHaveCount(2);
  await expectNothingSeriousInEither(page, "the slides of a case");
});

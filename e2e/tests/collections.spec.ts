// Cases in collections, and collections in collections: listed, shown with all below, moved.
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { lookAt } from "../harness/looks.ts";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import type { Service } from "../harness/service.ts";

let service: Service;

test.beforeEach(async ({ services }) => {
  ({ service } = await services.of("slides")); // as it began: the lists hold what the test makes
});

async function newCase(title: string, slides: string[], more = {}): Promise<string> {
  const body = JSON.stringify({ title, slides, ...more });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${service.address}/api/v1/cases`, { method: "POST", headers, body });
  return ((await answer.json()) as { id: string }).id;
}

const newCollection = (title: string, slides: string[], parent = ""): Promise<string> =>
  newCase(title, slides, { kind: "collection", parent });

test("cases are listed in their collections, and the gallery shows a collection with all below (PG115)", async ({
  page,
}) => {
  const year = await newCollection("2026", [SLIDES.fiducial]);
  const colon = await newCollection("Colon, a title that is longer than its line", [SLIDES.specimen], year);
  await newCollection("Polyps", [SLIDES.lossless, SLIDES.specimen], colon);
  await page.goto(service.address);
  const links = page.getByTestId("case-link");
  await expect(links).toHaveText([/2026\s*3/]);
  await page.getByRole("button", { name: "What is in 2026" }).click();
  await page.getByRole("button", { name: /^What is in Colon/ }).press("Enter");
  await expect(links).toHaveText([/2026\s*3/, /Colon.*2/, /Polyps\s*2/]);
  await expectNothingSeriousInEither(page, "collections");
  expect(await lookAt(page, "collections")).toEqual([]);
  await page.getByRole("button", { name: /^More actions for Colon/ }).click();
  await page.getByRole("menuitem", { name: "Show its slides and all below" }).click();
  await expect(page.getByTestId("slide-card")).toHaveCount(2);
  expect(await lookAt(page, "collections-filtered")).toEqual([]);
  const path = page.getByTestId("case-path");
  await expect(path.getByRole("link")).toHaveText(["2026", /^Colon/]);
  await path.getByRole("link", { name: "2026" }).click();
  await expect(page.getByTestId("slide-card")).toHaveCount(3);
  await links.filter({ hasText: "Polyps" }).click();
  await expect(path.getByRole("link")).toHaveText(["2026", /^Colon/, "Polyps"]);
  await path.getByRole("link", { name: /^Colon/ }).click();
  await expect(page.getByTestId("cases-inside").getByTestId("case-link")).toHaveText([/Polyps/]);
  expect(await lookAt(page, "collection-page")).toEqual([]);
});

test("a case is moved by dragging and by its menu, and taken back (PG116)", async ({ page }) => {
  const year = await newCollection("2026", []);
  await newCollection("Colon", [], year);
  await newCase("Case 1", [SLIDES.specimen]);
  await page.goto(service.address);
  const links = page.getByTestId("case-link");
  const link = (title: string) => links.filter({ hasText: title });
  await page.getByRole("button", { name: "What is in 2026" }).click();
  await link("Case 1").dragTo(link("Colon"));
  await expect(page.getByRole("alert").filter({ hasText: "“Case 1” is in “Colon” now" })).toBeVisible();
  await expect(links).toHaveText([/2026\s*1/, /Colon\s*1/]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(links).toHaveText([/2026\s*0/, /Colon\s*0/, /Case 1/]);
  await page.getByRole("button", { name: "More actions for Case 1" }).press("Enter");
  await page.getByRole("menuitem", { name: "Move to …" }).press("Enter");
  const targets = page.getByTestId("move-targets").getByRole("button");
  await expect(targets).toHaveText(["In no collection", "2026", "Colon"]);
  await expect(targets.first()).toHaveAttribute("data-disabled", "true");
  await targets.nth(1).press("Enter");
  await expect(links).toHaveText([/2026\s*1/, /Case 1/, /Colon\s*0/]);
  await page.getByRole("button", { name: "More actions for 2026" }).click();
  await page.getByRole("menuitem", { name: "Move to …" }).click();
  await expect(page.getByTestId("move-targets").locator("[data-disabled]")).toHaveCount(3); // nowhere to go
});

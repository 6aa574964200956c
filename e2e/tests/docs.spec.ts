import { address } from "../harness/microscope";
import { expect, test } from "../harness/test";

test("the contract is shown with its routes, by files of the service alone (WI92)", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).origin));
  await page.goto(`${address()}/docs`);
  await expect(page.locator(".info .title")).toContainText("Wavescope");
  await expect(page.locator("#operations-tag-slides")).toBeVisible();
  expect(new Set(asked)).toEqual(new Set([new URL(page.url()).origin]));
});

// The capacity planner: a slider moves the curve at once, a simulation is drawn over it, and the page fits every screen.
import { expect, test } from "../harness/test.ts";
import { expectNothingSerious } from "../harness/axe.ts";
import { lookAt } from "../harness/looks.ts";
import { address } from "../harness/microscope.ts";

test("numbers show their effect at once, a plan is found and used, and points are simulated", async ({ page }) => {
  test.slow(); // the simulation has a low priority: it waits for the other tests
  await page.goto(`${address()}/planner`);
  const outcome = page.getByTestId("outcome");
  await expect(outcome).toContainText("Meets the goal");
  const before = await page.getByTestId("curve-mean").getAttribute("d");

  await page.getByRole("textbox", { name: "Clients", exact: true }).fill("5000");
  await expect(outcome).toContainText("Misses the goal");
  await expect(outcome).toContainText("What breaks first: the link of the site");
  expect(await page.getByTestId("curve-mean").getAttribute("d")).not.toBe(before);

  const cheapest = page.getByTestId("cheapest");
  await cheapest.getByRole("button", { name: "Use this plan" }).click();
  await expect(outcome).toContainText("Meets the goal");
  await expect(cheapest).toContainText("This is the cheapest plan.");

  await page.getByRole("textbox", { name: "Clients", exact: true }).fill("20");
  await page.getByRole("button", { name: "Simulate" }).click();
  await expect(page.getByTestId("simulated-point").first()).toBeVisible({ timeout: 90_000 });
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Simulate" })).toBeEnabled();
  await expectNothingSerious(page, "the planner");
  expect(await lookAt(page, "planner")).toEqual([]);
});

test("a slider moves by keys, and says its value", async ({ page }) => {
  await page.goto(`${address()}/planner`);
  const slider = page.getByRole("slider", { name: "Clients", exact: true });
  await slider.focus();
  for (let step = 0; step < 20; step++) await page.keyboard.press("ArrowRight");
  await expect(slider).not.toHaveAttribute("aria-valuetext", "40");
  const clients = Number((await slider.getAttribute("aria-valuetext"))!.trim());
  expect(clients).toBeGreaterThan(60);
  await expect(page.getByRole("textbox", { name: "Clients", exact: true })).toHaveValue(String(clients));
});

// The capacity planner: a slider moves the curve at once, a simulation is drawn over it, experiments run and end, and the page fits every screen.
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
  await expect(outcome).toContainText("First bottleneck: the link of the site");
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

const QUEUE = `title = "A queue"
model = "queue"
factorial = true
parameters = { arrivals = { mean = 1.0 }, customers = 200 }
factors = { service = [0.8, 0.5], servers = [1, 2] }
`;

test("an experiment is chosen and cancelled; a file of one's own runs or is refused (SI29)", async ({ page }) => {
  test.slow(); // low priority, as above
  await page.goto(`${address()}/planner`);
  await page.getByText("Experiments", { exact: true }).click();
  await page.getByRole("combobox", { name: "Experiment" }).click();
  await page.getByRole("option", { name: "Virtual Microscope 1998, figures 14 to 18" }).click();
  await expect(page.getByTestId("description")).toContainText("hit rate: none, 0, 0.25, 0.5, 0.75, 1");
  const run = page.getByRole("button", { name: "Run", exact: true });
  await run.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(run).toBeVisible();

  const open = (name: string, text: string) =>
    page.locator("input[type=file]").setInputFiles({ name, mimeType: "application/toml", buffer: Buffer.from(text) });
  await open("invalid.toml", QUEUE.replace("customers", "custmers"));
  await run.click();
  await expect(page.getByRole("alert")).toContainText("parameters.customers: missing", { timeout: 90_000 });

  await open("queue.toml", QUEUE);
  await run.click();
  await expect(page.getByTestId("experiment-result")).toContainText("20 of 20 trials", { timeout: 90_000 });
  await expect(page.getByTestId("result-plot")).toContainText("0.50.8"); // levels in order, whatever their order in the file
  await expect(page.getByTestId("series")).toHaveCount(2);
  await expect(page.getByTestId("effects")).toContainText("service × servers");
  await expectNothingSerious(page, "an experiment");
  expect(await lookAt(page, "experiment")).toEqual([]);
});

test("a number that is not possible says so and changes nothing; prices have a currency", async ({ page }) => {
  await page.goto(`${address()}/planner`);
  const outcome = page.getByTestId("outcome");
  await expect(outcome).toContainText("Price per month: €");
  const before = await outcome.textContent();
  const clients = page.getByRole("textbox", { name: "Clients", exact: true });
  await clients.click();
  for (const typed of ["0", "", "-5"]) {
    await clients.fill(typed);
    await expect(clients).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByRole("alert")).toHaveText(/^A whole number from 1 to [\d,]+\. The plan still uses 40\.$/);
  }
  await page.keyboard.press("Tab");
  await expect(clients).toHaveValue("-5");
  expect(await outcome.textContent()).toBe(before);
  expect(await lookAt(page, "planner-refusal")).toEqual([]);
  await clients.fill("50");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByText("Prices", { exact: true }).click();
  await page.getByRole("combobox", { name: "Currency" }).click();
  await page.getByRole("option", { name: "CHF" }).click();
  await expect(outcome).toContainText(/Price per month: CHF/);
  await page.evaluate(() => scrollTo(0, 0));
  expect(await lookAt(page, "planner-prices")).toEqual([]);
});

// A watched folder: what is laid into it appears in the gallery by itself, also what consists of many files.
import { cpSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "../harness/test.ts";
import { slideIsOpen } from "../harness/microscope.ts";
import { writeFiducial } from "../harness/pictures.ts";
import { DATA } from "../harness/service.ts";
import { watchedBy } from "../harness/services.ts";
import { sharedService } from "../harness/sharedService.ts";
import { row } from "../harness/uploading.ts";

const SERIES = join(DATA, "dicom_mirax_9385x3727");
const PATIENT = { timeout: 60_000 };

const own = sharedService("empty");
let watched: string;

test.beforeAll(() => {
  watched = watchedBy(own.service);
});

test("a file laid into the folder becomes a slide in the open gallery, and stays where it is", async ({ page }) => {
  await page.goto(own.service.address);
  await expect(page.getByText("0 slides").or(page.getByRole("button", { name: "Upload" }).first())).toBeVisible();
  writeFiducial(join(watched, "from the scanner.png"), 700, 600, { l0_x: 350, l0_y: 300, radius: 96 });
  await expect(row(page, "from the scanner.png")).toHaveAttribute("data-phase", "done", PATIENT);
  await row(page, "from the scanner.png").getByRole("button", { name: "Open" }).click();
  await slideIsOpen(page);
  expect(await page.evaluate(() => window.__wavescope.fidelity())).toBe("exact");
  expect(existsSync(join(watched, "from the scanner.png"))).toBe(true);
});

const DAMAGED = Buffer.concat([Buffer.alloc(128), Buffer.from("DICM"), Buffer.alloc(999, 0xa5)]);

test("ST64, WI26: a folder of DICOM files becomes one slide; a damaged file among them is named in the list", async ({
  page,
}) => {
  test.skip(!existsSync(SERIES), `no test data: ${basename(SERIES)} is not in ${DATA}`);
  await page.goto(own.service.address);
  cpSync(SERIES, join(watched, "series 7"), { recursive: true });
  expect(readdirSync(join(watched, "series 7")).length).toBeGreaterThan(1);
  writeFileSync(join(watched, "series 7", "foreign.dcm"), DAMAGED);
  await expect(row(page, "series 7")).toHaveAttribute("data-phase", "done", PATIENT);
  await expect(page.getByRole("list", { name: "Notices about series 7" })).toContainText("foreign.dcm");
  const cards = page.getByTestId("slide-card").filter({ hasText: "9,385 × 3,727 px" });
  await expect(cards).toHaveCount(1);
});

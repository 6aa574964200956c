// A slide that is still being ingested is looked at through its source file, and becomes the real one by itself.
import { join } from "node:path";
import { expect, test } from "../harness/test.ts";
import { slideIsOpen, viewState } from "../harness/microscope.ts";
import { writeFiducial } from "../harness/pictures.ts";
import { removeFolder, temporaryFolder } from "../harness/service.ts";
import { sharedService } from "../harness/sharedService.ts";
import { row, upload } from "../harness/uploading.ts";

let folder: string;
const own = sharedService("empty");
const MARK = { l0_x: 900, l0_y: 700, radius: 300 };

test.beforeAll(() => {
  folder = temporaryFolder();
  writeFiducial(join(folder, "long.png"), 9000, 7000, { l0_x: 4000, l0_y: 3000, radius: 400 });
  writeFiducial(join(folder, "second.png"), 1900, 1500, MARK);
});

test.afterAll(() => removeFolder(folder));

const PATIENT = { timeout: 60_000 };
test("an uploaded slide is previewed at once and switches to the wavelet slide in the same place", async ({ page }) => {
  await page.goto(own.service.address);
  await upload(page, join(folder, "long.png"));
  await expect(row(page, "long.png")).toHaveAttribute("data-phase", "ingesting", PATIENT);
  await upload(page, join(folder, "second.png"));
  await row(page, "second.png").getByRole("button", { name: "Preview" }).click(PATIENT);
  await expect(page.getByTestId("preview-banner")).toBeVisible(PATIENT);
  await expect(page.getByTestId("fidelity")).toHaveAttribute("data-fidelity", "preview");
  await page.waitForFunction(() => {
    try {
      return window.__wavescope.slide().width === 1900;
    } catch {
      return false;
    }
  });
  const drawn = await page.evaluate(async (mark) => {
    const { ln_x, ln_y } = await window.__wavescope.viewport.goTo(mark.l0_x - 300, mark.l0_y - 300, 0);
    await window.__wavescope.idle();
    const { rgba } = window.__wavescope.readCanvas(mark.l0_x - ln_x, mark.l0_y - ln_y, 1, 1);
    return { rgb: [...rgba.slice(0, 3)], counters: window.__wavescope.counters().blocks };
  }, MARK);
  expect(drawn.counters).toBe(0);
  expect(Math.max(...drawn.rgb)).toBeLessThan(100); // the disc
  await page.keyboard.press("Control+k");
  const commands = page.getByRole("group", { name: "Commands" });
  await expect(commands).toContainText("Zoom in");
  for (const title of ["Compare with", "Draw a", "Record", "Bookmark"])
    await expect(commands, title).not.toContainText(title);
  await page.keyboard.press("Escape");
  const before = await viewState(page);
  const { jobs } = await own.service.json<{ jobs: { id: string; filename: string }[] }>("/api/v1/jobs");
  const first = jobs.find(({ filename }) => filename === "long.png")!;
  await fetch(`${own.service.address}/api/v1/jobs/${first.id}`, { method: "DELETE" }); // now it is the second one's turn
  await page.waitForURL(/\/slides\/second/, PATIENT);
  await slideIsOpen(page);
  await expect(page.getByTestId("preview-banner")).toHaveCount(0);
  const after = await viewState(page);
  const [was, is] = [before, after].map(({ l0_x, l0_y, l0_width, l0_height }) => [
    l0_x + l0_width / 2,
    l0_y + l0_height / 2,
  ]);
  expect(Math.abs(is![0]! - was![0]!) + Math.abs(is![1]! - was![1]!)).toBeLessThan(2); // the centre: the page's edge has more buttons now
  expect(after.scale).toBeCloseTo(before.scale, 4);
});

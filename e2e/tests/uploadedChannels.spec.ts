// Files of channels come in through the page: their quality is remembered apart from that of pictures, and one of their time points is chosen.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expectNothingSerious } from "../harness/axe.ts";
import { faultsInSight } from "../harness/faultsInSight.ts";
import { writeTimeSeries } from "../harness/pictures.ts";
import { removeFolder, temporaryFolder } from "../harness/service.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";
import { qualityDialog, row } from "../harness/uploading.ts";

const PATIENT = { timeout: 60_000 }; // imports leave the processors to all others
const TIMES = 3;
const SIDE = 300;
const folder = temporaryFolder();
const own = sharedService("empty");

test.afterAll(() => removeFolder(folder));

test("a PSNR of pictures is not for channels: another quality is chosen and remembered; so is the time point (WI25, WI51)", async ({
  page,
}, info) => {
  test.setTimeout(240_000);
  const file = join(folder, "series.ome.tif");
  writeTimeSeries(file, SIDE, TIMES);
  const query = "filename=series.ome.tif&start=false&quality=40dB";
  const sent = await fetch(`${own.service.address}/api/v1/uploads?${query}`, {
    method: "POST",
    body: readFileSync(file),
  });
  expect(sent.status).toBe(202);
  await page.addInitScript(
    () => localStorage.getItem("wavescope.quality") ?? localStorage.setItem("wavescope.quality", "40dB"),
  );
  await page.goto(own.service.address);
  await row(page, "series.ome.tif").getByRole("button", { name: "Choose" }).click();
  const dialog = qualityDialog(page);
  const time = dialog.getByRole("textbox", { name: "Time point" });
  await expect(time).toHaveValue("1", PATIENT);
  await expect(dialog).toContainText(`The file has ${TIMES}.`);
  await expect(dialog.getByRole("radio", { name: /^Visually lossless: about/ })).toBeChecked();
  for (const [size, viewport] of [
    ["1920x1080", { width: 1920, height: 1080 }],
    ["820x1180", { width: 820, height: 1180 }],
    ["390x844", { width: 390, height: 844 }],
  ] as const) {
    await page.setViewportSize(viewport);
    for (const scheme of ["light", "dark"] as const) {
      await page.evaluate((one) => document.documentElement.setAttribute("data-mantine-color-scheme", one), scheme);
      await page.screenshot({ path: info.outputPath(`${size}-${scheme}.png`) });
      await expectNothingSerious(page, `the dialog, ${scheme}`);
    }
    expect(await page.evaluate(faultsInSight), size).toEqual([]);
  }
  await time.fill("4");
  await expect(dialog.getByRole("button", { name: "Import slide" })).toBeDisabled();
  await time.fill("3");
  await dialog.getByRole("radio", { name: /^Lossless/ }).check();
  await dialog.getByRole("button", { name: "Import slide" }).click();
  await expect(row(page, "series.ome.tif")).toHaveAttribute("data-phase", "done", PATIENT);
  const list = await own.service.json<{ slides: { id: string }[] }>("/api/v1/slides?search=series");
  const { id } = list.slides[0]!;
  const region = `/api/v1/slides/${id}/region?x=0&y=0&width=${SIDE}&height=${SIDE}&channels=0&format=npy`;
  const answer = await fetch(`${own.service.address}${region}`);
  const npy = Buffer.from(await answer.arrayBuffer());
  expect(npy.readUInt16LE(npy.length - 2 * SIDE * SIDE)).toBe(1000 * 3); // the first sample of the third time point
  const stored = await page.evaluate(() => [
    localStorage.getItem("wavescope.quality"),
    localStorage.getItem("wavescope.channelQuality"),
  ]);
  expect(stored).toEqual(["40dB", "lossless"]);
});
